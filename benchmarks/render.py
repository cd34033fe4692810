"""Frames per second of the embedded renderer (RGB + metric depth + ids) beside ViZDoom with depth and labels buffers.

Each store and the game are measured in short slots that take turns within one run, one thread each, so that whatever
else the machine does meets all alike; medians over the slots. ViZDoom (``pip install 'siturec-gym[bench]'``) steps its
game for each frame and fills its screen, depth and labels buffers.

Run: python benchmarks/render.py [--slots 61] [--preset rl]
"""

import argparse
import contextlib
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer
from siturec_gym.scenes import load_scene
from siturec_gym.scenes.scene import Scene

SCENES = ("supermarket", "home_furnishings")
SIZES = ((640, 480), (320, 240), (160, 120))
TARGETS = {640: 1.2, 320: 1.0, 160: 0.65}
FRAMES_IN_SLOT = {640: 16, 320: 43, 160: 86}
Slot = Callable[[int], float]


def poses_of(scene: Scene) -> list[Pose]:
    """Where a shopper stands: every fixed viewpoint, and every waypoint looking along a link of its."""
    poses = [pose for place in scene.navigation_targets for pose in place.approaches.values()]
    at = {waypoint.id: waypoint for waypoint in scene.waypoints}
    for waypoint in scene.waypoints:
        goal = at[waypoint.links[0]]
        yaw = np.degrees(np.arctan2(goal.y - waypoint.y, goal.x - waypoint.x))
        poses.append(Pose(waypoint.x, waypoint.y, float(yaw), -5.0))
    return [poses[index] for index in np.random.default_rng(0).permutation(len(poses))]


def cycling(act: Callable[[Any], Any], inputs: list[Any]) -> Slot:
    """A slot that calls ``act`` on the inputs in turn and returns seconds per call."""
    position = 0

    def slot(frames: int) -> float:
        nonlocal position
        start = time.perf_counter()
        for _ in range(frames):
            act(inputs[position % len(inputs)])
            position += 1
        return (time.perf_counter() - start) / frames

    return slot


@contextlib.contextmanager
def vizdoom_slot(width: int, height: int) -> Iterator[Slot | None]:
    """ViZDoom's deathmatch scenario at one size, or None where it is not installed."""
    try:
        import vizdoom  # noqa: PLC0415
    except ImportError:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        game = vizdoom.DoomGame()
        game.load_config(f"{vizdoom.scenarios_path}/deathmatch.cfg")
        game.set_screen_resolution(getattr(vizdoom.ScreenResolution, f"RES_{width}X{height}"))
        game.set_screen_format(vizdoom.ScreenFormat.RGB24)
        game.set_depth_buffer_enabled(True)
        game.set_labels_buffer_enabled(True)
        game.set_window_visible(False)
        game.set_sound_enabled(False)
        game.set_mode(vizdoom.Mode.PLAYER)
        game.set_seed(1)
        game.set_doom_config_path(str(Path(folder) / "vizdoom.ini"))
        with contextlib.chdir(folder):  # it leaves files where it starts
            game.init()
            yield playing(game)
            game.close()


def playing(game: Any) -> Slot:
    """A slot of random moves; each reads all three buffers."""
    game.new_episode()
    buttons = game.get_available_buttons_size()
    actions = [[int(index == chosen) for index in range(buttons)] for chosen in range(buttons)]

    def frame(action: list[int]) -> Any:
        if game.is_episode_finished():
            game.new_episode()
        state = game.get_state()
        buffers = state.screen_buffer, state.depth_buffer, state.labels_buffer
        game.make_action(action, 1)
        return buffers

    order = np.random.default_rng(0).integers(0, buttons, 500)
    return cycling(frame, [actions[index] for index in order])


def measure(slots: dict[str, Slot], frames: int, rounds: int) -> dict[str, float]:
    """Median seconds per frame of each slot, taken in turns."""
    times: dict[str, list[float]] = {name: [] for name in slots}
    for slot in slots.values():
        slot(frames)
    for _ in range(rounds):
        for name, slot in slots.items():
            times[name].append(slot(frames))
    return {name: statistics.median(values) for name, values in times.items()}


def ready_renderers(width: int, height: int, preset: str, light: str) -> dict[str, Any]:
    """A renderer of each store."""
    return {name: make_renderer("embedded", load_scene(name), width, height, preset, light=light) for name in SCENES}


def compare(width: int, height: int, options: argparse.Namespace) -> bool:
    """Print one line for a size; whether ViZDoom was there."""
    renderers = ready_renderers(width, height, options.preset, options.light)
    slots = {name: cycling(renderer.render, poses_of(load_scene(name))) for name, renderer in renderers.items()}
    with vizdoom_slot(width, height) as rival:
        if rival is not None:
            slots["vizdoom"] = rival
        seconds = measure(slots, FRAMES_IN_SLOT[width], options.slots)
    rates = {name: 1 / value for name, value in seconds.items()}
    game = rates.get("vizdoom")
    ratios = {name: f"{rates[name] / game:.2f}" if game else "-" for name in SCENES}
    cells = [f"{rates[name]:10.0f} {ratios[name]:>5}" for name in SCENES]
    print(f"{width:>5}x{height:<3} {'  '.join(cells)} {f'{game:.0f}' if game else '-':>8} {TARGETS[width]:7.2f}")
    return rival is not None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slots", type=int, default=61, help="slots of each candidate at each size")
    parser.add_argument("--preset", default="rl", choices=("rl", "vlm"))
    parser.add_argument("--light", default="baked", choices=("baked", "plain"))
    options = parser.parse_args()
    for name in SCENES:
        start = time.perf_counter()
        renderer = make_renderer("embedded", load_scene(name), 320, 240, options.preset, light=options.light)
        renderer.render(load_scene(name).start_pose)
        print(f"{name} ready in {time.perf_counter() - start:.2f} s")
    print("frames per second, all three modalities; ratio to ViZDoom; least ratio wanted")
    print(f"{'':>9} {'supermarket':>16}  {'home store':>16} {'vizdoom':>8} {'target':>7}")
    compared = [compare(width, height, options) for width, height in SIZES]
    if not all(compared):
        print("ViZDoom is not installed, so there is no ratio: pip install 'siturec-gym[bench]'")
    renderers = ready_renderers(320, 240, options.preset, options.light)
    slots = {name: cycling(renderer.visibility, poses_of(load_scene(name))) for name, renderer in renderers.items()}
    for name, seconds in measure(slots, 120, options.slots).items():
        print(f"visibility pass of {name} (320x240, counts and boxes): {1e3 * seconds:.3f} ms")


if __name__ == "__main__":
    main()
