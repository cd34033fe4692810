"""The order of a turn, its refusals, the end of an episode, and state as a value (S2, S3, S4, S18)."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec_gym.core.actions import (
    AssistantAction,
    Navigation,
    Recommendation,
    Tool,
    ToolCall,
    UserAction,
)
from siturec_gym.core.errors import RendererError
from siturec_gym.core.policy import ModeratorQuery, Verdict
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import from_json, to_json
from siturec_gym.core.text import parse_lines
from siturec_gym.supermarket_v0 import raw_env

IDLE = ToolCall("idle")
TO_MILK = ToolCall("move_to_fixture", target="F01", approach="front")
LEFT = ToolCall("turn", direction="left", angle_deg=90.0)


def recommend(product: str = "P001", words: str = "I recommend this one.") -> AssistantAction:
    return AssistantAction(words, "Recommend", IDLE, recommendation=Recommendation(product, "It", True, "why not"))


def buy(play_turn: Callable[..., None], env: Any) -> None:
    for call in (TO_MILK, ToolCall("pick_up_item", target="P001"), ToolCall("add_to_cart")):
        play_turn(env, call)


def digest(observation: dict[str, Any]) -> str:
    """Every byte of an observation, in key order."""
    total = hashlib.sha256()
    for key in sorted(observation):
        value = observation[key]
        total.update(key.encode() + (value.tobytes() if isinstance(value, np.ndarray) else repr(value).encode()))
    return total.hexdigest()


def test_assistant_and_user_alternate_and_turns_count_from_zero(env: Any, play_turn: Any) -> None:
    assert env.agent_selection == "assistant"
    assert env.observe("assistant")["turn"] == 0
    env.step(env.encode_action("assistant", AssistantAction("Hi!", "Greet", IDLE)))
    assert env.agent_selection == "user"
    assert env.observe("user")["turn"] == 0
    env.step(env.encode_action("user", UserAction("Hello", LEFT)))
    assert env.agent_selection == "assistant"
    assert env.observe("user")["turn"] == 1


def test_the_user_hears_the_words_and_nothing_else(env: Any) -> None:
    action = AssistantAction(
        "Let us walk.", "Navigate", TO_MILK, navigation=Navigation("F01", reason="SECRET-REASON"), ranking=("P003",)
    )
    env.step(env.encode_action("assistant", action))
    observation = env.observe("user")
    assert parse_lines(observation["history"]) == ({"turn": 0, "role": "assistant", "utterance": "Let us walk."},)
    assert not any("SECRET-REASON" in str(value) for value in [*observation.values(), env.infos["user"]])


def test_history_tells_what_the_user_did_without_ids(env: Any, play_turn: Any) -> None:
    play_turn(env, TO_MILK, reply="On my way.")
    play_turn(env, ToolCall("pick_up_item", target="P004"))
    lines = parse_lines(env.observe("assistant")["history"])
    assert lines[1] == {
        "turn": 0, "role": "user", "utterance": "On my way.", "tool": "move_to_fixture",
        "arguments": {"approach": "front"}, "target_name": "Milk Shelf", "refusal": None,
    }  # fmt: skip
    assert lines[3]["refusal"] == "target_not_visible"
    assert lines[3]["target_name"] == "Cedar Tomato Soup 400 g"


def test_history_keeps_the_last_forty_entries(make_env: Any, play_turn: Any) -> None:
    env = make_env(max_cycles=30)
    env.reset(seed=0)
    for _ in range(25):
        play_turn(env)
    lines = parse_lines(env.observe("user")["history"])
    assert len(lines) == 40
    assert lines[0] == {"turn": 5, "role": "assistant", "utterance": "Hello there!"}


def test_a_purchase_ends_the_episode_with_reward_for_both(env: Any, play_turn: Any) -> None:
    buy(play_turn, env)
    assert env.rewards == {"assistant": 1.0, "user": 1.0}
    assert env.terminations == {"assistant": True, "user": True}
    assert env.truncations == {"assistant": False, "user": False}
    assert env.infos["assistant"] == {"end_reason": "success_cart_added"}
    assert env.last()[1] == 1.0
    assert parse_lines(env.observe("assistant")["cart"]) == (
        {"product": "P001", "name": "Alder Whole Milk 1 L", "price": 1.49},
    )
    assert parse_lines(env.observe("user")["cart"]) == ({"name": "Alder Whole Milk 1 L", "price": 1.49},)
    env.step(None)
    env.step(None)
    assert env.agents == []
    with pytest.raises(ValueError, match="call reset first"):
        env.step(None)


def test_holding_reveals_and_hides_the_item(env: Any, play_turn: Any) -> None:
    play_turn(env, TO_MILK)
    before = [mark["name"] for mark in parse_lines(env.observe("user")["marks"])]
    assert "Alder Lactose-Free Milk 1 L" in before
    assert env.observe("user")["held"] == ""
    play_turn(env, ToolCall("pick_up_item", target="P002"))
    after = [mark["name"] for mark in parse_lines(env.observe("user")["marks"])]
    assert "Alder Lactose-Free Milk 1 L" not in after
    (held,) = parse_lines(env.observe("user")["held"])
    assert held["price"] == 1.99
    assert held["category"] == "milk"
    assert "product" not in held
    assert parse_lines(env.observe("assistant")["held"])[0]["product"] == "P002"
    play_turn(env, ToolCall("drop_item"))
    assert [mark["name"] for mark in parse_lines(env.observe("user")["marks"])] == before


def test_recommendations_run_out_after_the_users_action(env: Any, play_turn: Any) -> None:
    play_turn(env, LEFT, recommend("P001"))
    play_turn(env, LEFT)
    play_turn(env, LEFT, recommend("unheard-of"))
    assert env.observe("assistant")["recommendations_left"] == 1
    env.step(env.encode_action("assistant", recommend("P001")))
    assert not any(env.terminations.values())
    env.step(env.encode_action("user", UserAction("No.", LEFT)))
    assert env.infos["user"] == {"end_reason": "recommendation_exhausted"}
    assert env.terminations["assistant"]
    assert not env.truncations["assistant"]


def test_a_ranking_does_not_count_as_a_recommendation(env: Any, play_turn: Any) -> None:
    for _ in range(4):
        play_turn(env, LEFT, AssistantAction("Hm.", "Explain", IDLE, ranking=("P001", "P002")))
    assert env.observe("assistant")["recommendations_left"] == 3


def test_stall_and_turn_limit(make_env: Any, play_turn: Any) -> None:
    env = make_env(max_cycles=3)
    env.reset(seed=0)
    for _ in range(3):
        play_turn(env)
    assert env.infos["user"] == {"end_reason": "turn_limit"}
    assert env.truncations["user"]
    assert not env.terminations["user"]
    env = make_env()
    env.reset(seed=0)
    play_turn(env, ToolCall("move_backward", distance_m=5.0))
    for _ in range(3):
        play_turn(env, ToolCall("move_backward", distance_m=1.0))
    assert env.infos["user"] == {"end_reason": "motion_stall"}


def test_the_moderator_sees_the_exchange(make_env: Any, play_turn: Any) -> None:
    queries: list[ModeratorQuery] = []

    def moderator(query: ModeratorQuery) -> bool:
        queries.append(query)
        return len(queries) == 2

    env = make_env(moderator=moderator)
    env.reset(seed=0)
    play_turn(env, LEFT, reply="Bye!")
    play_turn(env, IDLE)
    assert env.infos["user"] == {"end_reason": "moderator_ended"}
    assert queries[0].call == LEFT
    assert queries[0].user_utterance == "Bye!"
    assert [entry["role"] for entry in queries[1].history] == ["assistant", "user"] * 2


def test_what_the_moderator_thought_stands_in_the_record_of_its_turn_and_nowhere_else(
    make_env: Any, play_turn: Any
) -> None:
    verdicts = iter(
        [Verdict(over=False, reasoning="They go on."), Verdict(over=False), Verdict(over=True, reasoning="Bye.")]
    )
    env = make_env(moderator=lambda query: next(verdicts))
    env.reset(seed=0)
    for _ in range(3):
        env.note(reasoning={"user": "I am silent."})
        play_turn(env, LEFT)
        seen = [env.observe(agent) for agent in ("assistant", "user")]
        assert not any("They go on" in str(value) for observation in seen for value in observation.values())
    assert [turn.reasoning for turn in env.episode.turns] == [
        {"user": "I am silent.", "moderator": "They go on."},
        {"user": "I am silent."},
        {"user": "I am silent.", "moderator": "Bye."},
    ]
    assert env.infos["user"] == {"end_reason": "moderator_ended"}


def test_a_refused_call_is_spent_idle_and_recorded(env: Any, play_turn: Any) -> None:
    play_turn(env, ToolCall("add_to_cart"))
    play_turn(env, ToolCall("open_sesame"))
    turns = env.episode.turns
    assert turns[0].user.refusal == "hands_empty"
    assert turns[0].user.tool_executed == IDLE
    assert turns[0].user.tool_requested == ToolCall("add_to_cart")
    assert turns[1].user.refusal == "not_a_tool_here"


def test_a_bad_element_changes_nothing(env: Any) -> None:
    before, selected = env.get_state(), env.agent_selection
    with pytest.raises(ValueError, match="act"):
        env.step({**env.encode_action("assistant", AssistantAction("Hi", "Greet")), "act": 77})
    with pytest.raises(ValueError, match="action"):
        env.step(None)
    assert env.get_state() == before
    assert env.agent_selection == selected


@pytest.mark.parametrize("broken", ["execute", "visibility"])
def test_a_renderer_that_fails_leaves_the_turn_undone(
    make_env: Any, play_turn: Any, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """Before the user moves or after: the same state, from which the turn can be played again, or the episode fail."""
    env, other = make_env(), make_env()
    for one in (env, other):
        one.reset(seed=0)
        play_turn(one, IDLE)
        one.step(one.encode_action("assistant", recommend()))
    before = env.get_state()
    reply = env.encode_action("user", UserAction("Yes", TO_MILK))

    def fail(*_: Any) -> None:
        raise RendererError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(env._sight.renderer, broken, fail)
        with pytest.raises(RendererError, match="gone"):
            env.step(reply)
        assert env.get_state() == before
        assert env.episode_record() == other.episode_record()
    for one in (env, other):
        one.step(reply)
    assert env.episode_record() == other.episode_record()
    assert digest(env.observe("user")) == digest(other.observe("user"))


def test_an_unchanged_view_renders_nothing(make_env: Any, play_turn: Any) -> None:
    env = make_env(images=True)
    env.reset(seed=0)
    renderer = env._sight.renderer
    env.last()
    passes, captures = renderer.passes, renderer.captures
    assert (passes, captures) == (1, 1)
    for _ in range(3):
        play_turn(env, IDLE)
        env.last()
    assert (renderer.passes, renderer.captures) == (1, 1)
    play_turn(env, LEFT)
    env.last()
    assert (renderer.passes, renderer.captures) == (2, 2)


def test_static_parts_are_the_same_object_each_step(env: Any, play_turn: Any) -> None:
    first = env.observe("assistant"), env.observe("user")
    play_turn(env, LEFT)
    second = env.observe("assistant"), env.observe("user")
    assert all(first[0][key] is second[0][key] for key in ("catalog", "location_index"))
    assert all(first[1][key] is second[1][key] for key in ("profile", "goal"))


def test_static_parts_can_be_left_to_reset(make_env: Any, play_turn: Any) -> None:
    full, lean = make_env(), make_env(static_observations=False)
    for env in (full, lean):
        env.reset(seed=0, options={"task": "tiny/01.2"})
    for agent, keys in (("assistant", {"catalog", "location_index"}), ("user", {"profile", "goal"})):
        given = lean.infos[agent]["static_observations"]
        assert given == {key: full.observe(agent)[key] for key in keys}
        assert not keys & set(lean.observe(agent))
    play_turn(lean, LEFT)
    assert "static_observations" not in lean.infos["assistant"]


def test_arrays_are_the_callers_own(make_env: Any) -> None:
    env = make_env(images=True)
    env.reset(seed=0)
    kept = digest(env.observe("assistant"))
    observation = env.observe("assistant")
    for key in ("rgb", "map_image", "marks_array", "pose"):
        observation[key][:] = 0
    assert digest(env.observe("assistant")) == kept


def test_the_task_is_drawn_from_the_seeded_generator(make_env: Any, tiny_bank: Any) -> None:
    env = make_env()
    for seed in range(6):
        env.reset(seed=seed)
        drawn = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
        assert env.episode.task == tiny_bank[drawn.integers(4)]
        env.reset()
        assert env.episode.task == tiny_bank[drawn.integers(4)]
    env.reset(seed=0, options={"task": "tiny/01.3"})
    assert env.episode.task.id == "tiny/01.3"


@pytest.mark.parametrize(
    ("options", "message"),
    [({"task": "tiny/99.1"}, "unknown task 'tiny/99.1'"), ({"tsak": "x"}, "unknown reset option 'tsak'")],
)
def test_bad_options_are_one_clear_line(env: Any, options: dict[str, str], message: str) -> None:
    before = env.get_state()
    with pytest.raises(ValueError, match=message) as caught:
        env.reset(seed=5, options=options)
    assert "\n" not in str(caught.value)
    assert env.get_state() == before


@pytest.mark.parametrize(
    "keywords", [{"image_size": (0, 5)}, {"image_size": (4,)}, {"render_mode": "window"}, {"max_cycles": 0}]
)
def test_bad_arguments_are_refused_by_name(make_env: Any, keywords: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(keywords))):
        make_env(**keywords)


def test_before_reset_there_is_no_episode(make_env: Any) -> None:
    env = make_env()
    with pytest.raises(ValueError, match="call reset first"):
        env.observe("user")
    with pytest.raises(ValueError, match="call reset first"):
        env.step(None)


SCRIPT = [LEFT, TO_MILK, ToolCall("pick_up_item", target="P001"), ToolCall("drop_item"), LEFT, TO_MILK, IDLE]


def _trace(env: Any, play_turn: Any, calls: list[ToolCall]) -> list[Any]:
    trace = []
    for call in calls:
        play_turn(env, call, recommend("P002") if call is IDLE else None)
        trace.append((digest(env.observe("assistant")), digest(env.observe("user")), env.rewards, env.terminations))
    return trace


@pytest.mark.parametrize("at", range(len(SCRIPT)))
def test_set_state_goes_on_exactly_in_the_same_and_in_another_environment(
    make_env: Any, play_turn: Any, at: int
) -> None:
    env = make_env(images=True)
    env.reset(seed=3)
    _trace(env, play_turn, SCRIPT[:at])
    snapshot = env.get_state()
    expected = _trace(env, play_turn, SCRIPT[at:])
    env.reset()
    following = env.episode.task.id
    other = make_env(images=True)
    for target in (env, other):
        target.set_state(snapshot)
        assert target.get_state() == snapshot
        assert _trace(target, play_turn, SCRIPT[at:]) == expected
        target.reset()
        assert target.episode.task.id == following


def test_a_snapshot_between_the_two_moves_of_a_turn(make_env: Any) -> None:
    env = make_env()
    env.reset(seed=3)
    env.step(env.encode_action("assistant", recommend("P002")))
    snapshot = env.get_state()
    other = make_env()
    other.set_state(snapshot)
    for target in (env, other):
        target.step(target.encode_action("user", UserAction("Fine", LEFT)))
    assert env.get_state() == other.get_state()
    assert other.episode.turns[0].assistant.recommendation.product == "P002"


def test_a_snapshot_of_a_finished_episode(env: Any, make_env: Any, play_turn: Any) -> None:
    buy(play_turn, env)
    other = make_env()
    other.set_state(env.get_state())
    assert other.last()[1:] == env.last()[1:]
    assert other.episode_record() == env.episode_record()


def test_images_change_neither_marks_nor_results(make_env: Any, play_turn: Any) -> None:
    traces = []
    for images in (True, False):
        env = make_env(images=images)
        env.reset(seed=3)
        trace = []
        for call in SCRIPT:
            play_turn(env, call)
            seen = env.observe("assistant")
            trace.append((seen["marks"], seen["marks_array"].tobytes(), seen["held"], seen["history"]))
        traces.append((trace, env.episode_record()))
    assert traces[0] == traces[1]


def test_the_record_survives_json_and_holds_ids(env: Any, play_turn: Any) -> None:
    play_turn(env, ToolCall("turn", direction="left", angle_deg=10.0), recommend("P003"))
    buy(play_turn, env)
    record = env.episode_record(trial=2)
    assert from_json(to_json(record)) == record
    assert (record.task, record.trial, record.seed, record.scene) == ("tiny/01.1", 2, 0, "tiny")
    assert (record.status, record.end_reason, record.cart) == ("complete", "success_cart_added", ("P001",))
    assert record.reference_set == ("P001",)
    assert [turn.turn for turn in record.turns] == [0, 1, 2, 3]
    assert record.turns[0].visible.pose == Pose(1.0, 1.0, 0.0)
    assert record.turns[0].visible.places == ("F01", "F02")
    assert record.turns[3].user.tool_executed.tool == Tool.ADD_TO_CART
    assert record.final_view.pose == env.episode.world.pose


def test_a_failed_role_ends_the_episode_as_generation_failure(env: Any, play_turn: Any) -> None:
    play_turn(env, LEFT)
    env.step(env.encode_action("assistant", recommend()))
    env.fail("model: no reply")
    record = env.episode_record()
    assert (record.status, record.end_reason, record.error) == ("failed", "generation_failure", "model: no reply")
    assert len(record.turns) == 1
    assert env.truncations == {"assistant": True, "user": True}
    assert env.infos["assistant"] == {"end_reason": "generation_failure"}
    env.step(None)
    env.step(None)
    assert not env.agents


def test_a_running_episode_says_so_in_its_record(env: Any, play_turn: Any) -> None:
    play_turn(env, LEFT)
    assert (env.episode_record().status, env.episode_record().end_reason) == ("running", "")


def test_encode_action_wants_the_roles_record(env: Any) -> None:
    with pytest.raises(ValueError, match="'user'"):
        env.encode_action("user", AssistantAction("Hi", "Greet"))
    element = env.encode_action("user", UserAction("Hi", LEFT))
    assert env.decode_action("user", element) == UserAction("Hi", LEFT)


def test_human_mode_prints_the_turn(make_env: Any, play_turn: Any, capsys: Any) -> None:
    env = make_env(render_mode="human")
    env.reset(seed=0)
    play_turn(env, ToolCall("add_to_cart"), reply="Mine!")
    text = capsys.readouterr().out
    assert "assistant (Greet): Hello there!" in text
    assert "user: Mine! -> add_to_cart(), refused: hands_empty" in text
    buy(play_turn, env)
    assert "[end] success_cart_added; cart: P001" in capsys.readouterr().out


def test_rgb_array_is_drawn_on_demand_without_images(make_env: Any) -> None:
    env = make_env(render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render().shape == (24, 32, 3)


ARGUMENTS: dict[str, Any] = {
    "direction": st.none() | st.sampled_from(("left", "right", "up", "down", "sideways")),
    "angle_deg": st.none() | st.floats(-10, 400),
    "distance_m": st.none() | st.floats(-1, 12),
    "duration_s": st.none() | st.floats(-1, 12),
    "target": st.none() | st.sampled_from(("F01", "F02", "P001", "P002", "P003", "P004", "P005", "W01", "X", "")),
    "approach": st.none() | st.sampled_from(("nearest", "front", "back", "inside_doorway", "top")),
}
CALLS = st.builds(ToolCall, st.sampled_from((*map(str, Tool), "dance", "")), **ARGUMENTS)


@settings(max_examples=60, deadline=None)
@given(script=st.lists(CALLS, min_size=1, max_size=12))
def test_every_tool_call_keeps_the_state_whole(make_env: Any, play_turn: Any, script: list[ToolCall]) -> None:
    env = make_env()
    env.reset(seed=0)
    for call in script:
        if env.episode.end is not None:
            break
        before = env.episode.world
        play_turn(env, call)
        turn, world = env.episode.turns[-1], env.episode.world
        held = set() if world.held is None else {world.held}
        assert held <= world.removed
        assert len(world.removed) == len(world.cart) + len(held)
        assert (turn.user.refusal is None) == (turn.user.tool_executed == turn.user.tool_requested)
        if turn.user.refusal is not None:
            assert world == before
            assert turn.user.tool_executed == IDLE
        assert env.observation_space("assistant").contains(env.observe("assistant"))
        assert env.observation_space("user").contains(env.observe("user"))


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"image_size": 320}, "image_size: expected"),
        ({"image_size": None}, "image_size: expected"),
        ({"image_size": "320x240"}, "image_size: expected"),
        ({"image_size": (1, 2, 3)}, "image_size: expected"),
        ({"max_cycles": 10**30}, "max_cycles: expected at least 1 and at most"),
        ({"moderator": 3}, "moderator: expected a name, a callable or None, got 3"),
    ],
)
def test_arguments_of_the_wrong_kind_are_named(make_env, keywords, message):
    with pytest.raises(ValueError, match=message):
        make_env(**keywords)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (5, "renderer_config: expected settings by name or a mapping file, got 5"),
        ([1], "renderer_config: expected"),
        ({"fog": 1}, "renderer 'embedded' does not take the options .'fog'.: got an unexpected"),
    ],
)
def test_settings_of_a_renderer_that_it_cannot_have_are_named(config, message):
    with pytest.raises(ValueError, match=message):
        raw_env(renderer_config=config)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (3, "expected a dict"),
        ({1: 2, "a": 3}, "unknown reset option 1"),
        ({"task": "x" * 10**6}, r"unknown task 'x+\.\.\.x+'"),
    ],
)
def test_odd_reset_options_are_one_short_line(env, options, message):
    before = env.episode
    with pytest.raises(ValueError, match=message) as caught:
        env.reset(options=options)
    assert len(str(caught.value)) < 200
    assert env.episode is before


def test_a_state_before_reset_or_of_something_else_is_refused(make_env, env):
    with pytest.raises(ValueError, match="call reset first"):
        make_env().get_state()
    state, before = env.get_state(), env.episode
    elsewhere = replace(state, episode=replace(before, task=replace(before.task, id="bazaar/01.1")))
    for wrong, message in (
        (None, "got NoneType"),
        ({}, "got dict"),
        (elsewhere, "of the store 'tiny', got one of 'bazaar'"),
    ):
        with pytest.raises(ValueError, match=message):
            env.set_state(wrong)
    assert env.episode is before
