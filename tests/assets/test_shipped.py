"""Shipped data: proven by hash, with one clear error for each way it can be broken."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from siturec_gym import assets
from siturec_gym.core.errors import DataError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation of its own with two pinned files."""
    data = tmp_path / "package" / "data"
    (data / "shop").mkdir(parents=True)
    (data / "shop" / "products.json").write_bytes(b'{"a": 1}')
    (data / "notes.txt").write_bytes(b"hello")
    monkeypatch.setattr("siturec_gym.assets.shipped.DATA_FOLDER", data)
    assets.manifest.cache_clear()
    assert assets.pin() == 2
    yield data
    assets.manifest.cache_clear()


def test_a_pinned_file_is_read_and_proven(folder: Path) -> None:
    assert assets.read_asset("shop/products.json") == b'{"a": 1}'
    assert assets.fingerprint("notes.txt") == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    assert assets.verify() == []


def test_a_changed_byte_is_found(folder: Path) -> None:
    (folder / "shop" / "products.json").write_bytes(b'{"a": 2}')
    with pytest.raises(DataError, match=r"'shop/products.json' was changed: sha256 \w{12}\.\.\., expected \w{12}"):
        assets.read_asset("shop/products.json")
    assert len(assets.verify()) == 1


def test_a_missing_file_is_found(folder: Path) -> None:
    (folder / "notes.txt").unlink()
    with pytest.raises(DataError, match=r"'notes.txt' cannot be read: No such file"):
        assets.read_asset("notes.txt")


def test_a_file_that_is_not_listed_is_not_read(folder: Path) -> None:
    (folder / "extra.json").write_bytes(b"{}")
    with pytest.raises(DataError, match=r"'extra\.json' is not listed"):
        assets.read_asset("extra.json")
    assert any("extra.json" in line for line in assets.verify())


@pytest.mark.parametrize("content", ["", "{", '{"other": 1}'])
def test_a_broken_manifest_is_one_clear_error(folder: Path, content: str) -> None:
    assets.manifest_path().write_text(content)
    assets.manifest.cache_clear()
    with pytest.raises(DataError, match=r"cannot read assets_manifest\.json"):
        assets.read_asset("notes.txt")


def test_pinning_again_gives_the_same_bytes(folder: Path) -> None:
    before = assets.manifest_path().read_bytes()
    assets.pin()
    assert assets.manifest_path().read_bytes() == before
    assert set(json.loads(before)["files"]["notes.txt"]) == {"sha256", "bytes"}


def test_pinning_leaves_the_builds(folder: Path) -> None:
    path = assets.manifest_path()
    path.write_text(json.dumps(json.loads(path.read_text()) | {"builds": [{"name": "shop"}]}))
    assets.pin()
    assert json.loads(path.read_text())["builds"] == [{"name": "shop"}]


def test_an_installed_package_keeps_the_manifest_inside(folder: Path) -> None:
    inside = folder.parent / "assets_manifest.json"
    inside.write_bytes(assets.manifest_path().read_bytes())
    assert assets.manifest_path() == inside
