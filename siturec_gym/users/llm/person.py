"""The private part of the prompt: who the shopper is, what they came for, and how that shows."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from string import Template
from typing import Any

from siturec_gym.core.text import parse_lines
from siturec_gym.tasks.records import BIG_FIVE
from siturec_gym.users.agenda.shopper import money
from siturec_gym.users.llm.texts import conduct_sentences, filled_lines

LEVELLED = ("patience", "price_sensitivity", "explanation_seeking", "substitute_willingness", "talkativeness")
FOLLOWS_SOMETIMES, FOLLOWS_MOSTLY = 0.7, 0.85
"""From these probabilities on, following guidance is said to be medium and high."""
_MOST_EXPLANATIONS = 2


@lru_cache(maxsize=512)
def person_and_goal(profile: str, goal: str) -> str:
    """The shopper and the need in words, from the two private texts of an observation."""
    person, aim = parse_lines(profile)[0], parse_lines(goal)[0]
    return f"{_person(person)}\n\n{_goal(aim)}\n"


def _person(person: Mapping[str, Any]) -> str:
    values = {
        "persona": str(person["persona"]),
        "context": "; ".join(map(str, person["context"].values())),
        "theme": str(person["theme"]),
        "priorities": ", ".join(person["priorities"]),
        "conduct": "\n".join(f"- {sentence}" for sentence in conduct(person["settings"], person["big_five"])),
    }
    return filled_lines("person", values)


def conduct(settings: Mapping[str, Any], big_five: Mapping[str, str]) -> list[str]:
    """Interaction settings and traits as sentences on behaviour (S9).

    Args:
        settings: The seven interaction settings by name.
        big_five: Trait -> low, medium or high.
    """
    follows = float(settings["navigation_following"])
    level = "low" if follows < FOLLOWS_SOMETIMES else "medium" if follows < FOLLOWS_MOSTLY else "high"
    keys = [f"behavior_style {settings['behavior_style']}", f"navigation_following {level}"]
    keys += [f"{name} {settings[name]}" for name in LEVELLED]
    keys += [f"{trait} {big_five[trait]}" for trait in BIG_FIVE if trait in big_five]
    return [conduct_sentences()[key] for key in keys]


def _goal(aim: Mapping[str, Any]) -> str:
    words, needed = aim["needs"], [label for label in aim["required_labels"] if label != aim["category"]]
    acceptance = aim["acceptance"]
    wanted = min(int(acceptance.get("explanations", 0)), _MOST_EXPLANATIONS)
    values = {
        "request": aim["request"],
        "category": words.get(aim["category"], aim["category"]),
        "use": aim["use"],
        "needs": _listed(needed, words, "; and something "),
        "unwanted": _listed(aim["unwanted_labels"], words, "; and nothing "),
        "budget": money(float(aim["budget"])),
        "tier": conduct_sentences()[f"tier {aim['budget_tier']}"],
        "substitutes": _substitutes(aim),
        "explanations": conduct_sentences()[f"explanations {wanted}"],
        "rejection": conduct_sentences()[f"rejection {acceptance.get('rejection', 'reason')}"],
    }
    return filled_lines("goal", values)


def _listed(labels: Sequence[str], words: Mapping[str, str], joint: str) -> str:
    """Each label in the shopper's words, with how a package or tag puts it where that differs."""
    return joint.join(_worded(label, words.get(label, label)) for label in labels)


def _worded(label: str, words: str) -> str:
    printed = label.replace(": ", " ")
    return words if printed in words else f"{words} (as it is printed: {printed})"


def _substitutes(aim: Mapping[str, Any]) -> str:
    if not aim["acceptance"].get("substitutes"):
        return conduct_sentences()["substitutes no"]
    soft = " or ".join(f"something {aim['needs'].get(label, label)}" for label in aim["soft_labels"])
    if not soft:
        return conduct_sentences()["substitutes open"]
    return Template(conduct_sentences()["substitutes yes"]).substitute(soft=soft)
