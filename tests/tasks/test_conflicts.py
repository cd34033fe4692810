"""The conflict check finds each fault that is put into a sound task (S10)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from siturec_gym.tasks import TaskBank
from siturec_gym.tasks.budgets import task_budget
from siturec_gym.tasks.conflicts import Case, conflicts_of
from siturec_gym.tasks.goals import reference_set
from siturec_gym.tasks.records import Goal, Task
from siturec_gym.tasks.targets import Materials

pytestmark = pytest.mark.parametrize("scene", ["supermarket"], indirect=True)
CaseOf = Callable[[str], Case]
WithGoal = Callable[..., Case]


@pytest.fixture
def fish(materials: Materials, bank: TaskBank) -> Case:
    """Plain cod for a retired fisherman, all by hand."""
    role = materials.roles[15]
    goal = Goal(
        request="I need some frozen fish for a light dinner.", category="frozen fish", use="a light dinner",
        required_labels=("frozen fish", "plain", "skinless"), unwanted_labels=("spicy",), soft_labels=("skinless",),
        needs={"frozen fish": "some frozen fish", "plain": "plain", "skinless": "without skin", "spicy": "spicy"},
        budget=10.0, budget_tier="strict", disclosure=("category", "use", "budget", "unwanted", "needs"),
        acceptance={"substitutes": True, "explanations": 1, "rejection": "reason"},
    )  # fmt: skip
    profile = next(p for p in bank.profiles if p.persona == role.persona)
    settings = replace(profile.settings, price_sensitivity="medium", substitute_willingness="high")
    profile = replace(profile, settings=settings)
    task = Task("supermarket/16.9", profile.id, goal, "P138", ("P138", "P141"))
    return Case(task, profile, role, materials.catalog, materials.lexicon)


def test_the_hand_made_task_is_sound(fish: Case) -> None:
    assert conflicts_of(fish) == []


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"request": "I need Tidewell for a light dinner."}, "name the brand 'Tidewell'"),
        ({"use": "Tidewell Plain Cod Fillets 400 g"}, "name the product"),
        ({"needs": {"frozen fish": "fish", "plain": "plain", "skinless": "like Gullhaven", "spicy": "spicy"}},
         "name the brand 'Gullhaven'"),
        ({"request": "Hello."}, "tells neither category nor use"),
        ({"request": "I need some frozen fish.", "disclosure": ("use", "category", "budget", "unwanted", "needs")},
         "starts with 'use'"),
        ({"disclosure": ("budget", "category", "use", "unwanted", "needs")}, "disclosure order"),
        ({"required_labels": ("frozen fish", "plain", "spicy")}, "'spicy' is required and unwanted"),
        ({"required_labels": ("frozen fish", "plain", "breaded")}, "contradict each other: breaded, plain"),
        ({"required_labels": ("frozen fish", "plain", "organic")}, "target lacks the required label 'organic'"),
        ({"required_labels": ("plain", "skinless")}, "must start with the category"),
        ({"required_labels": ("frozen fish",)}, "1 required labels"),
        ({"required_labels": ("frozen fish", "plain", "purple")}, "no product carries the label 'purple'"),
        ({"unwanted_labels": ("mild",)}, "target carries the unwanted label 'mild'"),
        ({"unwanted_labels": ("spicy", "breaded", "marinated")}, "3 unwanted labels"),
        ({"unwanted_labels": ("spicy", "mild")}, "unwanted labels contradict"),
        ({"unwanted_labels": ()}, "'spicy' has words but is not asked for"),
        ({"needs": {"frozen fish": "some frozen fish"}}, "'plain' has no words"),
        ({"budget": 11.0}, "the rule for strict gives 10.0"),
        ({"budget": 9.0}, "does not exceed the target's price 9.49"),
        ({"budget": 1.0}, "no product meets labels and budget"),
        ({"budget_tier": "lavish"}, "budget tier 'lavish'"),
        ({"soft_labels": ("breaded",)}, "soft labels must be required"),
        ({"soft_labels": ("frozen fish",)}, "soft labels must be required"),
        ({"acceptance": {"substitutes": False, "rejection": "reason"}}, "soft labels need"),
        ({"acceptance": {"substitutes": True, "rejection": "shout"}}, "rejection 'shout'"),
        ({"use": "a birthday party"}, "the use 'a birthday party' is none of"),
        ({"category": "frozen gold"}, "category 'frozen gold' does not exist"),
    ],
)  # fmt: skip
def test_a_fault_in_the_goal_is_found(fish: Case, with_goal: WithGoal, fields: dict[str, Any], message: str) -> None:
    found = conflicts_of(with_goal(fish, **fields))
    assert any(message in line for line in found), found
    assert all(line.startswith("supermarket/16.9: ") for line in found)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"target": "P999"}, "product 'P999' does not exist"),
        ({"reference_set": ()}, "reference set lacks the target"),
        ({"reference_set": ("P138",)}, "labels and budget give P138, P141"),
        ({"reference_set": ("P141", "P138")}, "labels and budget give"),
        ({"target": "P142"}, "target lacks the required label 'plain'"),
    ],
)
def test_a_fault_in_the_task_is_found(fish: Case, fields: dict[str, Any], message: str) -> None:
    found = conflicts_of(replace(fish, task=replace(fish.task, **fields)))
    assert any(message in line for line in found), found


def test_a_diet_without_fish_is_found(fish: Case) -> None:
    for diet in ("vegan", "vegetarian"):
        found = conflicts_of(replace(fish, role=replace(fish.role, diet=diet)))
        assert any(f"P138 does not fit the diet {diet!r}" in line for line in found)


def test_a_storage_without_a_freezer_is_found(fish: Case) -> None:
    context = {**fish.profile.context, "storage": "a small fridge without a freezer"}
    found = conflicts_of(replace(fish, profile=replace(fish.profile, context=context)))
    assert any("cannot be stored" in line for line in found)


def test_habits_that_do_not_fit_are_found(fish: Case) -> None:
    settings = replace(fish.profile.settings, price_sensitivity="low", substitute_willingness="low")
    found = conflicts_of(replace(fish, profile=replace(fish.profile, settings=settings)))
    assert any("strict budget does not fit low price sensitivity" in line for line in found)
    assert any("willingness is low" in line for line in found)


@pytest.mark.parametrize(("category", "fact"), [("cat food", "cat"), ("dog food", "dog"), ("diapers", "baby")])
def test_goods_without_the_life_for_them_are_found(bank: TaskBank, case_of: CaseOf, category: str, fact: str) -> None:
    case = case_of(next(task.id for task in bank if task.goal.category == category))
    assert conflicts_of(case) == []
    assert case.role is not None
    found = conflicts_of(replace(case, role=replace(case.role, facts=case.role.facts - {fact})))
    assert any("no place in this life" in line for line in found)


def test_a_reference_product_that_does_not_serve_the_use_is_found(materials: Materials, fish: Case) -> None:
    butter = materials.catalog.by_id["P197"]
    required = ("butter", "vegetarian")
    goal = replace(
        fish.goal, request="I need some butter or spread.", category="butter", use="baking a cake",
        required_labels=required, unwanted_labels=(), soft_labels=(), budget_tier="flexible",
        budget=task_budget(materials.catalog, butter, required, (), "flexible"),
        needs={"butter": "some butter or spread", "vegetarian": "vegetarian"},
    )  # fmt: skip
    task = replace(fish.task, goal=goal, target="P197", reference_set=reference_set(materials.catalog, goal))
    found = conflicts_of(replace(fish, task=task))
    assert found
    assert all("does not serve 'baking a cake'" in line for line in found)


def test_a_use_from_another_life_is_found(fish: Case, materials: Materials, case_of: CaseOf, bank: TaskBank) -> None:
    case = case_of(next(task.id for task in bank if task.goal.use == "the family bathroom"))
    assert case.role is not None
    alone = replace(case, role=replace(case.role, facts=frozenset({"children"})))
    assert any("needs a life with 'family'" in line for line in conflicts_of(alone))


def test_a_task_of_an_unknown_role_is_checked_for_the_rest(fish: Case, with_goal: WithGoal) -> None:
    stranger = replace(fish, role=None)
    assert conflicts_of(stranger) == []
    assert conflicts_of(with_goal(stranger, budget=11.0)) != []
