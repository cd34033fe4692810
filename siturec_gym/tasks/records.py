"""Private profile and goal of a shopper, and the task that pairs them (SituRecBench, A.2 and A.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

BIG_FIVE = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")


@dataclass(frozen=True)
class InteractionSettings:
    """How a shopper behaves. Every field changes the simulated user's behaviour (S9).

    Attributes:
        behavior_style: decisive, explorer, cautious, social or practical.
        patience: low, medium or high: how long unhelpful turns are borne.
        price_sensitivity: low, medium or high.
        explanation_seeking: low, medium or high: how much is asked before a purchase.
        substitute_willingness: low, medium or high: openness to items short of the softer preferences.
        navigation_following: Probability 0..1 of doing what the assistant's guidance says.
        talkativeness: low, medium or high.
    """

    behavior_style: str
    patience: str
    price_sensitivity: str
    explanation_seeking: str
    substitute_willingness: str
    navigation_following: float
    talkativeness: str


@dataclass(frozen=True)
class Profile:
    """A shopper. Private to the user's side.

    Attributes:
        id: "supermarket/01" to "supermarket/25".
        persona: One line: role name and background.
        context: gender, age_group, employment, occupation, household, housing, transport, storage.
        big_five: Trait -> low, medium or high.
    """

    id: str
    persona: str
    theme: str
    priorities: tuple[str, ...]
    context: dict[str, str]
    big_five: dict[str, str]
    settings: InteractionSettings


@dataclass(frozen=True)
class Goal:
    """What the shopper came for. Private to the user's side.

    Attributes:
        request: The opening need in the shopper's words: broad category and/or use, never a product name.
        category: Catalog category of the need.
        use: What it is for, such as "a quick weekday dinner"; it completes "for ...".
        required_labels: Labels a product must carry; the category is always the first.
        unwanted_labels: Labels it must not carry.
        soft_labels: The part of required_labels that a shopper open to substitutes may let go of.
        needs: Label -> the shopper's words for it, for required and unwanted labels. The category's words are what one
            asks for ("some milk"); a required label's complete "something ..." ("without lactose"), an unwanted
            label's complete "nothing ..." ("in breadcrumbs").
        budget: Most the shopper pays, dollars.
        budget_tier: strict, moderate or flexible.
        disclosure: Kinds of detail in the order they are told: category, use, budget, unwanted, needs.
        acceptance: substitutes (bool), explanations (int wanted before buying), rejection: reason|clarify|compare.
    """

    request: str
    category: str
    use: str
    required_labels: tuple[str, ...]
    unwanted_labels: tuple[str, ...]
    soft_labels: tuple[str, ...]
    needs: dict[str, str]
    budget: float
    budget_tier: str
    disclosure: tuple[str, ...]
    acceptance: dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One shopping task.

    Attributes:
        id: "supermarket/PP.T".
        target: The product the need was built around. Evaluation only.
        reference_set: A_e: every product that meets labels and budget, in catalog order. Evaluation only.
    """

    id: str
    profile_id: str
    goal: Goal
    target: str
    reference_set: tuple[str, ...]


@dataclass(frozen=True)
class TaskBank(Sequence[Task]):
    """Profiles and their tasks; ``bank[i]`` is the i-th task."""

    scene: str
    profiles: tuple[Profile, ...]
    tasks: tuple[Task, ...]

    def __len__(self) -> int:
        return len(self.tasks)

    def __iter__(self) -> Iterator[Task]:
        return iter(self.tasks)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self.tasks[index]
