"""What ``siturec unreal check`` finds: a mapping that fits, and each way in which one may not."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.errors import DataError
from siturec_gym.renderers.unrealcv.colors import Paint
from siturec_gym.renderers.unrealcv.inspection.findings import Finding, Report
from siturec_gym.renderers.unrealcv.inspection.inspect import inspect
from siturec_gym.renderers.unrealcv.inspection.looks import mask_finding, rows_of
from siturec_gym.renderers.unrealcv.mapping import Mapping
from siturec_gym.renderers.unrealcv.reading import load_mapping, moved
from siturec_gym.renderers.unrealcv.server.camera import Camera
from siturec_gym.renderers.unrealcv.server.palette import Palette

SIZE = (160, 120)
FAST = {"connect_timeout_s": 1.0, "reply_timeout_s": 2.0, "attempts": 2}


def changed(values: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """With values at paths such as ``user__object``; None takes one out."""
    for path, value in changes.items():
        *folders, last = path.split("__")
        part = values
        for folder in folders:
            part = part[folder]
        if value is None:
            del part[last]
        else:
            part[last] = value
    return values


@pytest.fixture
def look(serve, tiny_scene) -> Callable[..., Report]:
    """Inspects the tiny store with a changed mapping."""

    def run(**changes: Any) -> Report:
        served = serve(tiny_scene, *SIZE, light="plain")
        values = load_mapping("ours").model_dump(exclude_none=True)
        values["connection"] |= FAST | {"socket": served.path}
        return inspect(Mapping.model_validate(changed(values, **changes)), tiny_scene, SIZE, lambda step: None)

    return run


def found(report: Report, subject: str) -> Finding:
    return next(finding for finding in report.findings if finding.subject == subject)


def test_the_user_is_left_at_the_start(serve, tiny_scene):
    served = serve(tiny_scene, *SIZE, light="plain")
    inspect(moved(load_mapping("ours"), None, None, served.path), tiny_scene, SIZE, lambda step: None)
    assert served.worlds[0].state.pose == tiny_scene.start_pose
    assert served.worlds[0].state.removed == frozenset()


def test_our_own_mapping_fits_our_own_server(look, tiny_scene):
    report = look()
    assert report.is_sound, report.findings
    assert {finding.state for finding in report.findings} == {"ok"}
    assert {str(tool) for tool in tiny_scene.tools if tool.startswith(("move", "turn", "side", "look"))} <= {
        finding.subject for finding in report.findings
    }
    median, slow = report.round_trip_ms
    assert 0.0 < median <= slow
    assert set(report.frames_per_s) == {"lit", "mask", "depth", "all three"}
    assert min(report.frames_per_s.values()) > 0.0
    assert report.pictures["lit"].shape == report.pictures["mask"].shape == (120, 160, 3)
    assert report.pictures["depth"].shape == (120, 160)
    assert "P001" in {row.called for row in report.colors}


STRANGE = [
    ({"objects__instance": "SM_{id}"}, "items", "6 of 6 are not there: SM_I0001", "objects.instance (SM_{id})"),
    ({"objects__place": "BP_{id}"}, "places and walls", "not there: BP_F01", "objects.place (BP_{id})"),
    ({"user__object": "Shopper"}, "user", "no object is called Shopper", "user.object"),
    ({"user__place": ("vset /object/{object}/location 90 80 0",)}, "user", "the user was put at", "lengths are cm"),
    ({"user__prepare": ("vbp {object} wake",)}, "user", "No handler found", "user.prepare"),
    ({"cameras__user": 7}, "camera 7", "there is no camera 7", "cameras.user"),
    ({"cameras__prepare": ("vset /camera/{camera}/fov 70",)}, "camera 0", "is 70 degrees wide", "cameras.prepare"),
    ({"tools__turn": None}, "turn", "names no function", "add tools.turn"),
    ({"tools__turn__function": "Spin"}, "turn", "No handler found", "change tools.turn"),
    ({"tools__move_forward__arguments": ("distance_m",)}, "move_forward", "takes centimetres", "tools.move_forward"),
    (
        {"tools__side_step__arguments": ("=right", "distance_cm")},
        "side_step",
        "in another direction",
        "tools.side_step",
    ),
    ({"tools__turn__arguments": ("=right", "angle_deg")}, "turn", "the other way", "tools.turn.arguments"),
    ({"tools__look_up_down__arguments": ("direction", "=0")}, "look_up_down", "not taken at all", "tools.look_up_down"),
    (
        {"images__depth__unit": "m"},
        "scene",
        "0% of the pixels",
        "set images.depth.unit to cm: what comes is 1e+02 times",
    ),
    ({"images__depth__kind": "radial"}, "scene", "of the pixels", ""),
    ({"images__mask__name": "lit"}, "colours", "is not seen to change its colour", "colors.probe"),
    ({"images__rgb__name": "colour"}, "pictures", "No handler found", "images"),
    ({"objects__color": "vset /object/{object}/paint {r} {g} {b}"}, "colours", "No handler found", "objects.color"),
]


@pytest.mark.parametrize(("changes", "subject", "detail", "fix"), STRANGE, ids=lambda value: str(value)[:40])
def test_what_does_not_fit_is_named_with_what_to_change(look, changes, subject, detail, fix):
    report = look(**changes)
    finding = found(report, subject)
    assert finding.state == "broken"
    assert detail in finding.detail
    assert fix in finding.fix
    assert not report.is_sound


def test_what_hangs_on_something_broken_is_skipped(look):
    report = look(objects__instance="SM_{id}")
    assert found(report, "colours") == Finding("colours", "skipped", "objects first")
    assert found(report, "scene").state == "skipped"
    assert found(report, "turn").state == "ok"


def test_nobody_there_is_one_finding(tiny_scene, short_folder):
    values = load_mapping("ours").model_dump(exclude_none=True)
    values["connection"] |= FAST | {"socket": str(short_folder / "none")}
    report = inspect(Mapping.model_validate(values), tiny_scene, SIZE, lambda step: None)
    assert found(report, "connection").state == "broken"
    assert "No such file" in found(report, "connection").detail
    assert {finding.state for finding in report.findings[1:]} == {"skipped"}


def test_a_mapping_of_another_scene_is_a_data_error(look):
    with pytest.raises(DataError, match="has no I9999"):
        look(objects__names={"I9999": "Milk"})


def test_an_engine_that_draws_colours_otherwise_is_told_from_one_that_loses_them(look, monkeypatch):
    """Gamma that keeps every colour apart is fine; steps of 128 are not."""
    keep = Palette.__setitem__

    def through(transfer: Callable[[int], int]) -> Callable[..., None]:
        return lambda self, id_, color: keep(self, id_, tuple(map(transfer, color)))

    monkeypatch.setattr(Palette, "__setitem__", through(lambda part: round(255 * (part / 255) ** 0.8)))
    monkeypatch.setattr("siturec_gym.renderers.unrealcv.server.commands.objects._color", lambda *_: "(R=0,G=0,B=0)")
    report = look()
    assert found(report, "colours").state == "ok"
    assert "otherwise than set, all different" in found(report, "colours").detail
    monkeypatch.setattr(Palette, "__setitem__", through(lambda part: part // 128 * 128))
    report = look()
    assert found(report, "colours").state == "broken"
    assert any(row.problem for row in report.colors)


def test_depth_from_the_centre_is_recognised(look, monkeypatch):
    image = Camera.image

    def from_the_centre(self: Camera, name: str, pose: Any) -> Any:
        drawn = image(self, name, pose)
        if name != "depth":
            return drawn
        height, width = drawn.shape
        across, up = (np.arange(width) + 0.5) / width * 2 - 1, (np.arange(height) + 0.5 - height / 2) / width * 2
        return drawn * np.sqrt(1 + across[None, :] ** 2 + up[:, None] ** 2).astype(np.float32)

    monkeypatch.setattr(Camera, "image", from_the_centre)
    finding = found(look(), "scene")
    assert finding.state == "broken"
    assert "images.depth.kind to radial" in finding.fix


def test_rows_name_what_is_too_close():
    paints = [Paint(number, f"P{number}", (), (50, 50, 50 * number)) for number in (1, 2, 3)]
    rows = rows_of(paints, [(10, 10, 10), (12, 10, 10), (1, 0, 1)], 1)
    assert [row.problem for row in rows] == ["P2", "P1", "the background"]
    assert [row.problem for row in rows_of(paints, [(10, 10, 10), (12, 10, 10), (1, 0, 1)], 0)] == ["", "", ""]


RED, BLUE, BLACK, ODD = (200, 20, 20), (20, 20, 200), (0, 0, 0), (90, 90, 90)


def mask_of(**pixels):
    """A mask of 1000 pixels; red but for those given by colour."""
    mask = np.full((20, 50, 3), RED, np.uint8)
    rows, start = mask.reshape(-1, 3), 0
    for name, count in pixels.items():
        rows[start : start + count] = globals()[name]
        start += count
    return mask


@pytest.mark.parametrize(
    ("pixels", "tolerance", "state", "detail"),
    [
        ({"BLUE": 400}, 0, "ok", "2 things in view"),
        ({"BLUE": 400, "BLACK": 100}, 0, "ok", "2 things in view"),
        ({"BLACK": 100}, 0, "ok", "1 thing in view"),
        ({"BLUE": 400, "ODD": 10}, 0, "ok", "2 things in view"),
        ({"BLUE": 400, "ODD": 11}, 0, "broken", "1% of it has colours of nothing, such as 90 90 90; 2 things in view"),
        ({"ODD": 1000}, 0, "broken", "100% of it has colours of nothing, such as 90 90 90; 0 things in view"),
        ({}, 0, "broken", "is one flat colour"),
        ({"BLACK": 1000}, 0, "broken", "is one flat colour"),
    ],
)
def test_a_mask_has_colours_of_things_and_more_than_one(pixels, tolerance, state, detail):
    finding = mask_finding(mask_of(**pixels), {RED, BLUE}, tolerance)
    assert (finding.subject, finding.state, finding.detail) == ("mask", state, detail)
    assert ("images.mask" in finding.fix) == (state == "broken")


@pytest.mark.parametrize(("tolerance", "state"), [(1, "broken"), (2, "ok")])
def test_colours_of_a_mask_may_be_off_by_the_tolerance(tolerance, state):
    mask = mask_of(BLUE=400)
    mask[..., 1] += 2
    assert mask_finding(mask, {RED, BLUE}, tolerance).state == state
