"""What ``--tasks`` takes."""

import pytest

from siturec_gym.evaluation.task_selection import bank_for, select_tasks
from siturec_gym.metrics.partition import full_bank, partition
from siturec_gym.tasks.records import Goal, Task, TaskBank

GOAL = Goal("", "milk", "", ("milk",), (), (), {}, 5.0, "strict", (), {})
BANK = TaskBank(
    "supermarket",
    (),
    tuple(Task(task, profile, GOAL, "P001", ("P001",)) for task, profile in full_bank("supermarket").items()),
)


def ids(selection: str) -> list[str]:
    return [task.id for task in select_tasks(selection, BANK)]


def test_ranges_count_as_slices_do():
    assert ids("0:3") == ["supermarket/01.1", "supermarket/01.2", "supermarket/01.3"]
    assert ids(":") == [task.id for task in BANK]
    assert ids("98:200") == ["supermarket/25.3", "supermarket/25.4"]
    assert ids("0:100:50") == ["supermarket/01.1", "supermarket/13.3"]


def test_ids_with_or_without_the_scene_in_the_order_given():
    assert ids("supermarket/03.2, 01.4") == ["supermarket/03.2", "supermarket/01.4"]


def test_one_per_profile_is_the_first_subset_of_the_papers_split():
    chosen = ids("one-per-profile")
    assert sorted(chosen) == sorted(partition(full_bank("supermarket"))[0])
    assert chosen == sorted(chosen)


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        ("a:b", "not understood"),
        ("0:1:2:3", "not understood"),
        ("0:9:0", "not understood"),
        ("100:120", "names no task; the bank has 100"),
        ("26.1", "unknown task '26.1'"),
        ("", "unknown task ''"),
        ("01.1,01.1", "named twice"),
    ],
)
def test_anything_else_is_one_clear_line(selection, message):
    with pytest.raises(ValueError, match=message):
        ids(selection)


def test_training_tasks_are_as_many_as_asked_for_and_none_of_the_bank():
    few, more = bank_for("train:5", "SituRec-Supermarket-v0"), bank_for("train:9", "SituRec-Supermarket-v0")
    chosen = select_tasks("train:5", few)
    assert len(chosen) == 5
    assert chosen == select_tasks("train:9", more)[:5]
    assert all(task.id.startswith("supermarket-train/") for task in chosen)


def test_no_training_task_and_no_environment_are_one_clear_line():
    for wanted in ("train:0", "train:100000000"):
        with pytest.raises(ValueError, match=f"'{wanted}': give train:1 to train:10000"):
            bank_for(wanted, "SituRec-Supermarket-v0")
    with pytest.raises(ValueError, match="unknown environment 'Shop-v0'"):
        bank_for("train:3", "Shop-v0")
