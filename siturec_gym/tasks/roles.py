"""Step 1 of the task builder: roles, themes and sampled shoppers (SituRecBench, A.3)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from siturec_gym.tasks.habits import LEVELS, STYLES, draw_settings, one_of
from siturec_gym.tasks.lexicon import parsed
from siturec_gym.tasks.records import BIG_FIVE, Profile

CONTEXT = ("age_group", "employment", "occupation", "household", "housing", "transport", "storage")
GENDERS = ("woman", "man", "nonbinary person")
GENDER_SHARES = (0.48, 0.48, 0.04)


@dataclass(frozen=True)
class Role:
    """A kind of shopper, as authored in ``roles.json``.

    Attributes:
        theme: What the shopping is about.
        facts: What is so in this life: children, baby, family, cat, dog.
        diet: A diet of the lexicon, "" for none.
        context: Field of the living context -> the options this background leaves open.
        price_sensitivity: Options.
        favoured: Labels this shopper tends to ask for.
        disliked: Labels this shopper tends to refuse.
        categories: Where this shopper's targets may lie.
    """

    name: str
    background: str
    theme: str
    priorities: tuple[str, ...]
    facts: frozenset[str]
    diet: str
    context: Mapping[str, tuple[str, ...]]
    price_sensitivity: tuple[str, ...]
    favoured: frozenset[str]
    disliked: frozenset[str]
    categories: tuple[str, ...]

    @property
    def persona(self) -> str:
        """One line: name and background. Unique, so that a profile's role can be found again."""
        return f"{self.name}: {self.background}"


def load_roles(scene: str | Path) -> tuple[Role, ...]:
    """The authored roles of a shipped scene, or of one of your own that lies in a folder.

    Raises:
        DataError: The file is missing, changed or malformed.
    """
    return parsed(scene, "roles.json", lambda raw: tuple(_role(entry) for entry in raw))


def draw_styles(count: int, rng: np.random.Generator) -> list[str]:
    """A behaviour style for each of ``count`` shoppers; every block of five has each style once."""
    blocks = [rng.permutation(len(STYLES)) for _ in range(-(-count // len(STYLES)))]
    return [STYLES[int(index)] for block in blocks for index in block][:count]


def draw_profile(role: Role, profile_id: str, style: str, rng: np.random.Generator) -> Profile:
    """A shopper of this role: gender and Big Five drawn freely, the living context within the role's options."""
    gender = str(rng.choice(GENDERS, p=GENDER_SHARES))
    big_five = {trait: one_of(LEVELS, rng) for trait in BIG_FIVE}
    context = {field: one_of(role.context[field], rng) for field in CONTEXT}
    return Profile(
        id=profile_id,
        persona=role.persona,
        theme=role.theme,
        priorities=role.priorities,
        context={"gender": gender, **context},
        big_five=big_five,
        settings=draw_settings(style, one_of(role.price_sensitivity, rng), big_five, rng),
    )


def _role(raw: Mapping[str, Any]) -> Role:
    return Role(
        name=raw["name"],
        background=raw["background"],
        theme=raw["theme"],
        priorities=tuple(raw["priorities"]),
        facts=frozenset(raw["facts"]),
        diet=raw["diet"],
        context={field: tuple(raw["context"][field]) for field in CONTEXT},
        price_sensitivity=tuple(raw["price_sensitivity"]),
        favoured=frozenset(raw["favoured"]),
        disliked=frozenset(raw["disliked"]),
        categories=tuple(raw["categories"]),
    )
