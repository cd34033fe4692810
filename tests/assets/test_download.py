"""Downloads over a real connection that breaks, lies and changes its mind."""

import errno
import hashlib
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from file_server import Answer

from siturec_gym.assets.download import Patience, Wanted, download
from siturec_gym.core.errors import DataError

CONTENT = random.Random(7).randbytes(700_000)
OTHER = random.Random(8).randbytes(700_000)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def silent(stage: str, done: int, total: int | None) -> None:
    pass


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def get(target: Path, hasty: Patience):
    def run(url: str, content: bytes = CONTENT, size: int | None = None) -> bytes:
        download(Wanted(url, sha256(content), size), target, silent, hasty)
        return target.read_bytes()

    return run


def partial(target: Path) -> Path:
    return target.with_name("archive.partial")


@pytest.mark.parametrize("size", [None, len(CONTENT)])
@pytest.mark.parametrize("says_length", [True, False])
def test_a_whole_file_comes_in_one_request(serve, get, target, size, says_length):
    server = serve(lambda number: Answer(CONTENT, says_length=says_length))
    assert get(server.url, size=size) == CONTENT
    assert len(server.requests) == 1
    assert os.listdir(target.parent) == ["archive"]


@pytest.mark.parametrize("etag", ['"v1"', None])
def test_every_byte_that_arrived_before_a_drop_is_kept(serve, get, etag):
    """Six connections that break after 100,000 bytes each, then the rest: no byte is asked for twice."""
    server = serve(lambda number: Answer(CONTENT, etag=etag, cut=100_000 if number < 6 else None))
    assert get(server.url, size=len(CONTENT)) == CONTENT
    starts = [request.get("range") for request in server.requests]
    assert starts == [None] + [f"bytes={100_000 * number}-" for number in range(1, 7)]
    assert {request.get("if-range") for request in server.requests[1:]} == {etag}


def test_a_later_process_goes_on(serve, get, target):
    server = serve(lambda number: Answer(CONTENT, cut=50_000) if number == 0 else Answer(status=503))
    with pytest.raises(DataError, match="status 503; 50,000 bytes are kept and the next fetch goes on from there"):
        get(server.url)
    assert partial(target).read_bytes() == CONTENT[:50_000]
    server.script = lambda number: Answer(CONTENT)
    assert get(server.url) == CONTENT
    assert server.requests[-1]["range"] == "bytes=50000-"


def test_a_server_without_ranges_costs_nothing_of_what_is_kept(serve, get, target):
    """It begins anew each time and breaks earlier than before; the partial file never gets shorter."""
    cuts = [400_000, 100_000, 500_000, None]
    sizes = []

    def script(number: int) -> Answer:
        sizes.append(partial(target).stat().st_size if partial(target).exists() else 0)
        return Answer(CONTENT, ranges=False, cut=cuts[number])

    assert get(serve(script).url) == CONTENT
    assert sizes == [0, 400_000, 400_000, 500_000]


@pytest.mark.parametrize("heeds", [True, False])
@pytest.mark.parametrize("etag", [True, False])
def test_a_file_that_changes_between_attempts_is_not_mixed(serve, get, etag, heeds):
    """With an ETag or without, and from a server that ignores If-Range: the new file, whole."""

    def script(number: int) -> Answer:
        if number == 0:
            return Answer(OTHER, etag='"old"' if etag else None, cut=300_000)
        return Answer(CONTENT, etag='"new"' if etag else None, heeds_if_range=heeds)

    server = serve(script)
    assert get(server.url, size=len(CONTENT)) == CONTENT
    assert len(server.requests) <= 3


def test_a_change_that_the_server_tells_of_is_noticed_before_its_bytes_are_taken(serve, target, hasty):
    """From a server that ignores If-Range: what was kept is dropped at once, only the new file looked through."""

    def script(number: int) -> Answer:
        old = Answer(OTHER, etag='"old"', cut=300_000)
        return old if number == 0 else Answer(CONTENT, etag='"new"', heeds_if_range=False)

    said: list[tuple[str, int, int | None]] = []
    server = serve(script)
    download(Wanted(server.url, sha256(CONTENT), len(CONTENT)), target, lambda *words: said.append(words), hasty)
    assert [request.get("range") for request in server.requests] == [None, "bytes=300000-", None]
    assert [done for stage, done, _ in said if stage == "checking"] == [len(CONTENT)]
    assert target.read_bytes() == CONTENT


def test_wrong_bytes_are_refused_and_not_kept(serve, get, target):
    server = serve(lambda number: Answer(OTHER))
    with pytest.raises(DataError, match=f"is another file: sha256 {sha256(OTHER)[:12]}..., expected"):
        get(server.url, size=len(CONTENT))
    assert os.listdir(target.parent) == []
    assert len(server.requests) == 1


def test_wrong_bytes_in_what_was_kept_cost_one_more_download(serve, get, target):
    partial(target).write_bytes(OTHER[:1000])
    server = serve(lambda number: Answer(CONTENT))
    assert get(server.url) == CONTENT
    assert [request.get("range") for request in server.requests] == ["bytes=1000-", None]


def test_a_complete_file_of_wrong_bytes_is_fetched_anew(serve, get, target):
    partial(target).write_bytes(OTHER)
    assert get(serve(lambda number: Answer(CONTENT)).url, size=len(CONTENT)) == CONTENT


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_what_was_complete_already_is_not_downloaded_again(serve, get, target, size):
    partial(target).write_bytes(CONTENT)
    server = serve(lambda number: Answer(CONTENT))
    assert get(server.url, size=size) == CONTENT
    assert len(server.requests) == (0 if size else 1)


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_more_than_the_file_has_is_dropped(serve, get, target, size):
    partial(target).write_bytes(CONTENT + b"more")
    assert get(serve(lambda number: Answer(CONTENT)).url, size=size) == CONTENT


def test_another_size_is_refused_before_anything_is_downloaded(serve, get, target):
    server = serve(lambda number: Answer(CONTENT))
    with pytest.raises(DataError, match="is another file: 700,000 bytes, expected 900,000"):
        get(server.url, size=900_000)
    assert os.listdir(target.parent) == []


def test_a_body_without_end_is_stopped(serve, get):
    server = serve(lambda number: Answer(CONTENT + OTHER, says_length=False))
    with pytest.raises(DataError, match="sends more than the 700,000 bytes expected"):
        get(server.url, size=len(CONTENT))


def test_a_redirect_is_followed_with_the_range(serve, get, target):
    server = serve(lambda number: Answer(CONTENT))
    gate = serve(lambda number: Answer(status=302, headers={"Location": server.url}))
    partial(target).write_bytes(CONTENT[:10])
    assert get(gate.url) == CONTENT
    assert server.requests[0]["range"] == "bytes=10-"


@pytest.mark.parametrize("place", ["file:///etc/hostname", "ftp://127.0.0.1/store.zip"])
def test_a_redirect_leads_to_http_only(serve, get, place):
    server = serve(lambda number: Answer(status=302, headers={"Location": place}))
    with pytest.raises(DataError, match=r"store\.zip"):
        get(server.url)
    assert len(server.requests) == 1


def test_an_endless_redirect_ends(serve, get):
    server = serve(lambda number: Answer(status=302, headers={"Location": "/store.zip"}))
    with pytest.raises(DataError, match="infinite loop"):
        get(server.url)


@pytest.mark.parametrize(("status", "asked"), [(404, 1), (403, 1), (500, 3), (429, 3)])
def test_a_refusal_is_final_and_a_busy_server_is_asked_again(serve, get, status, asked):
    server = serve(lambda number: Answer(status=status, headers={"Retry-After": "0"}))
    with pytest.raises(DataError, match=str(status)):
        get(server.url)
    assert len(server.requests) == asked


def test_a_silent_server_is_given_up(serve, target, hasty):
    server = serve(lambda number: Answer(CONTENT, silent_s=0.6))
    with pytest.raises(DataError, match=r"cannot be had: .*timed out"):
        download(Wanted(server.url, sha256(CONTENT)), target, silent, replace(hasty, timeout_s=0.2))


def test_nobody_there_is_one_line(get):
    with pytest.raises(DataError, match=r"'http://127\.0\.0\.1:9/x' cannot be had: .*refused"):
        get("http://127.0.0.1:9/x")


def test_a_full_disk_loses_nothing(serve, get, target, monkeypatch):
    """The disk takes 200,000 bytes; with room again the rest is asked for."""
    write = os.pwrite

    def full(file: int, content: bytes, at: int) -> int:
        if at >= 200_000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(file, content[: 200_000 - at], at)

    server = serve(lambda number: Answer(CONTENT, etag='"v1"'))
    with monkeypatch.context() as patch:
        patch.setattr("siturec_gym.assets.transfer.os.pwrite", full)
        with pytest.raises(DataError, match="No space left on device; 200,000 bytes are kept"):
            get(server.url)
    assert get(server.url) == CONTENT
    assert server.requests[-1]["range"] == "bytes=200000-"


def test_a_file_larger_than_the_disk_is_refused_at_once(serve, get, target):
    server = serve(lambda number: Answer(CONTENT, headers={"Content-Length": str(10**15)}))
    with pytest.raises(DataError, match=r"the file has 1,000,000,000,000,000 bytes and .* has room for"):
        get(server.url)
    assert not partial(target).exists()


def test_a_folder_that_is_gone_is_one_line(serve, hasty, tmp_path):
    server = serve(lambda number: Answer(CONTENT))
    missing = tmp_path / "gone" / "archive"
    with pytest.raises(DataError, match=r"cannot write '.*gone.*': No such file or directory"):
        download(Wanted(server.url, sha256(CONTENT)), missing, silent, hasty)


@pytest.mark.parametrize("seed", range(10))
def test_random_drops_and_servers_end_in_the_same_bytes(serve, target, hasty, seed):
    rng = random.Random(seed)

    def script(number: int) -> Answer:
        cut = rng.randrange(1, 400_000) if number < 12 and rng.random() < 0.8 else None
        return Answer(CONTENT, etag=rng.choice([None, '"v1"', 'W/"v1"']), ranges=rng.random() < 0.7, cut=cut)

    wanted = Wanted(serve(script).url, sha256(CONTENT), rng.choice([None, len(CONTENT)]))
    download(wanted, target, silent, replace(hasty, attempts=14))
    assert target.read_bytes() == CONTENT
