"""The shipped template against what it describes: a packaged Unreal Engine 5 project with UnrealCV's plugin.

What differs from the file is what a reader fills in: address, program, and names where they are others.
"""

import shlex
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import packaged_store
import pytest
import yaml
from packaged_store import PackagedStore

from siturec_gym.core.actions import ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import to_json
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.renderers import make_renderer
from siturec_gym.renderers.unrealcv.inspection.findings import Report
from siturec_gym.renderers.unrealcv.inspection.inspect import inspect
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.reading import SHIPPED
from siturec_gym.scenes.scene import Scene
from siturec_gym.users import make_user
from siturec_gym.world.motion import NoRouteError

SIZE = 320, 240
FACADES = {"supermarket": "siturec_gym.supermarket_v0", "home_furnishings": "siturec_gym.home_furnishings_v0"}
PROBES = {"tiny": "BP_F01", "supermarket": "BP_F01", "home_furnishings": "BP_S1"}
HALF = 2**-11
"""How far half precision may be off, relative."""


def template(**changes: Any) -> dict[str, Any]:
    """What the shipped file says, with other values for parts of it; None leaves a part out."""
    content = yaml.safe_load((SHIPPED / "template.yaml").read_text())
    for part, values in changes.items():
        if values is None:
            del content[part]
        else:
            content[part] |= values
    return content


@pytest.fixture
def packaged(request):
    """Runs the project of a scene; gives it, and the template filled in for it with further changes of its parts."""

    def start(scene: Scene, changes: dict[str, Any] | None = None, **settings: Any) -> tuple[PackagedStore, Mapping]:
        store = PackagedStore(scene, **settings)
        request.addfinalizer(store.close)
        own = {"launch": None, "connection": {"port": store.endpoint[1]}, "colors": {"probe": PROBES[scene.name]}}
        return store, Mapping.model_validate(template(**own | (changes or {})))

    return start


@pytest.fixture
def pair(packaged, request):
    """The template's renderer over a project, and the embedded one: ``pair(scene, ...)``."""

    def build(scene: Scene, *arguments: Any, **settings: Any):
        store, mapping = packaged(scene, *arguments, **settings)
        remote = make_renderer("unrealcv", scene, *SIZE, mapping=mapping)
        request.addfinalizer(remote.close)
        return store, remote, make_renderer("embedded", scene, *SIZE, light="plain")

    return build


def assert_alike(scene: Scene, remote: Any, local: Any, pose: Pose) -> None:
    """Equal but for walls and floors, which the template leaves black, and for the digits that depth comes with."""
    unnamed = [part.object_id for part in scene.structures if part.place_id is None]
    frame, drawn = remote.render(pose), local.render(pose)
    assert np.array_equal(frame.rgb, drawn.rgb)
    assert np.array_equal(frame.ids, np.where(np.isin(drawn.ids, unnamed), 0, drawn.ids))
    hit = np.isfinite(drawn.depth)
    assert np.array_equal(np.isfinite(frame.depth), hit)
    assert np.abs(frame.depth[hit] / drawn.depth[hit] - 1.0).max() <= HALF
    seen, expected = remote.visibility(pose), local.visibility(pose)
    named = ~np.isin(expected.object_ids, unnamed)
    assert np.array_equal(seen.object_ids, expected.object_ids[named])
    assert np.array_equal(seen.pixels, expected.pixels[named])
    assert np.array_equal(seen.boxes, expected.boxes[named])


def test_the_same_pictures(shop, pair):
    _, remote, local = pair(shop)
    for number, waypoint in enumerate(shop.waypoints[::3]):
        assert_alike(
            shop, remote, local, Pose(waypoint.x, waypoint.y, 75.0 * number % 360 - 180.0, -10.0 * (number % 3))
        )
    for renderer in (remote, local):
        for object_id in range(1, 200, 2):
            renderer.set_object(object_id, visible=False)
    assert_alike(shop, remote, local, shop.start_pose)


def named_by_the_engine(id_: str, item: bool) -> str:
    """As Unreal names what is put into a level: by class and number, or with a suffix that nobody chose."""
    if id_ == "I0002":
        return "SM_Milk_UAID_0A1B2C_1234567890"
    return f"{'StaticMeshActor' if item else 'BP_Shelf_C'}_{id_}_C_1"


def test_names_that_the_engine_chose(tiny_scene, pair):
    objects = {
        "instance": "StaticMeshActor_{id}_C_1",
        "place": "BP_Shelf_C_{id}_C_1",
        "names": {"I0002": "SM_Milk_UAID_0A1B2C_1234567890"},
    }
    changes = {"objects": objects, "colors": {"probe": "BP_Shelf_C_F01_C_1"}}
    _, remote, local = pair(tiny_scene, changes, name=named_by_the_engine)
    for renderer in (remote, local):
        renderer.set_object(2, visible=False)
    assert_alike(tiny_scene, remote, local, Pose(3.8, 1.2, 90.0))


def test_depth_from_the_camera_itself(tiny_scene, pair):
    _, remote, local = pair(tiny_scene, {"images": {"depth": {"kind": "radial", "beyond_m": 600}}}, radial=True)
    for pose in (Pose(3.8, 1.2, 90.0), Pose(6.0, 2.2, 0.0, -30.0)):
        assert_alike(tiny_scene, remote, local, pose)


CALLS = (
    ToolCall("move_forward", distance_m=0.7),
    ToolCall("turn_and_move", direction="left", angle_deg=33.3, distance_m=1.0),
    ToolCall("move_and_turn", direction="right", angle_deg=100.0, distance_m=0.333),
    ToolCall("look_up_down", direction="down", angle_deg=25.0),
    ToolCall("side_step", direction="right", distance_m=0.4),
    ToolCall("turn", direction="left", angle_deg=170.0),
    ToolCall("move_to_fixture", target="F02", approach="front"),
    ToolCall("move_backward", duration_s=1.0),
    ToolCall("look_up_down", direction="up", angle_deg=40.0),
    ToolCall("move_to_fixture", target="F01", approach="nearest"),
)


def test_the_same_poses_to_the_digits_that_come_back(tiny_scene, pair):
    _, remote, local = pair(tiny_scene)
    for renderer in (remote, local):
        renderer.set_user_pose(Pose(4.0, 1.0, 90.0))
    for call in CALLS:
        reached, expected = remote.execute(call), local.execute(call)
        assert (reached.x, reached.y) == pytest.approx((expected.x, expected.y), abs=1e-4)
        assert (reached.yaw_deg, reached.pitch_deg) == pytest.approx((expected.yaw_deg, expected.pitch_deg), abs=0.01)
        local.set_user_pose(reached)
    assert_alike(tiny_scene, remote, local, Pose(3.8, 1.2, 90.0))


def test_a_place_without_a_way_to_it(tiny_scene, pair):
    _, remote, local = pair(tiny_scene)
    call = ToolCall("move_to_fixture", target="F01", approach="front")
    for renderer in (remote, local):
        renderer.set_user_pose(Pose(4.0, 2.5, 0.0))  # within the shelf
        with pytest.raises(NoRouteError):
            renderer.execute(call)


def episode(scene: str, task: str, seed: int, assistant: str, **keywords: Any) -> str:
    env = import_module(FACADES[scene]).env(image_size=SIZE, **keywords)
    try:
        return to_json(play(env, make_assistant(assistant), make_user("agenda"), f"{scene}/{task}", seed))
    finally:
        env.close()


@pytest.mark.parametrize(("assistant", "task", "seed"), [("heuristic", "03.2", 7), ("random", "11.1", 8)])
def test_the_same_episodes(shop, packaged, assistant, task, seed):
    store, mapping = packaged(shop)
    keywords = {"renderer": "unrealcv", "renderer_config": {"mapping": mapping}}
    played = episode(shop.name, task, seed, assistant, **keywords)
    assert played == episode(shop.name, task, seed, assistant)
    assert played.count('"turn":') > 3
    assert any(command.startswith("vbp BP_Shopper_C_1 ") for command in store.said())
    assert not any("/pose" in command for command in store.said())


def test_a_packaged_program_is_started_with_its_ini_and_ended(supermarket, tmp_path):
    binary = tmp_path / "MyStore"
    command = [sys.executable, str(Path(packaged_store.__file__)), str(tmp_path), "supermarket"]
    binary.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    binary.chmod(0o755)
    own = {"binary": str(binary), "ini": str(tmp_path / "unrealcv.ini"), "allow_root": True}
    content = template(launch=own | {"first_port": 19_400, "last_port": 19_499})
    remote = make_renderer("unrealcv", supermarket, *SIZE, mapping=content)
    local = make_renderer("embedded", supermarket, *SIZE, light="plain")
    assert_alike(supermarket, remote, local, supermarket.start_pose)
    instance = remote._session._instance
    assert instance.is_running
    remote.close()
    assert not instance.is_running
    assert "Width=320\nHeight=240" in (tmp_path / "unrealcv.ini").read_text()


@pytest.fixture
def look(packaged, tiny_scene, monkeypatch) -> Callable[..., Report]:
    """What ``siturec unreal check`` finds out about the tiny store, but for how fast it is."""
    monkeypatch.setattr("siturec_gym.renderers.unrealcv.inspection.looks._FRAMES", 1)
    monkeypatch.setattr("siturec_gym.renderers.unrealcv.inspection.basics._ECHOES", 2)

    def run(changes: dict[str, Any] | None = None, **settings: Any) -> Report:
        _, mapping = packaged(tiny_scene, changes, **settings)
        return inspect(mapping, tiny_scene, SIZE, lambda step: None)

    return run


def test_nothing_is_wrong_with_the_template(look):
    report = look()
    assert {finding.state for finding in report.findings} == {"ok"}, report.findings
    assert {"lit", "mask", "depth", "scene", "turn_and_move", "move_to_fixture"} <= {
        finding.subject for finding in report.findings
    }


PLACE = template()["user"]["place"]
WRONG = [
    ({"user": {"origin_height_m": 0.0}}, "scene", "of the pixels", "user.eye_height_m"),
    (
        {"user": {"place": PLACE[:1] + PLACE[2:]}},
        "move_forward",
        "turned by -40.0 degrees",
        "tools.move_forward",
    ),
    ({"user": {"place": PLACE[:2]}}, "user", "was put at", "user.place"),
    ({"user": {"object": "BP_Shopper_C_2"}}, "user", "no object is called BP_Shopper_C_2", "user.object"),
    ({"cameras": {"prepare": []}}, "camera 0", "is 75 degrees wide", "cameras.prepare"),
    ({"cameras": {"where": ["vget /camera/{camera}/pose"]}}, "camera 0", "No handler found for URI", "cameras"),
    ({"cameras": {"user": 1}}, "camera 1", "Argument Invalid", "cameras.user"),
    ({"images": {"rgb": {"name": "lit", "format": "npy"}}}, "pictures", "Invalid filename type", "images"),
    ({"objects": {"instance": "{id}"}}, "items", "6 of 6 are not there: I0001", "objects.instance"),
    (
        {"tools": {"turn": {"function": "Turn", "arguments": ["angle_deg"], "result": "pose"}}},
        "turn",
        "the other way",
        "tools.turn",
    ),
    (
        {"tools": {"move_to_fixture": {"function": "MoveTo", "arguments": ["target"], "result": "json"}}},
        "move_to_fixture",
        "expected a JSON object with a pose",
        "tools.move_to_fixture",
    ),
]


@pytest.mark.parametrize(("changes", "subject", "detail", "fix"), WRONG, ids=lambda value: str(value)[:40])
def test_what_is_filled_in_wrongly_is_found(look, changes, subject, detail, fix):
    report = look(changes)
    finding = next(finding for finding in report.findings if finding.subject == subject and finding.state != "ok")
    assert finding.state == "broken"
    assert detail in finding.detail
    assert fix in finding.fix
