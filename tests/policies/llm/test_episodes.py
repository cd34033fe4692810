"""Whole episodes of an assistant that is a model, in both stores and both forms of the environment."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import prompt_reader
import pytest
from dictated import Dictated, valid
from schema_reply import reply_to

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.evaluation.episode import play
from siturec_gym.llm import ChatReply, ChatRequest, ScriptedClient
from siturec_gym.llm.chat_form import request_body
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.structured import Asker
from siturec_gym.policies import make_assistant
from siturec_gym.policies.llm import LLMAssistant
from siturec_gym.situated_store import SituatedStore
from siturec_gym.users import make_user

FACADES = {"supermarket": supermarket_v0, "home_furnishings": home_furnishings_v0}
SOLD = (
    "supermarket/01.2", "supermarket/03.4", "supermarket/05.3",
    "home_furnishings/01.2", "home_furnishings/03.2", "home_furnishings/05.4",
)  # fmt: skip
GENEROUS = RoleSettings(utterance_chars=512, reason_chars=256)


@pytest.fixture(scope="module")
def envs() -> dict[str, Any]:
    return {name: facade.env(images=False) for name, facade in FACADES.items()}


def by_chance(request: ChatRequest) -> ChatReply:
    """What a model without any sense answers under a guided decoder."""
    chance = random.Random(len(request.messages[1].text))
    return ChatReply(reply_to(dict(request.schema or {}), chance))


@pytest.mark.parametrize("task", SOLD)
def test_one_who_knows_nothing_but_the_prompt_sells_what_was_looked_for(envs: dict[str, Any], task: str) -> None:
    assistant = LLMAssistant(Asker(ScriptedClient(valid(prompt_reader.reply))))
    record = play(envs[task.partition("/")[0]], assistant, make_user("agenda"), task, 0)
    assert record.end_reason == "success_cart_added"
    assert set(record.cart) <= set(record.reference_set)
    assert not {flag for turn in record.turns for flag in turn.flags}


@pytest.mark.parametrize("task", ["supermarket/02.1", "home_furnishings/02.1"])
def test_what_a_model_is_told_to_say_is_what_happens(envs: dict[str, Any], task: str) -> None:
    env = envs[task.partition("/")[0]]
    plain = play(env, make_assistant("heuristic"), make_user("agenda"), task, 0)
    dictated = play(env, Dictated(), make_user("agenda"), task, 0)
    assert dictated.cart
    assert [turn.user for turn in dictated.turns] == [turn.user for turn in plain.turns]
    assert [turn.assistant for turn in dictated.turns] == [turn.assistant for turn in plain.turns]


@pytest.mark.parametrize("ablation", [None, "without_egocentric_view", "without_view_and_caption"])
@pytest.mark.parametrize("scene", FACADES)
def test_even_a_model_without_sense_gives_no_invalid_turn(scene: str, ablation: str | None) -> None:
    env = FACADES[scene].env(images=False, ablation=ablation)
    for number in range(3):
        client = ScriptedClient(by_chance)
        record = play(env, LLMAssistant(Asker(client)), make_user("agenda"), env.unwrapped.tasks[number].id, number)
        assert record.status == "complete"
        assert len(client.requests) == len(record.turns), "no reply was asked for again"
        flags = {flag for turn in record.turns for flag in turn.flags}
        assert not flags & {"assistant_invalid_reply", "no_expected_user_action", "navigation_names_no_goal"}


def test_a_store_of_your_own_is_told_and_played_like_the_shipped_ones() -> None:
    folder = Path(__file__).resolve().parents[3] / "examples" / "custom_scene" / "museum"
    env = SituatedStore(folder, renderer_config={"light": "plain"}).env(images=False)
    client = ScriptedClient(by_chance)
    record = play(env, LLMAssistant(Asker(client)), make_user("agenda"), env.unwrapped.tasks[0].id, 0)
    assert record.status == "complete"
    assert len(client.requests) == len(record.turns)
    text = client.requests[0].messages[0].text
    for entity in (*env.unwrapped.scene.catalog, *env.unwrapped.scene.navigation_targets):
        assert entity.name in text


def test_turns_without_a_usable_reply_are_in_the_record_and_the_episode_goes_on(envs: dict[str, Any]) -> None:
    answers = [ChatReply("no", reasoning="hm")] * 3 + [ChatReply("", finish_reason="refusal")] * 3
    client = ScriptedClient([*answers, *["no"] * 60])
    record = play(envs["supermarket"], LLMAssistant(Asker(client)), make_user("agenda"), "supermarket/01.1", 0)
    assert record.status == "complete"
    assert all("assistant_invalid_reply" in turn.flags for turn in record.turns)
    assert {turn.assistant.utterance for turn in record.turns} == {"..."}
    assert all(turn.assistant.expected_user_action is None for turn in record.turns)
    assert record.turns[0].reasoning == {"assistant": "hm"}


def test_the_same_seed_gives_the_same_requests_byte_for_byte() -> None:
    def sent(seed: int) -> list[str]:
        client = ScriptedClient(by_chance)
        env = supermarket_v0.env(image_size=(160, 120))
        assistant = LLMAssistant(Asker(client), RoleSettings(images=2))
        play(env, assistant, make_user("agenda"), "supermarket/01.2", seed)
        return [json.dumps(request_body("m", request)) for request in client.requests]

    first = sent(3)
    assert first == sent(3)
    assert "data:image/png;base64," in first[0]
    assert first != sent(4)


def test_it_plays_the_gymnasium_form() -> None:
    env = gymnasium.make("SituRec-Supermarket-v0", images=False)
    observation, _ = env.reset(seed=0, options={"task": "supermarket/01.2"})
    assistant = LLMAssistant(Asker(ScriptedClient(prompt_reader.reply)))
    state, over, info = assistant.initial_state(0), False, {}
    while not over:
        action, state = assistant.step(observation, state)
        observation, _, terminated, truncated, info = env.step(env.unwrapped.encode_action(action))
        over = terminated or truncated
    assert info["episode_metrics"]["SR"] == 100.0


def test_without_static_observations_it_says_what_is_missing_and_plays_when_told() -> None:
    env = gymnasium.make("SituRec-Supermarket-v0", images=False, static_observations=False)
    observation, info = env.reset(seed=0)
    assistant = LLMAssistant(Asker(ScriptedClient(prompt_reader.reply)))
    with pytest.raises(ValueError, match="needs catalog and location_index in its observation"):
        assistant.step(observation, assistant.initial_state(0))
    action, _ = assistant.step(observation | info["static_observations"], assistant.initial_state(0))
    assert action.act == "Greet"


def test_the_state_goes_through_other_processes(envs: dict[str, Any]) -> None:
    import pickle

    env = envs["supermarket"]
    env.reset(seed=0)
    assistant = LLMAssistant(Asker(ScriptedClient(by_chance)))
    _, state = assistant.step(env.observe("assistant"), assistant.initial_state(1))
    assert pickle.loads(pickle.dumps(state)) == state
    assert replace(state, seed=2) != state
