"""The run folder: whole or not at all, append-only, content-addressed."""

import errno
import os

import numpy as np
import pytest
from PIL import Image

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.core.records import to_json
from siturec_gym.evaluation.run_store import FrameStore, RunStore, read_episodes, read_manifest


def test_episodes_come_back_as_they_went_in(tmp_path, make_record):
    store = RunStore.create(tmp_path / "run", {"format": 1})
    records = [make_record(), make_record(trial=1, cart=("P001",), error="x\ny")]
    for record in records:
        store.append(record)
    assert read_episodes(tmp_path / "run") == records
    assert read_manifest(tmp_path / "run") == {"format": 1}


def test_a_line_is_on_disk_before_append_returns(tmp_path, make_record, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda fd: synced.append(os.fstat(fd).st_size))
    store = RunStore.create(tmp_path / "run", {})
    synced.clear()
    store.append(make_record())
    assert synced == [len(to_json(make_record())) + 1]


def test_a_folder_with_content_is_refused_untouched(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(RunError, match="is not empty"):
        RunStore.create(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_folder_is_taken(tmp_path):
    RunStore.create(tmp_path, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", "episodes.jsonl", "manifest.json"]


def test_a_path_through_a_file_is_one_clear_line(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"run folder '.*file/run' cannot be used: Not a directory"):
        RunStore.create(tmp_path / "file" / "run", {})


def test_a_full_disk_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(fd):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(RunError, match=r"cannot be written: .*No space left on device"):
        RunStore.create(tmp_path / "deep" / "run", {})
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_later_is_named(tmp_path, make_record, monkeypatch):
    store = RunStore.create(tmp_path / "run", {})
    monkeypatch.setattr(os, "fsync", lambda fd: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(RunError, match="No space left"):
        store.append(make_record())


def test_lines_are_put_in_slot_order_in_one_step(tmp_path, make_record):
    store = RunStore.create(tmp_path / "run", {})
    first, second = make_record(trial=0), make_record(trial=1)
    store.append(second)
    store.append(first)
    store.put_in_order([to_json(first), to_json(second)])
    assert read_episodes(tmp_path / "run") == [first, second]
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [".lock", "episodes.jsonl", "manifest.json"]


def test_equal_frames_are_kept_once_and_named_by_content(tmp_path):
    frames = FrameStore(tmp_path)
    red = np.zeros((3, 4, 3), np.uint8) + np.array([200, 0, 0], np.uint8)
    names = {frames.save(red), frames.save(red.copy())}
    assert len(names) == 1
    (path,) = (tmp_path / "frames").iterdir()
    assert path.stem in names
    assert np.array_equal(np.asarray(Image.open(path)), red)


def test_a_broken_line_is_named_by_its_number(tmp_path, make_record):
    store = RunStore.create(tmp_path / "run", {})
    store.append(make_record())
    with (tmp_path / "run" / "episodes.jsonl").open("a") as file:
        file.write('{"task": "superm\n')
    with pytest.raises(DataError, match="line 2"):
        read_episodes(tmp_path / "run")


def test_a_last_line_that_was_cut_off_is_no_episode_yet(tmp_path, make_record):
    store = RunStore.create(tmp_path / "run", {})
    store.append(make_record())
    with (tmp_path / "run" / "episodes.jsonl").open("a") as file:
        file.write('{"task": "superm')
    assert read_episodes(tmp_path / "run") == [make_record()]


def test_what_is_no_run_folder_is_said_so(tmp_path):
    with pytest.raises(DataError, match="is no run folder"):
        read_manifest(tmp_path)


def test_episodes_that_are_no_text_are_refused_by_name(tmp_path):
    RunStore.create(tmp_path / "run", {}).close()
    (tmp_path / "run" / "episodes.jsonl").write_bytes(b"\xff\xff\n")
    with pytest.raises(RunError, match="cannot be continued: 'utf-8' codec"):
        RunStore.reopen(tmp_path / "run")
    with pytest.raises(RunError, match="'utf-8' codec"):  # not "in use": the lock was let go
        RunStore.reopen(tmp_path / "run")


def test_odd_line_ends_within_an_episode_do_not_break_it(tmp_path, make_record):
    store = RunStore.create(tmp_path / "run", {})
    record = make_record(error="a\u2028b\u0085c")
    store.append(record)
    store.close()
    assert read_episodes(tmp_path / "run") == [record]
