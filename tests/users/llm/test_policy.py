"""Turns of the shopper that a model plays: good replies, bad ones, and what is remarked about them."""

import json
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.actions import ToolCall, UserAction
from siturec_gym.core.errors import ContextOverflowError, TransientModelError
from siturec_gym.llm.messages import ChatReply, ImagePart
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.users.llm import LLMUser, describe

SILENT = UserAction("", ToolCall("idle"))
GOOD = ("Some milk for my coffee, please.",)
REFUSED = ChatReply("", finish_reason="content_filter")


def step(user: LLMUser, observation: dict[str, Any]) -> tuple[UserAction, tuple[str, ...]]:
    action, state = user.step(observation, user.initial_state(3))
    return action, state.remarks.flags


def test_a_good_reply_is_what_is_said_and_done(observe: Any, answering: Any) -> None:
    action, flags = step(answering(GOOD), observe("milk"))
    assert (action.utterance, action.call, flags) == (GOOD[0], ToolCall("idle"), ())


@pytest.mark.parametrize("bad", ["", REFUSED, ChatReply("I can't help with that.", finish_reason="refusal")])
def test_an_empty_or_refused_completion_is_asked_for_again(observe: Any, answering: Any, bad: Any) -> None:
    action, flags = step(answering(bad, GOOD), observe("milk"))
    assert action.utterance == GOOD[0]
    assert flags == ("user_empty_reply",)


@pytest.mark.parametrize("bad", ["", REFUSED])
def test_three_of_them_are_an_invalid_turn(observe: Any, answering: Any, bad: Any) -> None:
    assert step(answering(bad, bad, bad, GOOD), observe("milk")) == (
        SILENT,
        ("user_invalid_reply", "user_empty_reply"),
    )


def test_three_unusable_replies_are_an_invalid_turn_that_is_not_called_empty(observe: Any, answering: Any) -> None:
    bad = ("Mine!", "add_to_cart")
    assert step(answering(bad, "{", "no", GOOD), observe("milk")) == (SILENT, ("user_invalid_reply",))


def test_the_model_is_told_what_was_wrong(observe: Any, answering: Any) -> None:
    user = answering(("Mine!", "add_to_cart"), GOOD)
    step(user, observe("milk"))
    again = user._asker.client.requests[1].messages[-1].text
    assert "inspect a product before you buy it" in again


def test_what_the_ledger_notices_is_remarked(observe: Any, answering: Any) -> None:
    greedy = ("Lactose-free milk for $3. How can I help you? My persona is shy.",)
    assert step(answering(greedy), observe("milk"))[1] == (
        "user_two_details",
        "user_leaked_profile",
        "user_role_inversion",
    )


def test_reasoning_goes_to_the_remarks_alone(observe: Any, answering: Any) -> None:
    text = json.dumps({"utterance": "Hm.", "call": {"tool": "idle"}})
    user = answering(ChatReply(text, reasoning="They want $3."))
    action, state = user.step(observe("milk"), user.initial_state(0))
    assert (action.utterance, state.remarks.reasoning) == ("Hm.", "They want $3.")


def test_remarks_are_of_the_last_turn_alone(observe: Any, answering: Any) -> None:
    user = answering("", GOOD, ("Three dollars.",))
    _, state = user.step(observe("milk"), user.initial_state(0))
    assert state.remarks.flags
    assert user.step(observe("milk", "Budget?", (("Hi!", GOOD[0]),)), state)[1].remarks.flags == ()


def test_a_model_that_fails_is_no_invalid_turn(observe: Any, answering: Any) -> None:
    user = answering(TransientModelError("the endpoint is gone"))
    with pytest.raises(TransientModelError, match="gone"):
        step(user, observe("milk"))


def test_what_is_sent_is_what_request_shows(observe: Any, answering: Any) -> None:
    user, observation = answering(GOOD, trial=2), observe("milk")
    shown = user.request(observation, user.initial_state(7))
    user.step(observation, user.initial_state(7))
    assert user._asker.client.requests == [shown]
    assert (shown.seed, shown.trial) == (7, 2)


def test_the_last_views_are_sent_and_no_more(observe: Any, answering: Any) -> None:
    user = answering(GOOD, GOOD, GOOD, settings=RoleSettings(images=2, image_side=None))
    state = user.initial_state(0)
    for turn in range(3):
        view = np.full((30, 40, 3), turn, np.uint8)
        seen = observe("milk", "Hm?", (("a", "b"),) * turn) | {"rgb": view, "som_image": view + 100}
        _, state = user.step(seen, state)
    counts = [
        sum(isinstance(part, ImagePart) for message in request.messages for part in message.parts)
        for request in user._asker.client.requests
    ]
    assert counts == [1, 2, 2]


def test_on_text_alone_no_view_is_sent(observe: Any, answering: Any) -> None:
    user = answering(GOOD, settings=RoleSettings(images=0))
    seen = observe("milk") | {"rgb": np.zeros((30, 40, 3), np.uint8)}
    assert not [p for m in user.request(seen, user.initial_state(0)).messages for p in m.parts if hasattr(p, "data")]


def test_a_context_that_is_too_short_is_an_overflow(observe: Any, answering: Any) -> None:
    with pytest.raises(ContextOverflowError):
        step(answering(GOOD, settings=RoleSettings(context_tokens=1024)), observe("milk"))


def test_the_description_changes_with_whatever_changes_the_replies() -> None:
    plain = describe(RoleSettings())
    assert plain == describe(RoleSettings())
    assert plain["decoding"]["temperature"] == 0.0
    for settings in (RoleSettings(images=0), RoleSettings(utterance_chars=100)):
        assert describe(settings)["prompt_hash"] != plain["prompt_hash"]
    json.dumps(plain)
