"""The shipped bank and the tasks for training (S5, S9, S10, S11)."""

import json
import time
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

from siturec_gym.assets import read_asset
from siturec_gym.core.errors import DataError
from siturec_gym.tasks import TaskBank, load_task_bank, resolve_tasks, training_tasks
from siturec_gym.tasks.builder import needs_of
from siturec_gym.tasks.checking import check_bank
from siturec_gym.tasks.files import dump_bank
from siturec_gym.tasks.habits import STYLES
from siturec_gym.tasks.records import BIG_FIVE
from siturec_gym.tasks.roles import CONTEXT
from siturec_gym.tasks.targets import Materials


def test_25_profiles_with_four_tasks_each_in_order(bank: TaskBank, scene: str) -> None:
    assert [profile.id for profile in bank.profiles] == [f"{scene}/{p:02d}" for p in range(1, 26)]
    assert [task.id for task in bank] == [f"{scene}/{p:02d}.{t}" for p in range(1, 26) for t in range(1, 5)]
    assert all(task.id.startswith(f"{task.profile_id}.") for task in bank)


def test_the_bank_is_loaded_once(bank: TaskBank, scene: str) -> None:
    assert load_task_bank(scene) is bank
    assert resolve_tasks(scene) is bank
    assert resolve_tasks(scene, bank) is bank


def test_loading_is_fast(scene: str) -> None:
    start = time.process_time()
    load_task_bank.__wrapped__(scene)
    assert time.process_time() - start < 0.1


def test_targets_cover_categories_uses_and_places(bank: TaskBank, materials: Materials) -> None:
    assert {task.goal.category for task in bank} == set(materials.lexicon.categories)
    assert {materials.places[task.target][0] for task in bank} == {p for ps in materials.places.values() for p in ps}
    assert len({task.target for task in bank}) >= 95
    assert len({(task.goal.category, task.goal.use) for task in bank}) >= 90
    for profile in bank.profiles:
        categories = [task.goal.category for task in bank if task.profile_id == profile.id]
        assert len(set(categories)) == 4


def test_profiles_vary_in_every_setting(bank: TaskBank) -> None:
    settings = [profile.settings for profile in bank.profiles]
    assert Counter(s.behavior_style for s in settings) == dict.fromkeys(STYLES, 5)
    for name in ("patience", "price_sensitivity", "explanation_seeking", "substitute_willingness", "talkativeness"):
        assert min(Counter(getattr(s, name) for s in settings).values()) >= 3, name
    following = [s.navigation_following for s in settings]
    assert 0.6 <= min(following) < 0.7
    assert 0.9 < max(following) <= 0.98
    for profile in bank.profiles:
        assert set(profile.big_five) == set(BIG_FIVE)
        assert set(profile.context) == {"gender", *CONTEXT}


def test_living_contexts_stay_within_the_role(bank: TaskBank, materials: Materials) -> None:
    assert len({profile.persona for profile in bank.profiles}) == 25
    for profile, role in zip(bank.profiles, materials.roles, strict=True):
        assert profile.persona == role.persona
        assert all(profile.context[field] in role.context[field] for field in CONTEXT)
        assert profile.settings.price_sensitivity in role.price_sensitivity


def test_reference_sets_recomputed_from_the_raw_files(scene: str) -> None:
    products, tasks = (json.loads(read_asset(f"{scene}/{name}.json")) for name in ("products", "tasks"))
    for task in tasks:
        goal, expected = task["goal"], []
        for product in products:
            labels = {product["category"], *product["tags"]}
            for key, value in product["details"].items():
                if key in {"flavour", "material", "colour", "style", "size_category"} and value:
                    labels.add(f"{key.removesuffix('_category')}: {value}")
            wanted = all(label in labels for label in goal["required_labels"])
            refused = any(label in labels for label in goal["unwanted_labels"])
            if wanted and not refused and product["price"] <= goal["budget"]:
                expected.append(product["id"])
        assert task["reference_set"] == expected
        assert task["target"] in expected


def test_choosing_matters(bank: TaskBank, materials: Materials) -> None:
    sizes = [len(task.reference_set) for task in bank]
    assert 2 <= median(sizes) <= 4
    assert max(sizes) <= 5
    assert sum(size == 1 for size in sizes) <= 30
    for task in bank:
        assert len(task.reference_set) < len(materials.catalog.by_category[task.goal.category])
    assert min(Counter(task.goal.budget_tier for task in bank).values()) >= 20


def test_the_shipped_bank_is_free_of_conflicts(bank: TaskBank) -> None:
    assert check_bank(bank) == []


def test_no_private_sentence_stands_in_the_catalog(bank: TaskBank, scene: str) -> None:
    """Nothing a shopper says or is can be looked up by an assistant in the catalog (S1)."""
    catalog = read_asset(f"{scene}/products.json").decode().lower()
    private = {text for profile in bank.profiles for text in (profile.persona, profile.theme, profile.id)}
    private |= {text for task in bank for text in (task.goal.request, task.goal.use, task.id)}
    private |= {priority for profile in bank.profiles for priority in profile.priorities}
    # A single word, such as the priority "protein", may be on a package too; it tells nothing of a person.
    assert [text for text in sorted(private) if " " in text and text.lower() in catalog] == []


def test_training_tasks_are_fresh_and_sound(bank: TaskBank, scene: str) -> None:
    training = training_tasks(scene, seed=3, profiles=30)
    assert len(training) == 120
    assert training.scene == scene
    assert not {task.id for task in training} & {task.id for task in bank}
    assert not {profile.id for profile in training.profiles} & {profile.id for profile in bank.profiles}
    assert not needs_of(training) & needs_of(bank)
    assert check_bank(training) == []


def test_training_tasks_depend_on_the_seed_alone(scene: str) -> None:
    first = training_tasks(scene, seed=1, profiles=5)
    training_tasks.cache_clear()
    assert training_tasks(scene, seed=1, profiles=5) == first
    assert training_tasks(scene, seed=2, profiles=5) != first


def test_fewer_training_tasks_are_the_first_of_more(scene: str) -> None:
    few, more = training_tasks(scene, seed=1, profiles=2), training_tasks(scene, seed=1)
    assert few.tasks == more.tasks[:8]
    assert few.profiles == more.profiles[:2]


def test_tasks_are_resolved_by_name_path_or_bank(bank: TaskBank, scene: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(dump_bank(bank))
    assert resolve_tasks(scene, str(path)) == bank
    assert resolve_tasks(scene, path) == bank
    assert resolve_tasks(scene, "train", seed=1)[0].id == f"{scene}-train/001.1"


def test_what_cannot_be_resolved_is_refused_in_one_line(bank: TaskBank, scene: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'trian': neither 'bank', 'train' nor a file"):
        resolve_tasks(scene, "trian")
    with pytest.raises(ValueError, match="known scenes: supermarket, home_furnishings"):
        load_task_bank("bakery")
    with pytest.raises(ValueError, match="known scenes: supermarket, home_furnishings"):
        training_tasks("bakery")
    with pytest.raises(ValueError, match="allowed: 1 or more"):
        training_tasks(scene, profiles=0)
    with pytest.raises(ValueError, match=f"cannot be played in '{scene}'"):
        resolve_tasks(scene, TaskBank("elsewhere", bank.profiles, bank.tasks))
    with pytest.raises(DataError, match="cannot be read"):
        resolve_tasks(scene, tmp_path / "missing.json")
