"""Replies as schemas allow them, and what they mean or why they cannot be used."""

import json
import re
from random import Random
from typing import Any

import pytest
from schema_reply import reply_to

from siturec_gym import home_furnishings_v0, supermarket_v0
from siturec_gym.core.actions import AssistantAction, ToolCall, UserAction
from siturec_gym.core.legality import legal_actions
from siturec_gym.users.llm.reply import EmptyReplyError, read_reply, reply_schema

HELD = {"name": "Brook Low-Fat Milk 1 L", "price": 1.5}


def reply(utterance: Any, **call: Any) -> str:
    return json.dumps({"utterance": utterance, "call": call})


def test_the_schema_lists_live_labels_and_bounds_what_is_said(observe: Any) -> None:
    schema = reply_schema(legal_actions(observe("milk")), 50)
    forms = {form["properties"]["tool"]["const"]: form for form in schema["properties"]["call"]["anyOf"]}
    assert forms["pick_up_item"]["properties"]["target"]["enum"] == ["1", "2"]
    assert forms["move_to_fixture"]["properties"]["approach"]["enum"] == ["nearest", "front"]
    assert "add_to_cart" not in forms
    assert (schema["required"], schema["additionalProperties"]) == (["utterance", "call"], False)
    pattern = schema["properties"]["utterance"]["pattern"]
    assert re.fullmatch(pattern, "Hello there.")
    assert not re.fullmatch(pattern, "x" * 51)
    assert not re.fullmatch(pattern, "")


def test_a_reply_becomes_what_is_said_and_one_call(observe: Any) -> None:
    text = reply("I'm\n  going.", tool="move_to_fixture", target="AA", approach="front")
    call = ToolCall("move_to_fixture", target="AA", approach="front")
    assert read_reply(text, observe("milk"), 400) == UserAction("I'm going.", call)


@pytest.mark.parametrize("store", [supermarket_v0, home_furnishings_v0])
def test_whatever_the_schema_allows_is_a_legal_turn(store: Any) -> None:
    env, rng = store.env(images=False), Random(5)
    env.reset(seed=2)
    told = env.infos["user"].get("static_observations", {})
    replies = refused = 0
    for _ in range(40):
        if not env.agents or env.terminations["user"] or env.truncations["user"]:
            env.reset(seed=rng.randrange(1000))
        if env.agent_selection == "assistant":
            env.step(env.encode_action("assistant", AssistantAction("Hm.", "Greet")))
            continue
        observation = {**env.observe("user"), **told}
        text = reply_to(reply_schema(legal_actions(observation), 400), rng)
        env.step(env.encode_action("user", read_reply(text, observation, 400)))
        replies += 1
        refused += env.unwrapped.episode_record().turns[-1].user.refusal not in (None, "no_route")
    assert replies >= 15
    assert refused == 0


@pytest.mark.parametrize("text", ["", "  \n", reply(" ", tool="idle"), "I'm sorry, but I can't assist with that.",
                                  reply("I'm sorry, I cannot help with that request.", tool="idle"),
                                  reply("As an AI I do not shop.", tool="idle")])  # fmt: skip
def test_empty_replies_and_refusals_are_told_apart(observe: Any, text: str) -> None:
    with pytest.raises(EmptyReplyError):
        read_reply(text, observe("milk"), 400)


@pytest.mark.parametrize("said", ["I'm sorry, I can't find it.", "Sorry, I cannot see the shelf.", "Can't you help?"])
def test_a_shopper_may_be_sorry(observe: Any, said: str) -> None:
    assert read_reply(reply(said, tool="idle"), observe("milk"), 400).utterance == said


@pytest.mark.parametrize(
    ("call", "changes", "message"),
    [
        ({"tool": "pick_up_item", "target": "1"}, {"held": HELD}, "your hands are full: put back what you hold"),
        ({"tool": "pick_up_item", "target": "1"}, {"reachable": False}, "Cloverdell.*out of reach, 2.0 m away"),
        ({"tool": "add_to_cart"}, {}, "inspect a product before you buy it"),
        ({"tool": "drop_item"}, {}, "your hands are empty"),
        ({"tool": "do_not_add_to_cart"}, {"home": True}, "no product is under check"),
        ({"tool": "pick_up_item", "target": "7"}, {}, "target '7' is none that pick_up_item can have now"),
        ({"tool": "move_to_fixture", "target": "AA", "approach": "back"}, {}, "approach nearest or front, got 'back'"),
        ({"tool": "check_item", "target": "1"}, {}, "tool 'check_item' cannot be called now"),
        ({"tool": "turn", "direction": "left", "angle_deg": 400}, {}, "angle_deg"),
        ({"tool": ["turn"]}, {}, "cannot be called now"),
        ({}, {}, "tool None cannot be called now"),
    ],
)
def test_what_hands_reach_and_view_do_not_allow_is_said_in_one_line(
    observe: Any, call: dict[str, Any], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^call: .*{message}") as raised:
        read_reply(reply("Okay.", **call), observe("milk", **changes), 400)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Okay.", "no JSON object"),
        ('{"utterance": "Hi"}', "call: Field required"),
        ('{"utterance": 3, "call": {"tool": "idle"}}', "utterance"),
        ('{"utterance": "Hi", "call": [{"tool": "idle"}]}', "call"),
        (reply("x" * 401, tool="idle"), "401 characters, at most 400"),
    ],
)
def test_what_has_another_form_is_refused(observe: Any, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_reply(text, observe("milk"), 400)
