"""Every setting, trait and field of the goal shows in what the model is told of the shopper."""

import json
from itertools import product
from typing import Any

import pytest

from siturec_gym.tasks.habits import LEVELS, STYLES
from siturec_gym.tasks.records import BIG_FIVE
from siturec_gym.users.llm.person import LEVELLED, conduct, person_and_goal
from siturec_gym.users.llm.texts import conduct_sentences, filled_lines


def told(observation: dict[str, Any]) -> str:
    return person_and_goal(observation["profile"], observation["goal"])


@pytest.mark.parametrize("name", LEVELLED + BIG_FIVE)
def test_each_level_of_a_setting_or_trait_is_told_in_its_own_words(observe: Any, name: str) -> None:
    texts = [told(observe("milk", **{name: level})) for level in LEVELS]
    assert len(set(texts)) == len(LEVELS)
    for text, level in zip(texts, LEVELS, strict=True):
        assert conduct_sentences()[f"{name} {level}"] in text


def test_each_style_is_told_in_its_own_words(observe: Any) -> None:
    assert len({told(observe("milk", behavior_style=style)) for style in STYLES}) == len(STYLES)


@pytest.mark.parametrize(("follows", "level"), [(0.6, "low"), (0.7, "medium"), (0.84, "medium"), (0.85, "high")])
def test_how_often_directions_are_followed_is_told_in_three_steps(observe: Any, follows: float, level: str) -> None:
    text = told(observe("milk", navigation_following=follows))
    assert conduct_sentences()[f"navigation_following {level}"] in text


def test_conduct_is_told_as_behaviour_without_the_terms_it_comes_from(observe: Any) -> None:
    settings = json.loads(observe("milk")["profile"])["settings"]
    terms = [name.replace("_", " ") for name in settings if "_" in name] + ["talkativeness", *BIG_FIVE]
    for level, style in product(LEVELS, STYLES):
        chosen = settings | {"behavior_style": style} | dict.fromkeys(LEVELLED, level)
        sentences = " ".join(conduct(chosen, dict.fromkeys(BIG_FIVE, level))).lower()
        assert not [term for term in terms if term in sentences]


def test_the_goal_is_told_with_what_a_label_says_where_that_differs(observe: Any) -> None:
    text = told(observe("console"))
    assert 'you would say something like: "Hi, I\'d like a game console for weekend gaming with friends."' in text
    assert "something in plastic (as it is printed: material plastic)" in text
    assert "nothing in black (as it is printed: colour black); and nothing compact." in text
    assert "at most $450." in text


def test_lines_without_content_are_left_out(observe: Any) -> None:
    assert "It must be nothing" not in told(observe("pizza"))
    assert "It must be nothing" in told(observe("milk"))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"budget_tier": "strict"}, "It is all you have for this."),
        ({"budget_tier": "flexible"}, "never more."),
        ({"acceptance": {"substitutes": False}}, "You want it exactly so"),
        ({"acceptance": {"substitutes": True}}, "you would look at an alternative"),
        (
            {"acceptance": {"substitutes": True}, "soft_labels": ["low-fat"]},
            "You could do without this if need be: something low in fat.",
        ),
        ({"acceptance": {"explanations": 0}}, "You need no explanation"),
        ({"acceptance": {"explanations": 2}}, "two explanations"),
        ({"acceptance": {"rejection": "compare"}}, "how the alternatives compare"),
        ({"acceptance": {"rejection": "clarify"}}, "what would fit better"),
    ],
)
def test_each_part_of_the_acceptance_policy_is_told(observe: Any, changes: dict[str, Any], sentence: str) -> None:
    assert sentence in told(observe("milk", **changes))
    assert (
        sentence
        not in told(
            observe("milk", acceptance={"substitutes": False, "explanations": 1})
            | {"goal": observe("milk", budget_tier="moderate")["goal"]}
        )
        or sentence == "You want it exactly so"
    )


def test_a_placeholder_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="heard"):
        filled_lines("now", {"turn": "1", "told": "", "untold": "", "hint": "", "held": "", "places": "",
                             "products": "", "legal": ""})  # fmt: skip
