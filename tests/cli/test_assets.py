"""``siturec assets verify`` and ``fetch`` as a user types them."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from file_server import Answer, FileServer

from siturec_gym.assets.builds import this_platform
from siturec_gym.cli.main import run_command_line

_BUFFER = io.BytesIO()
with zipfile.ZipFile(_BUFFER, "w") as _archive:
    _archive.writestr("Shop.sh", b"hello")
ARCHIVE = _BUFFER.getvalue()
SHA256 = hashlib.sha256(ARCHIVE).hexdigest()


@pytest.fixture
def siturec(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("no_proxy", "*")

    def run(*arguments: str) -> tuple[int, str, str]:
        status = run_command_line(["assets", *arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "siturec-gym" / "builds"


@pytest.fixture
def server() -> Iterator[FileServer]:
    running = FileServer(lambda number: Answer(ARCHIVE))
    yield running
    running.stop()


@pytest.fixture
def manifest(tmp_path: Path, server: FileServer) -> Path:
    entry = {
        "name": "shop", "platform": this_platform(), "engine_version": "5.4", "plugin_version": "1.1.0",
        "bytes": len(ARCHIVE), "sha256": SHA256, "licence": "CC0-1.0", "url": server.url, "executable": "Shop.sh",
    }  # fmt: skip
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"builds": [entry]}))
    return path


def test_a_build_from_any_address_is_fetched_and_verified(siturec, server, builds):
    status, out, err = siturec("fetch", "--url", server.url, "--sha256", SHA256.upper())
    assert (status, out) == (0, f"build store: {builds / 'store'}\n")
    assert "downloading" in err
    assert "?" not in err
    assert (builds / "store" / "files" / "Shop.sh").read_bytes() == b"hello"
    assert f"build store, unchanged: {builds / 'store'}" in siturec("verify")[1]
    (builds / "store" / "files" / "Shop.sh").write_bytes(b"hullo")
    assert siturec("verify")[0::2] == (1, "siturec: file 'Shop.sh' of build 'store' was changed\n")
    assert json.loads(siturec("verify", "--json")[1])["problems"] == ["file 'Shop.sh' of build 'store' was changed"]


def test_a_build_of_a_manifest_of_ones_own(siturec, server, manifest, builds):
    status, out, _ = siturec("fetch", "shop", "--manifest", str(manifest), "--json")
    folder = builds / f"shop-{this_platform()}"
    assert status == 0
    assert json.loads(out) == {
        "name": folder.name,
        "folder": str(folder),
        "executable": str(folder / "files" / "Shop.sh"),
    }
    assert siturec("verify", "--manifest", str(manifest))[0] == 0


def test_another_address_for_a_listed_build(siturec, server, manifest):
    text = manifest.read_text().replace(server.url, "http://127.0.0.1:9/gone")
    manifest.write_text(text)
    assert siturec("fetch", "shop", "--manifest", str(manifest), "--url", server.url)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a build of the manifest, or give --url and --sha256"),
        (("shop", "--url", "http://x/y"), "--sha256 is missing: no manifest lists 'shop'"),
        (("--url", "http://x/y"), "--url needs --sha256"),
        (("shop",), "no build is named 'shop'; listed: none"),
        (("shop", "--sha256", "a" * 64), "--sha256 needs --url"),
        (("shop", "--bytes", "7"), "--bytes and --unpacked-bytes go with --sha256"),
        (("--sha256", "a" * 64, "--url", "http://x/y", "--platform", "linux-arm64"), "which need no --sha256"),
        (("shop", "--sha256", "abc", "--url", "http://x/y"), "--sha256 takes 64 hexadecimal digits, got 'abc'"),
        (("Shop", "--sha256", "a" * 64, "--url", "http://x/y"), "'Shop' is no name for a build"),
        (("--sha256", "a" * 64, "--url", "http://x/"), "'' is no name for a build"),
        (("--sha256", "a" * 64, "--url", "store.zip"), "'store.zip' is no http:// or https:// address"),
        (("--sha256", "a" * 64, "--url", "http://x/y", "--bytes", "0"), "--bytes"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(siturec, arguments, message):
    status, out, err = siturec("fetch", *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_wrong_bytes_are_one_line_and_status_1(siturec, server, builds):
    status, out, err = siturec("fetch", "--url", server.url, "--sha256", "a" * 64)
    assert (status, out) == (1, "")
    assert "is another file: sha256" in err.splitlines()[-1]
    assert not (builds / "store").exists()


def test_what_is_refused_at_once_is_one_line_without_an_empty_bar(siturec, server):
    server.script = lambda number: Answer(status=404)
    status, out, err = siturec("fetch", "--url", server.url, "--sha256", SHA256)
    assert (status, out) == (1, "")
    assert err.startswith(f"siturec: '{server.url}'")
    assert "404" in err
    assert err.count("\n") == 1


def test_a_broken_manifest_is_one_line(siturec, tmp_path):
    (tmp_path / "mine.json").write_text("{")
    status, _, err = siturec("verify", "--manifest", str(tmp_path / "mine.json"))
    assert status == 1
    assert "mine.json" in err


def test_ctrl_c_says_that_what_came_is_kept(siturec, monkeypatch, server):
    def stopped(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("siturec_gym.assets.installation.download", stopped)
    status, _, err = siturec("fetch", "--url", server.url, "--sha256", SHA256)
    assert status == 130
    assert "what was downloaded is kept" in err
