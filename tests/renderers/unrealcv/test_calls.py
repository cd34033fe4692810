"""What Blueprint functions answer: our server's JSON, and the outputs of a function as UnrealCV's plugin sends them."""

import pytest

from siturec_gym.core.pose import Pose
from siturec_gym.renderers.unrealcv.calls import RefusedError, outcome_of
from siturec_gym.renderers.unrealcv.mapping import Function

MOVE = Function(function="MoveTo")


@pytest.mark.parametrize(
    "reply",
    [
        '{"pose": [150, -200, 160, -5, 90, 0], "ok": true, "refusal": null}',
        '{"ok": "true", "pose": "150 -200 160 -5 90 0", "refusal": ""}',
        '{"OK": "1", "Pose": "150.000 -200.000 160.000 -5.000 90.000 0.000", "Refusal": ""}',
        '{"pose": "150 -200 160 -5 90 0"}',
    ],
)
def test_a_movement_that_was_made(reply):
    assert outcome_of(reply, MOVE) == Pose(1.5, 2.0, -90.0, -5.0)


@pytest.mark.parametrize(
    "reply",
    [
        '{"pose": [0, 0, 0, 0, 0, 0], "ok": false, "refusal": "no_route"}',
        '{"Ok": "false", "Pose": "0 0 0 0 0 0", "Refusal": "no_route"}',
        '{"ok": "0", "pose": "", "refusal": "no_route"}',
    ],
)
def test_one_that_was_refused(reply):
    outcome = outcome_of(reply, MOVE)
    assert isinstance(outcome, RefusedError)
    assert str(outcome) == "no_route"


@pytest.mark.parametrize(
    "reply",
    ["ok", "[1]", "{}", '{"pose": 3}', '{"pose": "1 2 3"}', '{"ok": "", "pose": "0 0 0 0 0 0"}'],
    ids=["no JSON", "no object", "no pose", "a number", "three numbers", "an output of a kind that is not sent"],
)
def test_what_cannot_be_an_answer(reply):
    with pytest.raises(ValueError, match=r"expect|Expecting"):
        outcome_of(reply, MOVE)


def test_where_the_pose_is_asked_for_the_answer_does_not_matter():
    assert outcome_of("ok", Function(function="Turn", result="pose")) is None
