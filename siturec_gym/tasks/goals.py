"""Step 3 continued: a goal put into a shopper's words, with habits and budget (SituRecBench, A.3)."""

from collections.abc import Iterable

import numpy as np

from siturec_gym.catalog import Catalog, Product, matching
from siturec_gym.tasks.budgets import task_budget
from siturec_gym.tasks.habits import disclosure_order, draw_acceptance, draw_soft_labels, draw_tier, one_of
from siturec_gym.tasks.labels import LabelChoice
from siturec_gym.tasks.lexicon import Lexicon, Use
from siturec_gym.tasks.records import Goal, Profile, Task

OPENINGS = ("both", "category", "use")
OPENING_SHARES = (0.6, 0.25, 0.15)


def make_task(
    task_id: str,
    profile: Profile,
    target: Product,
    use: Use,
    choice: LabelChoice,
    catalog: Catalog,
    lexicon: Lexicon,
    rng: np.random.Generator,
) -> Task:
    """The task of a target whose labels are chosen: wording, habits, budget and reference set."""
    required = (target.category, *choice.extras)
    opening = str(rng.choice(OPENINGS, p=OPENING_SHARES))
    tier = draw_tier(profile.settings, rng)
    acceptance = draw_acceptance(profile.settings, rng)
    negotiable = [label for label in choice.extras if (words := lexicon.label(label)) and words.kind != "diet"]
    budget = task_budget(catalog, target, required, choice.unwanted, tier)
    goal = Goal(
        request=_request(opening, lexicon.categories[target.category].words, use.text, lexicon, rng),
        category=target.category,
        use=use.text,
        required_labels=required,
        unwanted_labels=choice.unwanted,
        soft_labels=draw_soft_labels(negotiable, len(choice.extras), acceptance["substitutes"], rng),
        needs=_needs(target.category, choice, lexicon, rng),
        budget=budget,
        budget_tier=tier,
        disclosure=disclosure_order(opening),
        acceptance=acceptance,
    )
    return Task(task_id, profile.id, goal, target.id, reference_set(catalog, goal))


def reference_set(catalog: Iterable[Product], goal: Goal) -> tuple[str, ...]:
    """A_e: ids of all products that meet the goal's labels and budget, in catalog order."""
    met = matching(catalog, goal.required_labels, goal.unwanted_labels, goal.budget)
    return tuple(product.id for product in met)


def _request(opening: str, words: str, use: str, lexicon: Lexicon, rng: np.random.Generator) -> str:
    return one_of(lexicon.requests[opening], rng).format(words=words, use=use)


def _needs(category: str, choice: LabelChoice, lexicon: Lexicon, rng: np.random.Generator) -> dict[str, str]:
    """Label -> the shopper's words, never the same words twice."""
    needs = {category: lexicon.categories[category].words}
    phrases = [(label, "wanted") for label in choice.extras] + [(label, "avoided") for label in choice.unwanted]
    for label, side in phrases:
        words = lexicon.label(label)
        options = getattr(words, side)
        fresh = [phrase for phrase in options if phrase not in needs.values()]
        needs[label] = one_of(fresh or options, rng)
    return needs
