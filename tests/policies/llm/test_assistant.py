"""The assistant as a policy: what it sends, what it makes of answers, and what it carries from turn to turn."""

import itertools
import json
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.actions import AssistantAction
from siturec_gym.core.errors import ContextOverflowError, TransientModelError
from siturec_gym.core.policy import Remarks
from siturec_gym.llm import ChatReply, Decoding, ImagePart
from siturec_gym.llm.roles.context import estimated_tokens
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.policies.llm.reply import silent_action

GREETING = json.dumps({
    "ranking": ["P001"], "action": {"act": "Greet"}, "expected_user_action": {"tool": "idle"},
    "utterance": "Hello there!", "tool_calls": [],
})  # fmt: skip


@pytest.fixture
def observation(seen_moments: Any) -> dict[str, Any]:
    return dict(seen_moments["supermarket"][0].observation)


@pytest.fixture
def pictured(observation: dict[str, Any]) -> Any:
    """The observation of a turn with pictures, each turn's view of another shade."""

    def at(turn: int) -> dict[str, Any]:
        view = np.full((240, 320, 3), 10 * turn, np.uint8)
        pictures = {"som_image": view, "rgb": view, "map_image": np.full((360, 480, 3), 200, np.uint8)}
        return observation | pictures | {"turn": turn}

    return at


def images(request: Any) -> list[ImagePart]:
    return [part for message in request.messages for part in message.parts if isinstance(part, ImagePart)]


def test_an_answer_becomes_an_action_and_its_reasoning_a_remark(make_llm: Any, observation: dict[str, Any]) -> None:
    assistant, client = make_llm([ChatReply(GREETING, reasoning="They just came in.")])
    action, state = assistant.step(observation, assistant.initial_state(5))
    assert (action.utterance, action.act) == ("Hello there!", "Greet")
    assert state.remarks == Remarks(reasoning="They just came in.")
    assert client.requests == [assistant.request(observation, assistant.initial_state(5))]


def test_the_model_is_shown_what_was_wrong(make_llm: Any, observation: dict[str, Any]) -> None:
    wrong = GREETING.replace('"idle"', '"pick_up_item", "target": "Q"')
    assistant, client = make_llm([wrong, GREETING])
    action, state = assistant.step(observation, assistant.initial_state(5))
    assert action.act == "Greet"
    assert state.remarks.flags == ()
    told = client.requests[1].messages[-1].text
    assert "expected_user_action: tool 'pick_up_item' cannot be called now" in told
    assert client.requests[1].messages[-2].text == wrong


def test_without_a_usable_reply_the_turn_is_silent_and_flagged(
    make_llm: Any, observation: dict[str, Any], seen_moments: Any
) -> None:
    assistant, _ = make_llm(["no", "", ChatReply("never", reasoning="hm")])
    action, state = assistant.step(observation, assistant.initial_state(5))
    assert action == silent_action() == AssistantAction("...", "Explain")
    assert state.remarks == Remarks(("assistant_invalid_reply",), "hm")
    env = seen_moments["supermarket"][0].env
    assert env.action_space("assistant").contains(env.encode_action("assistant", action))


def test_a_flag_of_one_turn_is_not_kept_for_the_next(make_llm: Any, observation: dict[str, Any]) -> None:
    assistant, _ = make_llm(["no", "no", "no", GREETING])
    _, state = assistant.step(observation, assistant.initial_state(5))
    _, state = assistant.step(observation | {"turn": 1}, state)
    assert state.remarks == Remarks()


def test_a_model_that_is_down_is_an_error(make_llm: Any, observation: dict[str, Any]) -> None:
    assistant, _ = make_llm([TransientModelError("down")])
    with pytest.raises(TransientModelError):
        assistant.step(observation, assistant.initial_state(5))


def test_the_request_carries_seed_trial_and_settings(make_llm: Any, observation: dict[str, Any]) -> None:
    assistant, _ = make_llm(decoding=Decoding(temperature=0.7))
    request = assistant.request(observation, assistant.initial_state(5))
    assert (request.seed, request.trial, request.decoding.temperature) == (5, 0, 0.7)
    other = LLMAssistant(assistant._asker, trial=3)
    assert other.request(observation, other.initial_state(6)).trial == 3


@pytest.mark.parametrize(("kept", "turns"), [(1, [2]), (2, [1, 2]), (5, [0, 1, 2])])
def test_the_last_views_are_sent_oldest_first_and_the_map_once(
    make_llm: Any, pictured: Any, kept: int, turns: list[int]
) -> None:
    assistant, _ = make_llm(images=kept)
    state = assistant.initial_state(5)
    for turn in range(2):
        state = assistant.seen(pictured(turn), state)
    request = assistant.request(pictured(2), state)
    captions = [part.text.strip() for part in request.messages[1].parts[1:-1] if not isinstance(part, ImagePart)]
    assert captions == [
        *(f"The view at the start of turn {turn}:" for turn in turns[:-1]), "The map now:", "The view now:"
    ]  # fmt: skip
    assert len(set(images(request))) == kept + 1 if kept < 3 else 4


@pytest.mark.parametrize(
    ("settings", "count", "view", "layout"),
    [({}, 2, True, True), ({"map_image": False}, 1, True, False), ({"images": 0}, 0, False, False)],
)
def test_pictures_are_spoken_of_exactly_when_they_are_sent(
    make_llm: Any, pictured: Any, settings: dict[str, Any], count: int, view: bool, layout: bool
) -> None:
    assistant, _ = make_llm(**settings)
    request = assistant.request(pictured(0), assistant.initial_state(5))
    rules = request.messages[0].text
    assert len(images(request)) == count
    assert ("The picture of the view shows" in rules) is view
    assert ("The picture of the map shows" in rules) is layout


def test_what_never_changes_comes_first_and_the_conversation_only_grows(seen_moments: Any, make_llm: Any) -> None:
    assistant, _ = make_llm()
    for moments in seen_moments.values():
        episode = [moments[0], *itertools.takewhile(lambda moment: moment.observation["turn"], moments[1:])]
        asked = [assistant.request(moment.observation, assistant.initial_state(1)).messages for moment in episode]
        assert len({messages[0].text for messages in asked}) == 1
        histories = [messages[1].parts[0].text for messages in asked]
        assert len(histories) > 3
        for before, after in itertools.pairwise(histories[1:]):
            assert after.startswith(before)


def test_a_small_context_loses_pictures_first_and_then_says_so(make_llm: Any, pictured: Any) -> None:
    reply = Decoding(max_tokens=512)
    whole = make_llm(images=3, decoding=reply)[0]
    state = whole.initial_state(5)
    for turn in range(2):
        state = whole.seen(pictured(turn), state)
    request = whole.request(pictured(2), state)
    needed = estimated_tokens(request.messages) + 512
    kept = images(request)
    one_less = make_llm(images=3, decoding=reply, context_tokens=needed - 1)[0].request(pictured(2), state)
    assert images(one_less) == kept[1:]
    with pytest.raises(ContextOverflowError, match="without pictures; a context of 8000 leaves 7488"):
        make_llm(images=3, decoding=reply, context_tokens=8000)[0].step(pictured(2), state)


def test_a_whole_episode_fits_well_into_32k(make_llm: Any, pictured: Any) -> None:
    """Twenty turns of long sentences in the larger of the two catalogues, two pictures and a reply of 2048 tokens."""
    entries = []
    for turn in range(20):
        entries.append({"turn": turn, "role": "assistant", "utterance": "word " * 60})
        done = {"tool": "move_to_fixture", "arguments": {"approach": "front"}, "target_name": "Milk", "refusal": None}
        entries.append({"turn": turn, "role": "user", "utterance": "word " * 40} | done)
    history = "\n".join(json.dumps(entry) for entry in entries)
    assistant, _ = make_llm(context_tokens=32_768)
    request = assistant.request(pictured(19) | {"history": history}, assistant.initial_state(5))
    assert len(images(request)) == 2
    assert estimated_tokens(request.messages) < 32_768 - 2048 - 1000
