"""The offline judge's stated rules on dialogues scored by hand (docs/judges.md)."""

import pytest

from siturec_gym.core.actions import ToolCall
from siturec_gym.judges import dialogue_rules as rules
from siturec_gym.judges import grounding_rules as grounds
from siturec_gym.judges.judgment import DIMENSIONS, Judgment, from_line, to_line
from siturec_gym.judges.offline_conversation import OfflineConversationJudge, overall, score

IDLE = ToolCall("idle")
MILK = "Alder Whole Milk 1 L"


def said(tell, *lines, answer="Hm.", call=IDLE):
    return tell([(line, answer, call) for line in lines])


def test_a_good_dialogue_scores_high_throughout(good):
    assert score(good) == {
        "Informativeness": 3,  # 2 of the 4 turns after the first are specific: no direction, name or price in 1 and 4
        "Naturalness": 5,
        "Groundedness": 5,  # kept at the Milk Shelf; $1.49
        "Preference Alignment": 5,  # P001 alone was named, and is in A_e
        "Proactiveness": 5,
        "Non-repetition": 5,
        "Overall Satisfaction": 5,  # outcome 5 (fits, 5 turns), mean of the six 4.67
    }


def test_the_judge_signs_its_scores(good):
    judgment = OfflineConversationJudge().judge(good)
    assert (judgment.judge, judgment.status, judgment.reason) == ("offline", "scored", None)
    assert len(judgment.prompt_hash) == 16
    assert tuple(judgment.scores) == DIMENSIONS
    assert judgment == OfflineConversationJudge().judge(good)
    assert from_line(to_line(judgment)) == judgment


def test_an_episode_without_a_turn_is_unscored(tell):
    judgment = OfflineConversationJudge().judge(tell([]))
    assert (judgment.status, judgment.reason, judgment.scores) == ("unscored", "no complete turn", {})


@pytest.mark.parametrize(("share", "grade"), [(0.0, 1), (0.24, 1), (0.25, 2), (0.5, 3), (0.7, 4), (0.89, 4), (0.9, 5)])
def test_shares_become_grades(share, grade):
    assert rules.graded(share) == grade


@pytest.mark.parametrize(
    ("line", "natural"),
    [
        ("Shall we look at the milk?", True),
        ("", False),
        ("Please go to F01 now.", False),
        ("Call move_to_fixture please.", False),
        ("PLEASE TAKE THE MILK", False),
        ("OK.", True),
        (" ".join(["word"] * 71), False),
        ('{"act": 1}', False),
    ],
)
def test_codes_shouting_and_length_are_not_natural(tell, line, natural):
    assert rules.naturalness(said(tell, line)) == (5 if natural else 1)


def test_the_same_opening_twice_in_a_row_is_not_natural(tell):
    lines = ("I would like you to look here.", "I would like you to go there.")
    assert rules.naturalness(said(tell, *lines)) == 3


def test_repeated_utterances_cost_points(tell):
    assert rules.non_repetition(said(tell, "Tell me more.", "What is your budget?")) == 5
    assert rules.non_repetition(said(tell, "Tell me more.", "Tell me more!")) == 2  # half
    assert rules.non_repetition(said(tell, *["Tell me more."] * 3)) == 1  # two thirds
    assert (
        rules.non_repetition(
            said(tell, "Tell me more.", "Tell me more.", "Why?", "Where is it?", "Take the soup.", "Bye.")
        )
        == 3
    )


def test_questions_and_requests_move_on_silence_does_not(tell):
    assert rules.proactiveness(said(tell, "What do you need?", "Turn left.", "See the Milk Shelf.")) == 5
    assert rules.proactiveness(said(tell, "Fine weather.", "Well.")) == 1
    assert rules.proactiveness(said(tell, "What do you need?", answer="")) == 1
    refused = tell([("Take it.", "No.", ToolCall("pick_up_item", target="P009"), "unknown_target")])
    assert rules.proactiveness(refused) == 1


@pytest.mark.parametrize(
    ("line", "grade"),
    [
        ("How are you?", 3),
        (f"The {MILK} costs $1.49.", 5),
        (f"The {MILK} costs $1.59.", 1),
        (f"Here is the {MILK}. It costs $1.59.", 1),
        (f"Here is the {MILK}. There are others for $9.", 3),
        (f"The {MILK} is on the Milk Shelf.", 5),
        (f"The {MILK} is on the Soup Shelf.", 1),
        (f"The {MILK} is not on the Soup Shelf.", 3),
        (f"Does the {MILK} cost $9?", 3),
        (f"You can see the {MILK} ahead of you.", 5),
        ("You can see the Cedar Tomato Soup 400 g ahead of you.", 1),
        (f"The {MILK} is fresh.", 5),
        (f"The {MILK} is vegan.", 1),
        (f"The {MILK} is fresh and vegan.", 2),
        (f"The {MILK} or the Cedar Tomato Soup 400 g, for $9.", 3),
    ],
)
def test_claims_are_held_against_the_stores_facts(tell, line, grade):
    assert grounds.groundedness(said(tell, line)) == grade


def test_an_amount_that_the_shopper_named_is_no_false_price(tell):
    lines = [("And your budget?", "At most $3.", IDLE), (f"The {MILK} is below your $3.", "Good.", IDLE)]
    assert grounds.groundedness(tell(lines)) == 5
    assert grounds.groundedness(tell(lines[1:])) == 1


@pytest.mark.parametrize(
    ("line", "grade"),
    [
        ("Hello.", 3),
        (f"Try the {MILK}.", 5),
        ("Try the Brook Oat Drink 1 L.", 3),  # milk within budget, but not in A_e
        ("Try the Cedar Tomato Soup 400 g.", 1),
        (f"Try the {MILK} or the Cedar Tomato Soup 400 g.", 3),
        ("It is not the Cedar Tomato Soup 400 g.", 3),
    ],
)
def test_named_products_are_held_against_the_need(tell, line, grade):
    assert grounds.preference_alignment(said(tell, line)) == grade


@pytest.mark.parametrize(
    ("cart", "turns", "mean", "expected"),
    [
        (("P001",), 10, 3, 4),
        (("P001",), 11, 3, 4),
        (("P001",), 11, 2, 3),
        (("P002",), 5, 5, 4),
        ((), 5, 5, 3),
        ((), 5, 1, 1),
    ],
)
def test_the_outcome_is_half_of_the_whole(tell, cart, turns, mean, expected):
    told = tell([("Hm.", "Hm.", IDLE)] * turns, cart)
    assert overall(told, dict.fromkeys(DIMENSIONS[:-1], mean)) == expected


def test_a_judgment_is_whole_or_empty():
    fields = {"task": "t", "trial": 0, "judge": "j", "prompt_hash": "h", "reason": None}
    with pytest.raises(ValueError, match="scored with all dimensions or unscored with none"):
        Judgment(**fields, status="scored", scores={"Naturalness": 3})
    with pytest.raises(ValueError, match=r"whole numbers from 1 to 5, got \{'Naturalness': 6\}"):
        Judgment(**fields, status="scored", scores=dict.fromkeys(DIMENSIONS, 5) | {"Naturalness": 6})
