"""The consistency check of the task builder: every way in which a task can contradict itself or its role (S10).

Each check returns the conflicts it finds, one line each; an empty list means that it finds none.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from siturec_gym.catalog import Catalog, Product
from siturec_gym.tasks.budgets import TIERS, task_budget
from siturec_gym.tasks.goals import reference_set
from siturec_gym.tasks.habits import DISCLOSED_LAST, TIERS_OF_SENSITIVITY
from siturec_gym.tasks.labels import MAX_EXTRA_LABELS, MAX_UNWANTED
from siturec_gym.tasks.lexicon import Lexicon
from siturec_gym.tasks.records import Goal, Profile, Task
from siturec_gym.tasks.roles import Role
from siturec_gym.tasks.targets import life_allows, storage_allows

OPENING_ORDERS = (("category", "use", *DISCLOSED_LAST), ("use", "category", *DISCLOSED_LAST))
REJECTIONS = ("reason", "clarify", "compare")


@dataclass(frozen=True)
class Case:
    """A task with everything it is judged by; ``role`` is None where the profile's author is somebody else."""

    task: Task
    profile: Profile
    role: Role | None
    catalog: Catalog
    lexicon: Lexicon

    @property
    def goal(self) -> Goal:
        """The task's goal."""
        return self.task.goal

    @property
    def target(self) -> Product:
        """The task's target product; KeyError if there is none of that id."""
        return self.catalog.by_id[self.task.target]


def conflicts_of(case: Case) -> list[str]:
    """Everything wrong with a task, one line each, starting with its id."""
    unknown = _unknown_names(case)
    found = unknown or [line for check in _CHECKS for line in check(case)]
    return [f"{case.task.id}: {line}" for line in found]


def _unknown_names(case: Case) -> list[str]:
    task, goal, known = case.task, case.goal, set(case.catalog.vocabulary)
    lines = [f"product {name!r} does not exist" for name in (task.target, *task.reference_set)
             if name not in case.catalog.by_id]  # fmt: skip
    labels = (*goal.required_labels, *goal.unwanted_labels)
    lines += [f"no product carries the label {label!r}" for label in labels if label not in known]
    if goal.budget_tier not in TIERS:
        lines.append(f"budget tier {goal.budget_tier!r}; allowed: {', '.join(TIERS)}")
    if goal.category not in case.lexicon.categories:
        lines.append(f"category {goal.category!r} does not exist")
    return lines


def _labels(case: Case) -> Iterable[str]:
    goal, target = case.goal, case.target
    required, unwanted = goal.required_labels, goal.unwanted_labels
    if required[:1] != (goal.category,):
        yield f"required labels must start with the category {goal.category!r}"
    if not 2 <= len(required) <= MAX_EXTRA_LABELS + 1:
        yield f"{len(required)} required labels; 2 to {MAX_EXTRA_LABELS + 1} are allowed"
    if len(unwanted) > MAX_UNWANTED:
        yield f"{len(unwanted)} unwanted labels; at most {MAX_UNWANTED} are allowed"
    for label in sorted(set(required) & set(unwanted)):
        yield f"label {label!r} is required and unwanted"
    for labels, what in ((required, "required"), (unwanted, "unwanted")):
        if pair := case.lexicon.opposed(labels):
            yield f"{what} labels contradict each other: {', '.join(sorted(pair))}"
    for label in sorted(set(required) - target.labels):
        yield f"the target lacks the required label {label!r}"
    for label in sorted(set(unwanted) & target.labels):
        yield f"the target carries the unwanted label {label!r}"


def _wording(case: Case) -> Iterable[str]:
    goal = case.goal
    spoken = {*goal.required_labels, *goal.unwanted_labels}
    for label in sorted(spoken ^ set(goal.needs)):
        yield f"label {label!r} " + ("has no words in needs" if label in spoken else "has words but is not asked for")
    told = [kind for kind, words in (("category", goal.needs.get(goal.category)), ("use", goal.use))
            if words and words in goal.request]  # fmt: skip
    if not told:
        yield "the request tells neither category nor use"
    if goal.disclosure not in OPENING_ORDERS:
        yield f"disclosure order {goal.disclosure!r} does not end with {', '.join(DISCLOSED_LAST)}"
    elif told and goal.disclosure[0] not in told:
        yield f"disclosure starts with {goal.disclosure[0]!r}, which the request does not tell"


def _leaks(case: Case) -> Iterable[str]:
    spoken = " | ".join((case.goal.request, case.goal.use, *case.goal.needs.values())).lower()
    for product in case.catalog:
        if product.name.lower() in spoken:
            yield f"the shopper's words name the product {product.name!r}"
    for brand in sorted({product.details["brand"] for product in case.catalog}):
        if re.search(rf"\b{re.escape(brand.lower())}\b", spoken):
            yield f"the shopper's words name the brand {brand!r}"


def _money(case: Case) -> Iterable[str]:
    goal, task = case.goal, case.task
    expected = task_budget(case.catalog, case.target, goal.required_labels, goal.unwanted_labels, goal.budget_tier)
    if goal.budget != expected:
        yield f"budget {goal.budget} where the rule for {goal.budget_tier} gives {expected}"
    if not goal.budget > case.target.price:
        yield f"budget {goal.budget} does not exceed the target's price {case.target.price}"
    found = reference_set(case.catalog, goal)
    if not found:
        yield "no product meets labels and budget"
    if task.reference_set != found:
        yield f"reference set {', '.join(task.reference_set)} where labels and budget give {', '.join(found)}"
    if task.target not in task.reference_set:
        yield "the reference set lacks the target"


def _habits(case: Case) -> Iterable[str]:
    goal, settings = case.goal, case.profile.settings
    allowed = TIERS_OF_SENSITIVITY.get(settings.price_sensitivity, ())
    if goal.budget_tier not in allowed:
        yield f"a {goal.budget_tier} budget does not fit {settings.price_sensitivity} price sensitivity"
    if not set(goal.soft_labels) <= set(goal.required_labels[1:]):
        yield "soft labels must be required labels other than the category"
    if goal.soft_labels and not goal.acceptance.get("substitutes"):
        yield "soft labels need a shopper who considers substitutes"
    if goal.acceptance.get("substitutes") and settings.substitute_willingness == "low":
        yield "substitutes are considered although willingness is low"
    if goal.acceptance.get("rejection") not in REJECTIONS:
        yield f"rejection {goal.acceptance.get('rejection')!r}; allowed: {', '.join(REJECTIONS)}"


def _life(case: Case) -> Iterable[str]:
    if case.role is None:
        return
    role, target, lexicon, storage = case.role, case.target, case.lexicon, case.profile.context.get("storage", "")
    if not life_allows(role, target, lexicon):
        yield f"{target.id} ({target.category}) has no place in this life"
    if not storage_allows(storage, target, lexicon):
        yield f"{target.id} cannot be stored in {storage}"
    for product_id in case.task.reference_set:
        if not lexicon.allows(role.diet, case.catalog.by_id[product_id]):
            yield f"reference product {product_id} does not fit the diet {role.diet!r}"


def _use(case: Case) -> Iterable[str]:
    use = next((use for use in case.lexicon.categories[case.goal.category].uses if use.text == case.goal.use), None)
    if use is None:
        yield f"the use {case.goal.use!r} is none of {case.goal.category!r}"
        return
    if case.role is not None and use.requires and use.requires not in case.role.facts:
        yield f"the use {use.text!r} needs a life with {use.requires!r}"
    for product_id in case.task.reference_set:
        if not use.suits(case.catalog.by_id[product_id]):
            yield f"reference product {product_id} does not serve {use.text!r}"


_CHECKS: tuple[Callable[[Case], Iterable[str]], ...] = (
    _labels, _wording, _leaks, _money, _habits, _life, _use,
)  # fmt: skip
