"""Writing whole files and whole lines, whatever the disk does."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siturec_gym.core.errors import RunError
from siturec_gym.core.storage.files import (
    cut_partial_line,
    is_draft,
    remove_drafts,
    whole_lines,
    write_whole,
)


def test_a_file_is_replaced_in_one_step_and_leaves_no_draft(tmp_path):
    write_whole(tmp_path / "a", b"one")
    write_whole(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    write_whole(tmp_path / "a", b"one")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(5, "Input/output error")))
    with pytest.raises(RunError, match="Input/output error"):
        write_whole(tmp_path / "a", b"two")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a", b"one")]


LIMITED = """
import resource, sys
from pathlib import Path
from siturec_gym.core.errors import RunError
from siturec_gym.core.storage.files import append_line, write_whole
path = Path(sys.argv[1])
append_line(path, "first")
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
for write in (lambda: append_line(path, "x" * 5000), lambda: write_whole(path, b"y" * 5000)):
    try:
        write()
    except RunError as error:
        print(error)
"""


def test_a_disk_that_fills_within_a_line_leaves_whole_lines(tmp_path):
    """The kernel takes a part of the write, then no more."""
    path = tmp_path / "lines"
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.count("File too large") == 2
    assert path.read_text() == "first\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["lines"]


def test_lines_are_mended_once(tmp_path):
    path = tmp_path / "lines"
    for content, cut, left in (
        (b"", False, b""),
        (b"1\n2\n", False, b"1\n2\n"),
        (b"1\n[2", True, b"1\n"),
        (b"1\n2", False, b"1\n2\n"),
    ):
        path.write_bytes(content)
        assert cut_partial_line(path) is cut
        assert path.read_bytes() == left


@given(st.lists(st.integers(), max_size=4), st.sampled_from([b"", b"{", b'{"a', b"[1, 2", b"\xff"]))
def test_readers_and_menders_agree_on_what_is_whole(tmp_path_factory, numbers, tail):
    path = tmp_path_factory.mktemp("lines") / "lines"
    path.write_bytes(b"".join(b"%d\n" % number for number in numbers) + tail)
    read = whole_lines(path)
    assert cut_partial_line(path) is bool(tail)
    assert path.read_text().splitlines() == read == [str(number) for number in numbers]


def test_drafts_alone_are_cleared_away(tmp_path):
    for name in (".a.png.12.34", ".lock", "a.12.34", ".a.12"):
        (tmp_path / name).write_text("x")
    remove_drafts(tmp_path)
    remove_drafts(tmp_path / "missing")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".a.12", ".lock", "a.12.34"]
    assert is_draft(tmp_path / ".a.png.12.34")


def test_a_line_ends_at_the_line_feed_alone(tmp_path):
    path = tmp_path / "x.jsonl"
    odd = '{"said": "a\u2028b\u0085c"}'  # line ends to str.splitlines, plain characters to JSON
    path.write_text(f"{odd}\n{odd}\n", encoding="utf-8")
    assert whole_lines(path) == [odd, odd]
    path.write_bytes(b"")
    assert whole_lines(path) == []
