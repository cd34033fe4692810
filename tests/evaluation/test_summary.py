"""What a summary hands to the metrics."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from siturec_gym.core.actions import Navigation, ToolCall
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, TurnRecord, UserRecord, ViewRecord
from siturec_gym.evaluation.summary import make_summary

IDLE = ToolCall("idle")


@pytest.mark.parametrize(("kind", "visible"), [("fixture", 0.0), ("area", 100.0)])
def test_products_make_an_area_visible_and_no_fixture(
    tiny_scene: Any, make_record: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, kind: str, visible: float
) -> None:
    """P001 stands at F01 and is in view; F01 itself is not (C.1, Cumulative Goal Visibility)."""
    places = tuple(replace(place, kind=kind) for place in tiny_scene.navigation_targets)
    scene = replace(tiny_scene, navigation_targets=places)
    monkeypatch.setattr("siturec_gym.scenes.load_scene", lambda name: scene)
    said = AssistantRecord("Over there.", "Navigate", None, Navigation("F01"), IDLE, ())
    view = ViewRecord((), ("P001",), Pose(1.0, 1.0, 0.0))
    episode = make_record(turns=(TurnRecord(0, view, said, UserRecord("Okay.", IDLE, IDLE)),))
    figure = make_summary("SituRec-Supermarket-v0", [episode])["metrics"]["CGV_0"]
    assert figure == {"value": visible, "sd": None, "n": 1, "convention": "event-pooled"}
