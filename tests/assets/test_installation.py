"""Builds in a cache folder: whole or not there, proven, and shared by processes."""

import errno
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from file_server import Answer

from siturec_gym.assets.download import Wanted
from siturec_gym.assets.installation import Source, install
from siturec_gym.assets.receipts import changed_files, installed, read_receipt
from siturec_gym.core.errors import DataError

FILES = {"Linux/Shop.sh": b"#!/bin/sh\n", "Linux/Shop/Content.pak": random.Random(3).randbytes(300_000)}


def archive_of(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


ARCHIVE = archive_of(FILES)
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()


def source(url: str, archive: bytes = ARCHIVE, **changes: object) -> Source:
    wanted = Wanted(url, hashlib.sha256(archive).hexdigest(), len(archive))
    return Source(**({"folder_name": "shop", "file": wanted, "executable": "Linux/Shop.sh"} | changes))  # type: ignore[arg-type]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def fetch(cache: Path, hasty):
    stages: list[str] = []

    def run(wanted: Source) -> Path:
        return install(wanted, cache, lambda stage, done, total: stages.append(stage), hasty)

    run.stages = stages
    return run


def work_files(cache: Path) -> set[str]:
    return {path.name for path in (cache / ".work").iterdir() if path.suffix != ".lock"}


def test_a_build_is_fetched_unpacked_and_proven(serve, fetch, cache):
    folder = fetch(source(serve(lambda number: Answer(ARCHIVE)).url))
    assert folder == cache / "shop"
    assert {name: (folder / "files" / name).read_bytes() for name in FILES} == FILES
    assert read_receipt(folder).executable == "Linux/Shop.sh"
    assert installed(cache) == [folder]
    assert changed_files(folder) == []
    assert work_files(cache) == set()
    assert list(dict.fromkeys(fetch.stages)) == ["downloading", "checking", "unpacking"]


def test_what_is_installed_is_not_asked_for_again(serve, fetch):
    server = serve(lambda number: Answer(ARCHIVE))
    assert fetch(source(server.url)) == fetch(source(server.url))
    assert len(server.requests) == 1


def test_changed_and_missing_files_are_named_and_new_ones_are_the_builds_own(serve, fetch):
    folder = fetch(source(serve(lambda number: Answer(ARCHIVE)).url))
    (folder / "files" / "Linux" / "Saved.log").write_text("written by the game")
    assert changed_files(folder) == []
    pak = folder / "files" / "Linux" / "Shop" / "Content.pak"
    pak.write_bytes(pak.read_bytes()[:-1] + b"?")
    (folder / "files" / "Linux" / "Shop.sh").unlink()
    assert changed_files(folder) == [
        "file 'Linux/Shop.sh' of build 'shop' cannot be read: No such file or directory",
        "file 'Linux/Shop/Content.pak' of build 'shop' was changed",
    ]


@pytest.mark.parametrize("content", ["", "{}", "\udcff"])
def test_a_damaged_receipt_is_one_line(serve, fetch, content):
    folder = fetch(source(serve(lambda number: Answer(ARCHIVE)).url))
    (folder / "receipt.json").write_bytes(content.encode(errors="surrogateescape"))
    assert len(changed_files(folder)) == 1
    assert "damaged" in changed_files(folder)[0]


def test_another_archive_of_the_same_name_is_refused(serve, fetch):
    other = archive_of(FILES | {"new": b""})
    folder = fetch(source(serve(lambda number: Answer(ARCHIVE)).url))
    with pytest.raises(DataError, match=r"shop' holds another build; remove it or fetch this one under another name"):
        fetch(source(serve(lambda number: Answer(other)).url, other))
    assert changed_files(folder) == []


def test_an_archive_that_may_not_be_unpacked_leaves_no_folder(serve, fetch, cache):
    bad = archive_of({"../outside": b"bad"})
    with pytest.raises(DataError, match="unsafe name"):
        fetch(source(serve(lambda number: Answer(bad)).url, bad))
    assert installed(cache) == []
    assert not (cache / "shop").exists()
    assert not (cache / "outside").exists()


def test_an_archive_without_its_executable_is_refused(serve, fetch, cache):
    with pytest.raises(DataError, match=r"holds no 'Linux/Mall\.sh', its executable"):
        fetch(source(serve(lambda number: Answer(ARCHIVE)).url, executable="Linux/Mall.sh"))
    assert installed(cache) == []


def test_more_than_was_declared_is_not_unpacked_but_kept(serve, fetch, cache):
    server = serve(lambda number: Answer(ARCHIVE))
    with pytest.raises(DataError, match="more than the 1,000 bytes that were declared"):
        fetch(source(server.url, unpacked_bytes=1000))
    assert fetch(source(server.url, unpacked_bytes=400_000)) == cache / "shop"
    assert len(server.requests) == 1


def test_a_disk_that_fills_while_unpacking_keeps_the_download(serve, fetch, cache, monkeypatch):
    room_for = iter(["the archive", "Shop.sh"])

    def full(file: int) -> None:
        if next(room_for, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    server = serve(lambda number: Answer(ARCHIVE))
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(DataError, match=f"No space left on device; the archive is kept as '.*{SHA256}'"):
            fetch(source(server.url))
    assert work_files(cache) == {SHA256}
    assert installed(cache) == []
    assert fetch(source(server.url)) == cache / "shop"
    assert len(server.requests) == 1


def test_a_cache_that_cannot_be_written_is_one_line(serve, fetch, cache):
    cache.write_text("a file where a folder should be")
    with pytest.raises(DataError, match=r"cannot write '.*cache.*': (Not a directory|File exists)"):
        fetch(source(serve(lambda number: Answer(ARCHIVE)).url))


CODE = """
import sys
from pathlib import Path
from siturec_gym.assets.download import Wanted
from siturec_gym.assets.installation import Source, install
url, sha256, cache = sys.argv[1:]
print(install(Source("shop", Wanted(url, sha256)), Path(cache), lambda *told: None))
"""


def in_a_process(url: str, cache: Path) -> "subprocess.Popen[str]":
    arguments = [sys.executable, "-c", CODE, url, SHA256, str(cache)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_processes_at_once_fetch_it_once(serve, cache):
    server = serve(lambda number: Answer(ARCHIVE, silent_s=0.5))
    running = [in_a_process(server.url, cache) for _ in range(3)]
    said = [process.communicate(timeout=60) for process in running]
    assert [out.strip() for out, _ in said] == [str(cache / "shop")] * 3, said
    assert len(server.requests) == 1
    assert changed_files(cache / "shop") == []


def test_a_killed_process_leaves_its_bytes_to_the_next(serve, cache):
    def script(number: int) -> Answer:
        return Answer(ARCHIVE, cut=200_000) if number == 0 else Answer(ARCHIVE, silent_s=30.0 if number == 1 else 0.0)

    server = serve(script)
    process = in_a_process(server.url, cache)
    partial = cache / ".work" / f"{SHA256}.partial"
    for _ in range(600):
        if len(server.requests) == 2:
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert partial.read_bytes() == ARCHIVE[:200_000]
    out, err = in_a_process(server.url, cache).communicate(timeout=60)
    assert out.strip() == str(cache / "shop"), err
    assert server.requests[2]["range"] == "bytes=200000-"
    assert json.loads((cache / "shop" / "receipt.json").read_text())["sha256"] == SHA256
