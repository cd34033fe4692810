"""Same scene, same pose, same bytes: in one process and in another."""

import hashlib
import subprocess
import sys

from siturec_gym.renderers import make_renderer

PROGRAM = """
import hashlib
import sys
from siturec_gym.renderers import make_renderer
from siturec_gym.scenes import load_scene
scene = load_scene(sys.argv[1])
for preset in ("rl", "vlm"):
    renderer, digest = make_renderer("embedded", scene, 160, 120, preset), hashlib.sha256()
    for place in scene.navigation_targets[::4]:
        for pose in place.approaches.values():
            frame, seen = renderer.render(pose), renderer.visibility(pose)
            for array in (frame.rgb, frame.depth, frame.ids, seen.object_ids, seen.pixels, seen.boxes):
                digest.update(array.tobytes())
    print(digest.hexdigest())
"""


def digest_of(scene, preset):
    renderer, digest = make_renderer("embedded", scene, 160, 120, preset), hashlib.sha256()
    for place in scene.navigation_targets[::4]:
        for pose in place.approaches.values():
            frame, seen = renderer.render(pose), renderer.visibility(pose)
            for array in (frame.rgb, frame.depth, frame.ids, seen.object_ids, seen.pixels, seen.boxes):
                digest.update(array.tobytes())
    return digest.hexdigest()


def test_two_processes_give_equal_bytes(shop):
    done = subprocess.run([sys.executable, "-c", PROGRAM, shop.name], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [digest_of(shop, preset) for preset in ("rl", "vlm")]


def test_what_was_drawn_before_leaves_no_trace(shop):
    used = make_renderer("embedded", shop, 160, 120)
    poses = [pose for place in shop.navigation_targets for pose in place.approaches.values()]
    for pose in poses[:8]:
        used.render(pose)
        used.visibility(pose)
    fresh = make_renderer("embedded", shop, 160, 120)
    first, second = used.render(poses[9]), fresh.render(poses[9])
    assert first.rgb.tobytes() == second.rgb.tobytes()
    assert first.depth.tobytes() == second.depth.tobytes()
