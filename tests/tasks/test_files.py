"""Task files: an exact round trip, and one clear line for each fault (S9, S10)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siturec_gym.core.errors import DataError
from siturec_gym.tasks import TaskBank, load_task_file
from siturec_gym.tasks.files import dump_bank, dump_profiles, dump_tasks, parse_bank

Change = Callable[[dict[str, Any]], object]


def test_a_bank_survives_the_round_trip(bank: TaskBank, tmp_path: Path) -> None:
    path = tmp_path / "bank.json"
    path.write_text(dump_bank(bank))
    assert load_task_file(path) == bank
    assert parse_bank(bank.scene, dump_profiles(bank).encode(), dump_tasks(bank).encode()) == bank


FAULTS: list[tuple[Change, str]] = [
    (lambda raw: raw.pop("tasks"), "tasks: Field required"),
    (lambda raw: raw.update(tasks=[]), "there are no tasks"),
    (lambda raw: raw["tasks"][0]["goal"].update(budget="five"), "tasks.0.goal.budget"),
    (lambda raw: raw["tasks"][0]["goal"].update(budget=-1.0), "budget -1.0"),
    (lambda raw: raw["tasks"][0]["goal"].update(budget_tier="lavish"), "budget_tier 'lavish'; allowed: strict"),
    (lambda raw: raw["tasks"][0].update(profile_id="nobody"), "profile 'nobody', which does not exist"),
    (lambda raw: raw["tasks"][1].update(id=raw["tasks"][0]["id"]), "two tasks share the id"),
    (lambda raw: raw["profiles"][1].update(id=raw["profiles"][0]["id"]), "two profiles share the id"),
    (lambda raw: raw["tasks"][0]["goal"].update(required_labels=["x"]), "must start with the category"),
    (lambda raw: raw["tasks"][0]["goal"].update(needs={}), "no words for the label"),
    (lambda raw: raw["tasks"][0].update(target="P999"), "lacks the target 'P999'"),
    (lambda raw: raw["profiles"][0]["settings"].update(patience="endless"), "patience 'endless'; allowed: low"),
    (lambda raw: raw["profiles"][0]["settings"].update(behavior_style="odd"), "behavior_style 'odd'"),
    (lambda raw: raw["profiles"][0]["settings"].update(navigation_following=1.5), "allowed: 0 to 1"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS, ids=[message for _, message in FAULTS])
def test_a_fault_is_named_in_one_line(bank: TaskBank, tmp_path: Path, change: Change, message: str) -> None:
    raw = json.loads(dump_bank(bank))
    change(raw)
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(raw))
    with pytest.raises(DataError) as caught:
        load_task_file(path)
    assert message in str(caught.value)
    assert "broken.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"null"])
def test_what_is_no_json_object_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"broken\.json"):
        load_task_file(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"missing\.json.* cannot be read"):
        load_task_file(tmp_path / "missing.json")
