"""The four-step builder: the same bytes from the same seed, and what each step promises (S10)."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siturec_gym.assets import read_asset
from siturec_gym.cli.main import run_command_line
from siturec_gym.core.errors import DataError
from siturec_gym.core.seeding import generator
from siturec_gym.tasks.builder import build_bank, load_materials
from siturec_gym.tasks.checking import check_bank
from siturec_gym.tasks.files import dump_profiles, dump_tasks, load_task_file
from siturec_gym.tasks.habits import draw_soft_labels, explanation_options, substitute_options, talk_options
from siturec_gym.tasks.labels import choose_labels, unwanted_candidates, wanted_candidates
from siturec_gym.tasks.targets import Materials

supermarket_only = pytest.mark.parametrize("scene", ["supermarket"], indirect=True)


def test_seed_42_reproduces_the_shipped_files(materials: Materials, scene: str) -> None:
    bank = build_bank(materials, 42)
    assert dump_profiles(bank).encode() == read_asset(f"{scene}/profiles.json")
    assert dump_tasks(bank).encode() == read_asset(f"{scene}/tasks.json")


def test_the_command_reproduces_the_shipped_files(
    scene: str, materials: Materials, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["tasks", "build", "--scene", scene, "--seed", "42", "--out", str(tmp_path)]
    assert run_command_line(command) == 0
    for name in ("profiles.json", "tasks.json"):
        assert (tmp_path / name).read_bytes() == read_asset(f"{scene}/{name}")
    categories = len(materials.catalog.by_category)
    assert f"25 profiles, 100 tasks in {categories} categories" in capsys.readouterr().out


def test_the_command_builds_one_file_that_can_be_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    assert run_command_line(["tasks", "build", "--seed", "8", "--profiles", "3", "--out", str(path)]) == 0
    assert len(load_task_file(path)) == 12
    assert run_command_line(["tasks", "check", "--tasks", str(path)]) == 0
    path.write_text(path.read_text().replace('"strict"', '"moderate"').replace('"flexible"', '"strict"'))
    assert run_command_line(["tasks", "check", "--tasks", str(path)]) == 1
    assert "conflicts in 12 tasks" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tasks", "build", "--scene", "moon", "--out", "unused"], "moon"),
        (["tasks", "check", "--tasks", "/nowhere/tasks.json"], "neither 'bank'"),
        (["tasks", "check", "--scene", "moon"], "known scenes: supermarket"),
        (["tasks", "build", "--profiles", "0"], "profiles"),
        (["tasks", "build", "--seed", "7"], "give --out for a bank of your own"),
        (["tasks", "build", "--out", "/dev/null/bank"], "cannot be written"),
    ],
)
def test_mistakes_are_answered_by_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(arguments) != 0
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10_000))
def test_any_seed_builds_a_sound_bank(scene: str, seed: int) -> None:
    bank = build_bank(load_materials(scene), seed)
    assert len(bank) == 100
    assert check_bank(bank) == []


def test_more_shoppers_than_roles_repeat_the_roles_in_order(materials: Materials) -> None:
    bank = build_bank(replace(materials, roles=materials.roles[:3]), 1, profiles=4)
    assert bank.profiles[0].persona == bank.profiles[3].persona
    assert bank.profiles[0] != bank.profiles[3]


def test_a_role_with_too_few_categories_is_refused(materials: Materials) -> None:
    role = replace(materials.roles[0], categories=materials.roles[0].categories[:2])
    with pytest.raises(DataError, match="only 2 categories"):
        build_bank(replace(materials, roles=(role,)), 1, profiles=1)


@supermarket_only
def test_labels_inform_and_unwanted_ones_are_carried_by_others(materials: Materials) -> None:
    shelf = materials.catalog.by_category["frozen fish"]
    cod, role = materials.catalog.by_id["P138"], materials.roles[15]
    wanted = wanted_candidates(cod, shelf, materials.lexicon)
    assert wanted == ["gluten-free", "high-protein", "low-fat", "mild", "plain", "skinless"]
    unwanted = unwanted_candidates(role, cod, shelf, materials.lexicon)
    assert "breaded" in unwanted
    assert not set(unwanted) & cod.labels


@supermarket_only
def test_a_taken_need_is_not_chosen_again(materials: Materials) -> None:
    role, target = materials.roles[15], materials.catalog.by_id["P138"]
    use = materials.lexicon.categories["frozen fish"].uses[0]
    taken = set()
    for number in range(30):
        wish = replace(materials, taken=frozenset(taken)).wish(role, target, use)
        choice = choose_labels(wish, generator(number, "labels"))
        need = (target.id, frozenset((target.category, *choice.extras)), frozenset(choice.unwanted))
        assert need not in taken
        taken.add(need)


@supermarket_only
def test_a_word_that_does_not_exist_describes_nothing(materials: Materials) -> None:
    target = materials.catalog.by_id["P001"]
    wish = replace(
        materials.wish(materials.roles[0], target, materials.lexicon.categories["bread"].uses[0]), shelf=(target,)
    )
    with pytest.raises(DataError, match="no labels describe P001"):
        choose_labels(wish, generator(0, "labels"))


@given(st.sampled_from(("low", "medium", "high")), st.sampled_from(("decisive", "explorer", "cautious", "social")))
def test_habits_stay_near_the_traits(level: str, style: str) -> None:
    traits = dict.fromkeys(("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism"), level)
    assert style in {"cautious", "decisive"} or level in explanation_options(style, traits)
    assert style == "explorer" or level in substitute_options(style, traits)
    assert style == "social" or level in talk_options(style, traits)


def test_soft_labels_never_leave_the_category_alone() -> None:
    rng = generator(0, "soft")
    assert draw_soft_labels(["mild"], 1, True, rng) == ()
    assert draw_soft_labels(["mild"], 2, False, rng) == ()
    assert draw_soft_labels([], 3, True, rng) == ()
    assert draw_soft_labels(["mild"], 2, True, rng) == ("mild",)
