"""A run in one file: equal bytes for equal runs, and the same report from it."""

import shutil
import zipfile

import pytest

from siturec_gym.core.errors import DataError, RunError
from siturec_gym.evaluation.report import opened, read_runs, report_files, write_archive


def test_the_report_from_an_archive_is_the_report_from_the_folder(tmp_path, mixed_run) -> None:
    write_archive(mixed_run, tmp_path / "run.zip")
    with opened(tmp_path / "run.zip") as unpacked:
        assert report_files(read_runs([unpacked])) == report_files(read_runs([mixed_run]))
    assert not unpacked.exists()


def test_time_and_place_leave_no_trace(tmp_path, mixed_run) -> None:
    copied = shutil.copytree(mixed_run, tmp_path / "elsewhere" / "copy")
    (copied / "manifest.json").touch()
    write_archive(mixed_run, tmp_path / "a.zip")
    write_archive(copied, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()


def test_what_is_packed(tmp_path, mixed_run) -> None:
    (mixed_run / "frames").mkdir()
    (mixed_run / "frames" / "aa.png").write_bytes(b"image")
    (mixed_run / "report").mkdir()
    (mixed_run / "report" / "index.html").write_text("old")
    (mixed_run / ".lock").write_text("")
    whole = write_archive(mixed_run, tmp_path / "a.zip")
    assert list(whole) == ["manifest.json", "episodes.jsonl", "judgments.jsonl", "frames/aa.png"]
    assert "frames/aa.png" not in write_archive(mixed_run, tmp_path / "b.zip", frames=False)
    assert zipfile.ZipFile(tmp_path / "a.zip").namelist() == [*whole, "contents.json"]


def test_a_damaged_archive_is_refused(tmp_path, mixed_run) -> None:
    write_archive(mixed_run, tmp_path / "a.zip")
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[200] ^= 1
    (tmp_path / "bad.zip").write_bytes(content)
    with pytest.raises(DataError, match="archive"), opened(tmp_path / "bad.zip"):
        pass


def test_a_changed_file_is_refused_though_the_archive_is_sound(tmp_path, mixed_run) -> None:
    write_archive(mixed_run, tmp_path / "a.zip")
    with zipfile.ZipFile(tmp_path / "a.zip") as old, zipfile.ZipFile(tmp_path / "b.zip", "w") as new:
        for name in old.namelist():
            new.writestr(name, old.read(name) + (b"\n" if name == "episodes.jsonl" else b""))
    with pytest.raises(DataError, match=r"'episodes.jsonl' is not what was packed"), opened(tmp_path / "b.zip"):
        pass


@pytest.mark.parametrize("content", [b"", b"no archive", None])
def test_what_is_no_archive_is_one_clear_line(tmp_path, content) -> None:
    path = tmp_path / "x.zip"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError, match=r"x\.zip"), opened(path):
        pass


def test_a_foreign_archive_is_refused(tmp_path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("readme.txt", "hello")
    with pytest.raises(DataError, match=r"contents\.json"), opened(tmp_path / "x.zip"):
        pass


def test_an_archive_that_cannot_be_written_leaves_nothing(tmp_path, mixed_run) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write"):
        write_archive(mixed_run, tmp_path / "file" / "a.zip")
