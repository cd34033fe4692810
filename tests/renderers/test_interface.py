"""The six interfaces of Table 6, on every renderer (S19); UnrealCV's against our own server."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.renderers import make_renderer

FACING_MILK = Pose(4.0, 1.0, 90.0)


@pytest.fixture(params=["embedded", "unrealcv"])
def make(request: pytest.FixtureRequest, tiny_scene, serve) -> Iterator[Callable[..., Any]]:
    """Makes a renderer of the tiny store; each UnrealCV one with a server of its own."""
    made: list[Any] = []

    def build(width: int = 160, height: int = 120, preset: str = "rl") -> Any:
        config: dict[str, Any] = {"light": "plain"}
        if request.param == "unrealcv":
            config = {"socket": serve(tiny_scene, width, height, preset=preset, light="plain").path}
        made.append(make_renderer(request.param, tiny_scene, width, height, preset=preset, **config))
        return made[-1]

    yield build
    for renderer in made:
        renderer.close()


def test_connect_and_close_may_be_called_at_any_time(make):
    renderer = make()
    renderer.connect()
    renderer.connect()
    first = renderer.render(FACING_MILK)
    renderer.close()
    renderer.close()
    renderer.connect()
    assert np.array_equal(renderer.render(FACING_MILK).rgb, first.rgb)


def test_user_and_camera_pose(make, tiny_scene):
    renderer = make()
    assert renderer.user_pose == renderer.camera_pose == tiny_scene.start_pose
    renderer.set_user_pose(FACING_MILK)
    assert renderer.user_pose == renderer.camera_pose == FACING_MILK
    renderer.set_camera_pose(Pose(1.0, 1.0, 0.0))
    assert renderer.user_pose == FACING_MILK
    assert (renderer.capture().rgb != renderer.render(FACING_MILK).rgb).any()
    assert renderer.camera_pose == FACING_MILK


def test_execute_moves_the_user_by_the_world_s_motion(make):
    renderer = make()
    renderer.set_user_pose(Pose(1.0, 1.0, 0.0))
    reached = renderer.execute(ToolCall(Tool.MOVE_FORWARD, distance_m=1.0))
    assert reached == renderer.user_pose
    assert reached.x == pytest.approx(2.0)


def test_objects_are_the_instances(make, tiny_scene):
    states = make().objects()
    assert list(states) == [instance.object_id for instance in tiny_scene.instances]
    assert states[3].position_m == (4.0, 2.4, 1.0)
    assert states[3].yaw_deg == -90.0
    assert all(state.visible for state in states.values())


def test_hidden_instance_leaves_the_image_and_returns(make):
    renderer = make(320, 240)
    before = renderer.render(FACING_MILK)
    assert (before.ids == 3).sum() > 50
    renderer.set_object(3, visible=False)
    hidden = renderer.render(FACING_MILK)
    assert not (hidden.ids == 3).any()
    assert not renderer.objects()[3].visible
    changed = before.ids != hidden.ids
    assert (before.ids[changed] == 3).all()
    assert (hidden.depth[changed] > before.depth[changed]).all()
    assert 3 not in renderer.visibility(FACING_MILK).object_ids
    renderer.set_object(3, visible=True)
    assert (renderer.render(FACING_MILK).ids == before.ids).all()


@pytest.mark.parametrize("object_id", [0, -1, 7, 20_001])
def test_only_instances_can_be_hidden(make, object_id):
    with pytest.raises(ValueError, match=f"object {object_id} is no instance; instances are 1 to 6"):
        make().set_object(object_id, visible=False)


def test_each_renderer_hides_for_itself(make):
    first, second = make(), make()
    first.set_object(3, visible=False)
    assert second.objects()[3].visible
    assert 3 in second.visibility(FACING_MILK).object_ids


@pytest.mark.parametrize("preset", ["rl", "vlm"])
@pytest.mark.parametrize("wanted", [("rgb",), ("depth",), ("ids",), ("ids", "rgb"), ("depth", "ids"), ()])
def test_capture_gives_what_was_asked_for(make, preset, wanted):
    renderer = make(preset=preset)
    full, part = renderer.render(FACING_MILK), renderer.capture(wanted)
    for name in ("rgb", "depth", "ids"):
        array = getattr(part, name)
        assert (array is not None) == (name in wanted)
        if array is not None:
            assert np.array_equal(array, getattr(full, name))


def test_unknown_modality(make):
    with pytest.raises(ValueError, match="modality must be one of rgb, depth, ids, received 'normals'"):
        make().capture(("normals",))


def test_shapes_and_types(make):
    frame = make(100, 60).render(FACING_MILK)
    assert (frame.rgb.shape, frame.rgb.dtype) == ((60, 100, 3), np.uint8)
    assert (frame.depth.shape, frame.depth.dtype) == ((60, 100), np.float32)
    assert (frame.ids.shape, frame.ids.dtype) == ((60, 100), np.uint16)
    assert all(array.flags.c_contiguous and array.flags.writeable for array in (frame.rgb, frame.depth, frame.ids))


def test_frames_belong_to_the_caller(make):
    renderer = make()
    kept = renderer.render(FACING_MILK)
    copies = kept.rgb.copy(), kept.depth.copy(), kept.ids.copy()
    renderer.render(Pose(1.0, 4.0, 0.0, 30.0))
    for array, copy in zip((kept.rgb, kept.depth, kept.ids), copies, strict=True):
        assert np.array_equal(array, copy)
