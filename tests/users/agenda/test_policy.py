"""The agenda user's conduct (S9, S11, S18): inspection, true reasons, budget, disclosure, determinism."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec_gym.core.actions import Approach, Tool, ToolCall
from siturec_gym.core.policy import ModeratorQuery
from siturec_gym.judges.moderator import make_moderator

_IDLE = ToolCall(Tool.IDLE)
THINGS: dict[str, dict[str, object]] = {}


@pytest.fixture(autouse=True)
def known_things(things):
    """The things of the fixture where hypothesis cannot take fixtures made per test."""
    THINGS.update(things, bad={**things["milk"], "price": 9.0})


PACKAGE = Path(__file__).parents[3] / "siturec_gym" / "users" / "agenda"


def test_guided_to_a_purchase_in_few_turns(hearing, walk_to_purchase, things):
    user = hearing()
    tools = walk_to_purchase(
        user,
        [
            "Hello! What are you looking for?",
            "Please go to the Milk & Butter Cooler.",
            "I recommend the Cloverdell Lactose-Free Milk, it is lactose-free and $2.19. Please pick it up.",
            "Would you like to add it to your cart?",
        ],
        things["milk"],
    )
    assert tools == ["idle", "move_to_fixture", "pick_up_item", "add_to_cart"]


def test_nothing_is_bought_unseen(hearing, things):
    user = hearing(marks=[things["carton"]])
    assert user.hear("Add the Cloverdell Lactose-Free Milk to your cart.").call.tool == Tool.PICK_UP_ITEM


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"price": 3.5}, "budget is $3"),
        ({"tags": ["low-fat"]}, "without lactose"),
        ({"flavour": "chocolate"}, "chocolate flavor"),
        ({"category": "juice"}, "some milk"),
    ],
)
def test_rejects_with_the_true_reason_and_puts_the_item_back(hearing, things, change, reason):
    user = hearing(held={**things["milk"], **change})
    reply = user.hear("Do you like it? Please add it to your cart.")
    assert reply.call.tool == Tool.DROP_ITEM
    assert reason in reply.utterance


def test_what_is_said_against_a_product_is_enough_to_decline_it(hearing, things):
    user = hearing(marks=[things["carton"]])
    reply = user.hear("I recommend the Cloverdell Lactose-Free Milk for $4.99.")
    assert reply.call.tool == Tool.IDLE
    assert "$3" in reply.utterance


def test_a_product_turned_down_is_not_taken_up_again(hearing, things):
    user = hearing(held={**things["milk"], "price": 5.0})
    user.hear("What do you think?")
    user.held, user.marks = None, [things["carton"]]
    reply = user.hear("How about the Cloverdell Lactose-Free Milk?")
    assert reply.call.tool == Tool.IDLE
    assert "already" in reply.utterance


def test_an_unseen_product_is_looked_for(hearing):
    user = hearing()
    user.hear("Hello!")
    assert user.hear("I recommend the Cloverdell Lactose-Free Milk.").call.tool == Tool.TURN


def test_a_product_out_of_reach_is_walked_up_to(hearing, things):
    far = {**things["carton"], "reachable": False, "distance_m": 4.2, "bearing_deg": -30.0}
    call = hearing(marks=[far]).hear("I recommend the Cloverdell Lactose-Free Milk.").call
    assert (call.tool, call.direction, call.angle_deg) == (Tool.TURN_AND_MOVE, "right", 30.0)
    assert call.distance_m == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("utterance", "tool", "arguments"),
    [
        ("Turn left.", Tool.TURN, {"direction": "left", "angle_deg": 90.0}),
        ("Turn around.", Tool.TURN, {"angle_deg": 180.0}),
        ("Slightly turn right.", Tool.TURN, {"direction": "right", "angle_deg": 30.0}),
        ("Walk two metres forward.", Tool.MOVE_FORWARD, {"distance_m": 2.0}),
        ("Take a step back.", Tool.MOVE_BACKWARD, {"distance_m": 0.7}),
        ("Step to the left by one metre.", Tool.SIDE_STEP, {"direction": "left", "distance_m": 1.0}),
        ("Look down.", Tool.LOOK_UP_DOWN, {"direction": "down", "angle_deg": 30.0}),
        ("Turn right 45 degrees and walk 3 m.", Tool.TURN_AND_MOVE, {"angle_deg": 45.0, "distance_m": 3.0}),
        ("Walk 3 m straight ahead, then turn left.", Tool.MOVE_AND_TURN, {"direction": "left", "distance_m": 3.0}),
        ("Go to the Milk & Butter Cooler.", Tool.MOVE_TO_FIXTURE, {"target": "F27", "approach": Approach.FRONT}),
    ],
)
def test_guidance_becomes_a_tool_call(hearing, things, utterance, tool, arguments):
    call = hearing(marks=[things["cooler"]]).hear(utterance).call
    assert call.tool == tool
    assert {name: getattr(call, name) for name in arguments} == arguments


def test_a_place_out_of_view_is_turned_to_and_then_walked_to(hearing, things):
    user = hearing()
    assert user.hear("The Milk & Butter Cooler is behind you.").call.angle_deg == 180.0
    user.marks = [things["cooler"]]
    assert user.hear("What is your budget?").call.tool == Tool.MOVE_TO_FIXTURE


def test_answers_are_true_and_one_detail_a_turn(hearing):
    user = hearing(settings={"behavior_style": "cautious", "talkativeness": "low"})
    assert "milk" in user.hear("What are you looking for?").utterance
    assert "$3" in user.hear("How much would you like to spend, and is there anything to avoid?").utterance
    assert "chocolate" in user.hear("Okay.").utterance
    assert "chocolate" not in user.hear("Do you have a favourite brand?").utterance


UTTERANCES = [
    "Hello! What are you looking for?", "What is your budget?", "Who is it for and what is it for?", "Any allergies?",
    "Any preferences? Anything to avoid? What size?", "How about the Cloverdell Lactose-Free Milk for $2.19?",
    "Please go to the Milk & Butter Cooler.", "Turn left.", "Pick it up.", "Put it back.", "Add it to your cart.",
    "Anything else?", "Let me think.", "Goodbye!", "It contains nuts.", "Do you like it?", "",
]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(data=st.data(), seed=st.integers(0, 10_000), style=st.sampled_from(["practical", "explorer", "social"]))
def test_at_most_one_new_detail_a_turn(hearing_class, data, seed, style):
    user, things = hearing_class(settings={"behavior_style": style, "talkativeness": "high"}, seed=seed), THINGS
    for _ in range(10):
        user.marks = [things["cooler"], things["carton"]]
        user.held = data.draw(st.sampled_from([None, things["bad"]]))
        before = user.state.told
        user.hear(data.draw(st.sampled_from(UTTERANCES)))
        new = set(user.state.told) - set(before)
        assert len(new) <= 1 or new == {"category", "use"}


@settings(max_examples=120, deadline=None)
@given(
    price=st.floats(0.5, 6.0),
    tags=st.sets(st.sampled_from(["lactose-free", "low-fat", "organic"])),
    flavour=st.sampled_from(["", "chocolate", "vanilla"]),
    category=st.sampled_from(["milk", "juice"]),
    willing=st.sampled_from(["low", "medium", "high"]),
    said=st.sampled_from(UTTERANCES),
)
def test_only_what_meets_every_need_within_the_budget_is_bought(
    hearing_class, price, tags, flavour, category, willing, said
):
    held = {**THINGS["milk"], "price": price, "tags": sorted(tags), "flavour": flavour, "category": category}
    user = hearing_class(settings={"substitute_willingness": willing}, held=held)
    bought = user.hear(said).call.tool == Tool.ADD_TO_CART
    needed = {"lactose-free"} if willing == "high" else {"lactose-free", "low-fat"}
    fits = price <= 3.0 and needed <= tags and flavour != "chocolate" and category == "milk"
    assert not bought or fits


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_borne_and_no_id_is_spoken(hearing_class, text):
    user = hearing_class(marks=[THINGS["cooler"], THINGS["carton"]])
    for _ in range(3):
        reply = user.hear(text)
        assert not re.search(r"\b[PFIW]\d{2,4}\b", reply.utterance)
        assert len(reply.utterance) <= 512


def test_same_seed_same_episode(hearing, things):
    def episode(seed):
        user = hearing(seed=seed, marks=[things["cooler"]], settings={"navigation_following": 0.5})
        return [user.hear(utterance) for utterance in UTTERANCES]

    assert episode(3) == episode(3)
    assert any(episode(3) != episode(seed) for seed in range(4, 9))


def test_the_global_generator_is_left_alone(hearing):
    np.random.seed(5)
    expected = np.random.random()
    np.random.seed(5)
    hearing().hear("Hello!")
    assert np.random.random() == expected


def test_leaving_is_clear_to_a_moderator_and_nothing_else_is():
    moderator = make_moderator("rules")
    wording = json.loads((PACKAGE / "wording.json").read_text("utf-8"))
    for key, variants in wording["replies"].items():
        texts = variants if isinstance(variants, list) else [text for level in variants.values() for text in level]
        for text in texts:
            query = ModeratorQuery((), "Please turn left.", text, _IDLE)
            assert moderator(query) == (key in {"leave", "gone"}), text
    for text in wording["chat"] + wording["courtesies"] + wording["worries"]:
        assert not moderator(ModeratorQuery((), "Please turn left.", text, _IDLE)), text


def test_nobody_leaves_while_being_helped(hearing, things):
    user = hearing(settings={"patience": "low"}, marks=[things["cooler"]])
    for number in range(2):
        user.hear(f"Hm, moment {number}.")
    user.hear("Please go to the Milk & Butter Cooler.")
    assert not user.state.gone


@pytest.mark.parametrize("key", ["history", "marks", "held", "turn", "profile", "goal"])
def test_a_missing_observation_key_is_an_error(hearing, key):
    user = hearing()
    observation = user.observation(0)
    del observation[key]
    with pytest.raises(KeyError, match=key):
        user.user.step(observation, user.state)
