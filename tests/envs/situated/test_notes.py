"""Remarks that wrappers add to the record, and the one pass that pictures share."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from siturec_gym.core.actions import AssistantAction, ToolCall, UserAction
from siturec_gym.core.policy import Remarks, keep_remarks

IDLE = ToolCall("idle")


def speak(env: Any) -> None:
    env.step(env.encode_action("assistant", AssistantAction("Hello there.", "Greet", IDLE)))


def reply(env: Any, call: ToolCall = IDLE) -> None:
    env.step(env.encode_action("user", UserAction("Hi.", call)))


def test_flags_and_usage_go_to_the_turn_underway_and_add_up(env: Any) -> None:
    env.note(flags=("said_a_handle",), usage={"tokens": 5.0})
    speak(env)
    env.note(usage={"tokens": 7.0, "cost": 0.5})
    reply(env)
    speak(env)
    reply(env)
    first, second = env.episode_record().turns
    assert "said_a_handle" in first.flags
    assert first.usage == {"tokens": 12.0, "cost": 0.5}
    assert "said_a_handle" not in second.flags
    assert second.usage == {}


def test_reward_terms_go_to_the_last_complete_turn_and_replace_their_namesakes(env: Any) -> None:
    speak(env)
    reply(env)
    env.note(reward_terms={"turn": -0.01})
    env.note(reward_terms={"turn": -0.02, "outcome": 1.0})
    assert env.episode_record().turns[-1].reward_terms == {"turn": -0.02, "outcome": 1.0}


def test_after_the_end_remarks_reach_the_last_turn(make_env: Any) -> None:
    env = make_env(max_cycles=1)
    env.reset(seed=0)
    speak(env)
    reply(env)
    env.note(flags=("late",), usage={"tokens": 1.0}, reward_terms={"outcome": 0.0})
    last = env.episode_record().turns[-1]
    assert (last.flags[-1], last.usage, last.reward_terms) == ("late", {"tokens": 1.0}, {"outcome": 0.0})


def test_remarks_travel_with_the_state(env: Any) -> None:
    env.note(flags=("kept",))
    snapshot = env.get_state()
    speak(env)
    reply(env)
    env.set_state(snapshot)
    speak(env)
    reply(env)
    assert "kept" in env.episode_record().turns[0].flags


def test_a_picture_and_the_rgb_observation_come_from_one_pass(make_env: Any) -> None:
    env = make_env(images=True)
    env.reset(seed=0)
    picture = env.picture()
    assert picture.depth is not None
    assert picture.ids is not None
    speak(env)
    captures = env._sight.renderer.captures
    assert np.array_equal(env.observe("user")["rgb"], picture.rgb)
    assert env.picture() is picture
    assert env._sight.renderer.captures == captures


def test_what_policies_remark_is_kept_with_their_turn(env: Any) -> None:
    keep_remarks(env, "assistant", SimpleNamespace(remarks=Remarks(("invalid",), "They want tea.")))
    speak(env)
    keep_remarks(env, "user", SimpleNamespace(remarks=Remarks(("two_details",), "Say it all.")))
    reply(env)
    speak(env)
    keep_remarks(env, "user", SimpleNamespace())
    reply(env)
    first, second = env.episode_record().turns
    assert [flag for flag in first.flags if flag in ("invalid", "two_details")] == ["invalid", "two_details"]
    assert first.reasoning == {"assistant": "They want tea.", "user": "Say it all."}
    assert second.reasoning == {}


def test_reasoning_reaches_no_observation(env: Any) -> None:
    keep_remarks(env, "user", SimpleNamespace(remarks=Remarks(reasoning="canary")))
    speak(env)
    reply(env)
    assert "canary" not in repr(env.observe("assistant")) + repr(env.observe("user"))
