"""Actions go out and observations come in by a role's own handles, and no id reaches it (S14)."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from siturec_gym import supermarket_v0
from siturec_gym.core.actions import UNKNOWN, AssistantAction, Navigation, Recommendation, ToolCall, UserAction
from siturec_gym.core.legality import legal_actions
from siturec_gym.core.records import to_json
from siturec_gym.core.text import parse_lines
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user
from siturec_gym.wrappers.role_handles import RoleHandles

ENTITY = re.compile(r"\b(?:F\d\d|I\d{4}|S\d|X\d+)\b")
PRODUCT = re.compile(r"\bP\d{3}\b")
IDLE = ToolCall("idle")


@pytest.fixture
def env(make_env: Callable[..., Any]) -> RoleHandles:
    """A running episode of the tiny store; places F01 and F02, products P001 to P005, at most four in view."""
    built = RoleHandles(make_env())
    built.reset(seed=0, options={"task": "tiny/01.1"})
    return built


@pytest.fixture(scope="module")
def store() -> Iterator[RoleHandles]:
    built = RoleHandles(supermarket_v0.raw_env(images=False))
    yield built
    built.close()


def marks(env: Any, role: str) -> list[dict[str, Any]]:
    return list(parse_lines(env.observe(role)["marks"]))


def handle(env: Any, role: str, name: str) -> str:
    return str(next(mark["handle"] for mark in marks(env, role) if mark["name"] == name))


def test_both_maps_name_the_same_entities(env: RoleHandles) -> None:
    raw = marks(env.unwrapped, "user")
    for role, places, products in (("assistant", "1 2", "ABCDE"), ("user", "AA AB", "12345")):
        own = marks(env, role)
        for line, mine in zip(raw, own, strict=True):
            assert {**line, "handle": mine["handle"]} == mine
        assert [mark["handle"] for mark in own if mark["kind"] == "fixture"] == places.split()
        named = [mark["handle"] for mark in own if mark["kind"] == "product"]
        assert named == list(products[: len(named)])
        assert len(named) > 1


def test_the_array_and_the_text_agree(env: RoleHandles) -> None:
    for role in env.possible_agents:
        observation = env.observe(role)
        words = env._stores[role].words.target
        codes = observation["marks_array"][: len(marks(env, role)), 1].astype(int).tolist()
        assert [words.names[code] for code in codes] == [mark["handle"] for mark in marks(env, role)]
        assert env.observation_space(role).contains(observation)
        assert not observation["marks_array"][len(codes) :].any()


def test_targets_come_in_by_own_handles(env: RoleHandles, play_turn: Callable[..., None]) -> None:
    shelf = handle(env, "assistant", "Milk Shelf")
    expected = ToolCall("move_to_fixture", target=shelf, approach="front")
    goal = Navigation(handle(env, "assistant", "Soup Shelf"), next_waypoint="W02")
    action = AssistantAction("This way, please.", "Navigate", expected, navigation=goal, ranking=("P003", "P001"))
    call = ToolCall("move_to_fixture", target=handle(env, "user", "Milk Shelf"), approach="front")
    play_turn(env, call, action)
    turn = env.episode_record().turns[0]
    assert turn.assistant.expected_user_action == replace(expected, target="F01")
    assert turn.assistant.navigation == Navigation("F02", "W02")
    assert turn.assistant.ranking == ("P003", "P001")
    assert turn.user.tool_executed == replace(call, target="F01")
    assert turn.user.refusal is None


def test_products_are_numbered_by_the_current_view(env: RoleHandles, play_turn: Callable[..., None]) -> None:
    play_turn(env, ToolCall("move_to_fixture", target="AA", approach="front"))
    milk = handle(env, "user", "Alder Lactose-Free Milk 1 L")
    play_turn(env, ToolCall("pick_up_item", target=milk))
    assert env.episode_record().turns[1].user.tool_executed.target == "P002"
    assert env.episode_record().turns[1].user.refusal is None


@pytest.mark.parametrize("target", ["C", "F01", "P001", "99", "1a", ""])
def test_a_handle_of_nobody_or_of_the_other_side_is_unknown(
    env: RoleHandles, play_turn: Callable[..., None], target: str
) -> None:
    play_turn(env, ToolCall("pick_up_item", target=target))
    user = env.episode_record().turns[0].user
    assert (user.tool_requested.target, user.refusal) == (UNKNOWN, "unknown_target")


def test_a_product_that_left_the_view_has_no_handle(env: RoleHandles) -> None:
    shown = sum(mark["kind"] == "product" for mark in marks(env, "user"))
    last = env.encode_action("user", UserAction("", ToolCall("pick_up_item", target=str(shown))))
    beyond = env.encode_action("user", UserAction("", ToolCall("pick_up_item", target=str(shown + 1))))
    unknown = env.unwrapped.encode_action("user", UserAction("", ToolCall("pick_up_item", target="?")))["target"]
    if shown < 5:
        assert env._action("user", beyond)["target"] == unknown
    assert env._action("user", last)["target"] != unknown


@pytest.mark.parametrize("role", ["assistant", "user"])
def test_records_survive_the_spaces_in_both_directions(env: RoleHandles, role: str) -> None:
    call = ToolCall("move_to_fixture", target=handle(env, role, "Milk Shelf"), approach="nearest")
    action: Any = UserAction("Right away.", call)
    if role == "assistant":
        action = AssistantAction("This way.", "Recommend", call, Recommendation("P002", "Milk", True, "fresh"))
    encoded = env.encode_action(role, action)
    assert env.action_space(role).contains(encoded)
    assert env.decode_action(role, encoded) == action
    with pytest.raises(ValueError, match=r"got UserAction|got AssistantAction"):
        env.encode_action("user" if role == "assistant" else "assistant", action)


def test_masks_hold_the_legal_handles(env: RoleHandles, play_turn: Callable[..., None]) -> None:
    play_turn(env, ToolCall("move_to_fixture", target="AA", approach="front"))
    for role in env.possible_agents:
        mask = env.infos[role]["action_mask"]
        mask = mask["expected_user_action"] if role == "assistant" else mask
        names = env._stores[role].words.target.names
        allowed = {names[code] for code in np.flatnonzero(mask["target"]).tolist()}
        assert allowed == {target for named in legal_actions(env.observe(role)).targets.values() for target in named}
        assert len(allowed) > 2
        full = env.infos[role]["action_mask"]
        env.action_space(role).seed(4)
        assert env.action_space(role).contains(env.action_space(role).sample(full))


def test_static_parts_in_the_infos_are_translated_too(make_env: Callable[..., Any]) -> None:
    env = RoleHandles(make_env(static_observations=False))
    env.reset(seed=1)
    told = env.infos["assistant"]["static_observations"]
    assert not ENTITY.search(told["location_index"])
    assert '"place":"1"' in told["location_index"]
    assert "goal" in env.infos["user"]["static_observations"]


def test_the_map_picture_is_the_roles_own(make_env: Callable[..., Any]) -> None:
    env = RoleHandles(make_env(images=True))
    env.reset(seed=1)
    own, raw = env.observe("assistant")["map_image"], env.unwrapped.observe("assistant")["map_image"]
    assert own.shape == raw.shape
    assert (own != raw).any(axis=2).mean() < 0.02


def test_state_is_the_raw_environments(env: RoleHandles, play_turn: Callable[..., None]) -> None:
    before, seen = env.get_state(), env.observe("user")["marks"]
    play_turn(env, ToolCall("turn", direction="left", angle_deg=90.0))
    assert env.observe("user")["marks"] != seen
    env.set_state(before)
    assert env.observe("user")["marks"] == seen
    play_turn(env, ToolCall("move_to_fixture", target="AA", approach="front"))
    assert env.episode_record().turns[0].user.refusal is None


class TestSpeech:
    def test_a_spoken_handle_is_masked_and_flagged(self, env: RoleHandles, play_turn: Callable[..., None]) -> None:
        play_turn(
            env, action=AssistantAction("Please look at item B.", "Explain", IDLE), reply="Do you mean product 2?"
        )
        turn = env.episode_record().turns[0]
        assert turn.assistant.utterance == "Please look at item [handle]."
        assert turn.user.utterance == "Do you mean product [handle]?"
        assert turn.flags == ("assistant_spoke_handle", "user_spoke_handle")
        assert "item B" not in env.observe("user")["history"]
        assert "product 2" not in env.observe("assistant")["history"]

    def test_flags_stay_with_their_turn(self, env: RoleHandles, play_turn: Callable[..., None]) -> None:
        play_turn(env, reply="Do you mean product 2?")
        play_turn(env, action=AssistantAction("Please look at item B.", "Explain", IDLE))
        play_turn(env)
        assert [turn.flags for turn in env.episode_record().turns] == [
            ("user_spoke_handle",), ("assistant_spoke_handle",), ()
        ]  # fmt: skip

    def test_a_silent_recommendation_cannot_carry_one(self, env: RoleHandles, play_turn: Callable[..., None]) -> None:
        recommendation = Recommendation("P001", "item A", False, "It is product A.")
        play_turn(env, action=AssistantAction("", "Recommend", IDLE, recommendation))
        turn = env.episode_record().turns[0]
        assert "product A" not in turn.assistant.utterance
        assert "assistant_spoke_handle" in turn.flags

    def test_a_malformed_action_changes_and_notes_nothing(self, env: RoleHandles) -> None:
        env.step(env.encode_action("assistant", AssistantAction("Hi.", "Greet", IDLE)))
        good = env.encode_action("user", UserAction("Is it product 2?", IDLE))
        state = env.get_state()
        for bad in ({**good, "tool": 99}, {**good, "target": -1}, {**good, "target": "1"}, {"utterance": "item 2"}, 7):
            with pytest.raises(ValueError, match="expected"):
                env.step(bad)
            assert env.get_state() == state

    def test_it_can_be_switched_off(self, make_env: Callable[..., Any], play_turn: Callable[..., None]) -> None:
        env = RoleHandles(make_env(), spoken=False)
        env.reset(seed=0)
        play_turn(env, reply="Is it product 2?")
        assert env.episode_record().turns[0].user.utterance == "Is it product 2?"
        assert env.episode_record().turns[0].flags == ()


class TestTheSupermarket:
    @pytest.mark.parametrize("assistant", ["heuristic", "random"])
    def test_episodes_are_the_same_with_and_without_handles(self, store: RoleHandles, assistant: str) -> None:
        raw = store.unwrapped
        for task in list(raw.tasks)[:24:2]:
            played = [play(env, make_assistant(assistant), make_user("agenda"), task.id, 11) for env in (raw, store)]
            assert to_json(played[0]) == to_json(played[1])

    def test_no_id_reaches_a_role_in_any_turn(self, store: RoleHandles) -> None:
        for task in list(store.tasks)[1:40:6]:
            for role, shown in self._shown(store, task.id):
                text = json.dumps(shown, default=lambda array: "")
                assert not ENTITY.search(text), ENTITY.search(text)
                public = ("catalog", "location_index", "cart", "held") if role == "assistant" else ()
                private = json.dumps({key: value for key, value in shown.items() if key not in public}, default=str)
                assert not PRODUCT.search(private)

    def test_a_bijection_in_every_view(self, store: RoleHandles) -> None:
        raw = store.unwrapped
        for role, _ in self._shown(store, store.tasks[5].id):
            entities = [mark["handle"] for mark in marks(raw, role)]
            own = [mark["handle"] for mark in marks(store, role)]
            assert len(set(own)) == len(entities)
            for handle, entity in zip(own, entities, strict=True):
                action = store.encode_action("user", UserAction("", ToolCall("pick_up_item", target=handle)))
                if role == "user":
                    assert raw.decode_action("user", store._action("user", action)).call.target == entity

    def _shown(self, env: RoleHandles, task: str) -> Iterator[tuple[str, dict[str, Any]]]:
        env.reset(seed=2, options={"task": task})
        policies: dict[str, Any] = {"assistant": make_assistant("heuristic"), "user": make_user("agenda")}
        states = {role: policy.initial_state(4) for role, policy in policies.items()}
        for role in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            yield role, observation
            if terminated or truncated:
                return
            action, states[role] = policies[role].step(observation, states[role])
            env.step(env.encode_action(role, action))
