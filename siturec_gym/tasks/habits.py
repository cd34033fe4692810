"""Dialogue habits and budget tier, sampled from the options that a shopper's traits leave open (SituRecBench, A.3)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from siturec_gym.tasks.records import InteractionSettings

LEVELS = ("low", "medium", "high")
STYLES = ("decisive", "explorer", "cautious", "social", "practical")
TIERS_OF_SENSITIVITY = {
    "high": ("strict", "moderate"),
    "medium": ("strict", "moderate", "flexible"),
    "low": ("moderate", "flexible"),
}
PATIENCE_OF_NEUROTICISM = {
    "low": ("medium", "high"),
    "medium": ("low", "medium", "high"),
    "high": ("low", "medium"),
}
NEARBY_LEVELS = {"low": ("low", "medium"), "medium": ("low", "medium", "high"), "high": ("medium", "high")}
FOLLOWING_OF_AGREEABLENESS = {"low": (0.60, 0.76), "medium": (0.70, 0.90), "high": (0.82, 0.98)}
REJECTIONS_OF_STYLE = {
    "decisive": ("reason",),
    "explorer": ("compare", "reason"),
    "cautious": ("clarify", "compare"),
    "social": ("clarify", "reason"),
    "practical": ("reason", "compare"),
}
EXPLANATIONS = {"low": 0, "medium": 1, "high": 2}
DISCLOSED_LAST = ("budget", "unwanted", "needs")


def draw_settings(
    style: str, price_sensitivity: str, big_five: Mapping[str, str], rng: np.random.Generator
) -> InteractionSettings:
    """Interaction settings that fit the traits and the behaviour style."""
    low, high = FOLLOWING_OF_AGREEABLENESS[big_five["agreeableness"]]
    return InteractionSettings(
        behavior_style=style,
        patience=one_of(PATIENCE_OF_NEUROTICISM[big_five["neuroticism"]], rng),
        price_sensitivity=price_sensitivity,
        explanation_seeking=one_of(explanation_options(style, big_five), rng),
        substitute_willingness=one_of(substitute_options(style, big_five), rng),
        navigation_following=round(float(rng.uniform(low, high)), 2),
        talkativeness=one_of(talk_options(style, big_five), rng),
    )


def explanation_options(style: str, big_five: Mapping[str, str]) -> tuple[str, ...]:
    """How much such a shopper may want explained."""
    if style == "decisive":
        return ("low",)
    if style == "cautious":
        return ("medium", "high")
    return NEARBY_LEVELS[big_five["conscientiousness"]]


def substitute_options(style: str, big_five: Mapping[str, str]) -> tuple[str, ...]:
    """How open to substitutes such a shopper may be."""
    return ("medium", "high") if style == "explorer" else NEARBY_LEVELS[big_five["openness"]]


def talk_options(style: str, big_five: Mapping[str, str]) -> tuple[str, ...]:
    """How talkative such a shopper may be."""
    return ("medium", "high") if style == "social" else NEARBY_LEVELS[big_five["extraversion"]]


def draw_tier(settings: InteractionSettings, rng: np.random.Generator) -> str:
    """A budget tier that fits the price sensitivity."""
    return one_of(TIERS_OF_SENSITIVITY[settings.price_sensitivity], rng)


def draw_acceptance(settings: InteractionSettings, rng: np.random.Generator) -> dict[str, Any]:
    """The acceptance policy: whether substitutes are considered, explanations wanted, and the answer to a bad fit."""
    open_minded = {"low": 0.0, "medium": 0.5, "high": 1.0}[settings.substitute_willingness]
    return {
        "substitutes": bool(rng.random() < open_minded),
        "explanations": EXPLANATIONS[settings.explanation_seeking],
        "rejection": one_of(REJECTIONS_OF_STYLE[settings.behavior_style], rng),
    }


def draw_soft_labels(
    candidates: Sequence[str], extras: int, substitutes: bool, rng: np.random.Generator
) -> tuple[str, ...]:
    """The labels a shopper open to substitutes may let go of: at most one, and never all of what was asked for.

    Args:
        candidates: Required labels that are no matter of diet.
        extras: How many labels are required beside the category.
        substitutes: Whether the shopper considers substitutes at all.
        rng: Source of the draw.
    """
    if not substitutes or not candidates or extras < 2:
        return ()
    return (one_of(candidates, rng),)


def disclosure_order(opening: str) -> tuple[str, ...]:
    """The order of disclosure (S11) after an opening that tells "both", the "category" or the "use"."""
    first = ("use", "category") if opening == "use" else ("category", "use")
    return (*first, *DISCLOSED_LAST)


def one_of(options: Sequence[str], rng: np.random.Generator) -> str:
    """One of the options, each as likely as the others."""
    return options[int(rng.integers(len(options)))]
