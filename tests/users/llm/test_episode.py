"""Whole episodes with the shopper that a model plays."""

import dataclasses
import json
import random
from types import ModuleType
from typing import Any

import pytest

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.core.errors import DeterministicModelError
from siturec_gym.core.records import to_json
from siturec_gym.evaluation.episode import play
from siturec_gym.llm.messages import ChatReply
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.policies import make_assistant
from siturec_gym.tasks import TaskBank, load_task_bank

STORES = pytest.mark.parametrize("store", [supermarket_v0, home_furnishings_v0])
TEXT_ONLY = RoleSettings(images=0)


def played(store: ModuleType, user: Any, number: int = 0, seed: int = 11, **options: Any) -> Any:
    env = store.env(images=False, **options)
    task = load_task_bank(env.unwrapped.scene.name)[number].id
    return play(env, make_assistant("heuristic"), user, task, seed)


@STORES
def test_a_shopper_who_plays_well_buys_and_is_not_blamed(store: ModuleType, player: Any) -> None:
    records = [played(store, player(settings=TEXT_ONLY), number) for number in range(0, 12, 3)]
    assert {record.status for record in records} == {"complete"}
    assert any(record.cart for record in records)
    flags = [flag for record in records for turn in record.turns for flag in turn.flags if flag.startswith("user_")]
    assert flags == []


@STORES
def test_it_plays_as_the_shopper_whose_words_the_model_says(store: ModuleType, player: Any) -> None:
    from siturec_gym.users import make_user

    through_model = played(store, player(settings=TEXT_ONLY))
    assert to_json(through_model) == to_json(played(store, make_user("agenda")))


def test_equal_answers_give_equal_episodes_byte_for_byte(player: Any) -> None:
    def noisy(number: int, answer: str) -> str:
        return answer if random.Random(number).random() > 0.3 else "..."

    first, second = (player(noisy, settings=TEXT_ONLY) for _ in range(2))
    assert to_json(played(supermarket_v0, first)) == to_json(played(supermarket_v0, second))
    assert first.requests == second.requests


def test_an_invalid_turn_is_silent_and_the_episode_goes_on(player: Any) -> None:
    record = played(
        supermarket_v0, player(lambda number, answer: "" if 3 <= number < 6 else answer, settings=TEXT_ONLY)
    )
    lost = record.turns[3]
    assert (lost.user.utterance, str(lost.user.tool_requested.tool)) == ("", "idle")
    assert {"user_invalid_reply", "user_empty_reply"} <= set(lost.flags)
    assert record.status == "complete"
    assert len(record.turns) > 4


def test_spoken_labels_are_masked_and_flagged_once_by_the_environment(player: Any) -> None:
    def pointing(_: int, answer: str) -> str:
        return json.dumps(json.loads(answer) | {"utterance": "Do you mean the shelf AA over there?"})

    record = played(supermarket_v0, player(pointing, settings=TEXT_ONLY))
    assert {turn.flags.count("user_spoke_handle") for turn in record.turns} == {1}
    assert not [turn for turn in record.turns if "AA" in turn.user.utterance]


def test_reasoning_is_kept_with_the_turn_and_told_to_nobody(player: Any) -> None:
    user = player(lambda _, answer: ChatReply(answer, reasoning="SECRET THOUGHT"), settings=TEXT_ONLY)
    record = played(supermarket_v0, user)
    assert {turn.reasoning["user"] for turn in record.turns} == {"SECRET THOUGHT"}
    said = json.dumps([[turn.user.utterance, turn.assistant.utterance] for turn in record.turns])
    assert "SECRET" not in said + "".join(m.text for request in user.requests for m in request.messages)


@pytest.fixture
def secrets(plant_canaries: Any) -> Any:
    """A bank of one task with canaries in its private texts, and settings as they can be."""

    def build(store: ModuleType) -> TaskBank:
        scene = store.raw_env(images=False).scene
        bank = plant_canaries(scene.name, target="P001", reference_set=("P001",))
        shipped = load_task_bank(scene.name)
        profile = dataclasses.replace(
            bank.profiles[0], settings=shipped.profiles[0].settings, big_five=shipped.profiles[0].big_five
        )
        goal = dataclasses.replace(
            bank[0].goal, budget_tier="strict", disclosure=("category", "use", "budget", "unwanted", "needs"),
            acceptance={"substitutes": False, "explanations": 1, "rejection": "reason"},
        )  # fmt: skip
        return TaskBank(bank.scene, (profile,), (dataclasses.replace(bank[0], goal=goal),))

    return build


@STORES
def test_the_model_is_told_the_private_texts_and_the_assistant_is_not(
    store: ModuleType, secrets: Any, player: Any, texts_of: Any
) -> None:
    bank = secrets(store)
    silent = json.dumps({"utterance": "Hm.", "call": {"tool": "idle"}})
    user = player(lambda _, __: silent, settings=TEXT_ONLY)
    heard: list[Any] = []

    class Overheard:
        """The heuristic assistant, with all that it is given kept."""

        def __init__(self) -> None:
            self._inner = make_assistant("heuristic")
            self.initial_state = self._inner.initial_state

        def step(self, observation: Any, state: Any) -> Any:
            heard.append(observation)
            return self._inner.step(observation, state)

    env = store.env(images=False, tasks=bank)
    record = play(env, Overheard(), user, bank[0].id, 3)
    assert record.status == "complete"
    prompt = "".join(message.text for message in user.requests[0].messages)
    profile, goal = bank.profiles[0], bank[0].goal
    for secret in (profile.persona, profile.theme, *profile.priorities, *profile.context.values(), goal.request,
                   goal.use, *goal.unwanted_labels, "$987124"):  # fmt: skip
        assert str(secret) in prompt
    assert len(heard) == len(record.turns)
    assert "CANARY" not in texts_of(heard)
    assert "98712" not in texts_of(heard)


@STORES
def test_the_error_of_a_failing_model_does_not_tell_the_assistant_private_texts(
    store: ModuleType, secrets: Any, player: Any, texts_of: Any
) -> None:
    bank = secrets(store)

    def failing(_: int, __: str) -> Exception:
        return DeterministicModelError(f"cannot take the prompt: {bank[0].goal.request} {bank.profiles[0].persona}")

    env = store.gym_env(images=False, tasks=bank, user=player(failing, settings=TEXT_ONLY))
    given = [env.reset(seed=1)]
    env.action_space.seed(1)
    given.append(env.step(env.action_space.sample(given[0][1]["action_mask"])))
    *_, terminated, truncated, info = given[-1]
    assert terminated or truncated
    assert info["error"] == "the simulated user gave no action: DeterministicModelError"
    assert "CANARY" not in texts_of(given)
    assert "CANARY" in str(env.episode_record().error)


@STORES
def test_it_lives_inside_the_gymnasium_form_and_its_flags_reach_the_record(store: ModuleType, player: Any) -> None:
    def boasting(_: int, answer: str) -> str:
        return json.dumps(json.loads(answer) | {"utterance": "How can I help you?"})

    env = store.gym_env(images=False, user=player(boasting, settings=TEXT_ONLY))
    observation, _ = env.reset(seed=4)
    assistant = make_assistant("heuristic")
    state, over = assistant.initial_state(4), False
    while not over:
        action, state = assistant.step(observation, state)
        observation, _, terminated, truncated, info = env.step(env.encode_action(action))
        over = terminated or truncated
    assert {turn.flags.count("user_role_inversion") for turn in env.episode_record().turns} == {1}
    assert "user_role_inversion" not in json.dumps(info, default=str)


def test_an_episode_goes_on_from_a_snapshot_as_it_would_have(player: Any) -> None:
    env = supermarket_v0.gym_env(images=False, user=player(settings=TEXT_ONLY))
    assistant = make_assistant("heuristic")
    observation, _ = env.reset(seed=9)
    state = assistant.initial_state(9)
    for _ in range(3):
        action, state = assistant.step(observation, state)
        observation, *_ = env.step(env.encode_action(action))
    snapshot, records = env.get_state(), []
    for _ in range(2):
        env.set_state(snapshot)
        seen, own, over = observation, state, False
        while not over:
            action, own = assistant.step(seen, own)
            seen, _, terminated, truncated, _ = env.step(env.encode_action(action))
            over = terminated or truncated
        records.append(to_json(env.episode_record()))
    assert records[0] == records[1]
