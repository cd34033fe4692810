"""What a manifest may say of builds, and which one is chosen."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from siturec_gym.assets.builds import Build, Platform, cache_folder, choose_build, read_builds, this_platform
from siturec_gym.core.errors import DataError

ENTRY: dict[str, Any] = {
    "name": "corner-shop", "platform": "linux-x86_64", "engine_version": "5.4", "plugin_version": "1.1.0",
    "bytes": 1234, "sha256": "a" * 64, "licence": "CC-BY-4.0", "url": "https://example.org/shop.zip",
}  # fmt: skip


@pytest.fixture
def listed(tmp_path: Path):
    def write(*entries: dict[str, Any]) -> Path:
        path = tmp_path / "mine.json"
        path.write_text(json.dumps({"builds": entries}))
        return path

    return write


def test_the_shipped_manifest_lists_builds_of_the_right_form():
    assert all(isinstance(build, Build) for build in read_builds())


def test_an_entry_is_read_as_it_stands(listed):
    (build,) = read_builds(listed(ENTRY | {"unpacked_bytes": 99, "executable": "Linux/Shop.sh"}))
    assert (build.name, build.bytes, build.unpacked_bytes, build.executable) == (
        "corner-shop",
        1234,
        99,
        "Linux/Shop.sh",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "../shop"}, "build 2: name: "),
        ({"platform": "amiga"}, "build 2: platform: "),
        ({"engine_version": "five"}, "build 2: engine_version: "),
        ({"plugin_version": ""}, "build 2: plugin_version: "),
        ({"bytes": 0}, "build 2: bytes: "),
        ({"sha256": "A" * 64}, "build 2: sha256: "),
        ({"licence": ""}, "build 2: licence: "),
        ({"url": "file:///etc/passwd"}, "is no http:// or https:// address"),
        ({"url": "https://ann:secret@example.org/"}, "names a user"),
        ({"url": "https://example.org/my shop"}, "%XX"),
        ({"url": "https://[broken"}, "build 2: url: "),
        ({"executable": "/bin/sh"}, "no path inside the build"),
        ({"executable": "a/../../b"}, "no path inside the build"),
        ({"colour": "red"}, "build 2: colour: "),
    ],
)
def test_an_entry_of_another_form_is_named(listed, change, message):
    with pytest.raises(DataError, match=r"mine\.json'") as caught:
        read_builds(listed(ENTRY | {"name": "first"}, ENTRY | change))
    assert message in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("missing", sorted(ENTRY))
def test_every_field_is_needed(listed, missing):
    with pytest.raises(DataError, match=f"build 1: {missing}: Field required"):
        read_builds(listed({key: value for key, value in ENTRY.items() if key != missing}))


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"builds": {}}', '{"builds": [3]}', "\udcff"])
def test_a_manifest_of_another_form_is_one_line(tmp_path, content):
    path = tmp_path / "mine.json"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(DataError, match=r"mine\.json'"):
        read_builds(path)


def test_two_builds_of_one_name_and_platform_are_refused(listed):
    with pytest.raises(DataError, match="lists corner-shop for linux-x86_64 twice"):
        read_builds(listed(ENTRY, ENTRY | {"platform": "macos-arm64"}, ENTRY))


def test_the_build_of_this_machine_is_chosen(listed, monkeypatch):
    builds = read_builds(listed(*(ENTRY | {"platform": name} for name in get_args(Platform))))
    for system, machine, name in (
        ("Linux", "x86_64", "linux-x86_64"),
        ("Linux", "aarch64", "linux-arm64"),
        ("Windows", "AMD64", "windows-x86_64"),
        ("Darwin", "arm64", "macos-arm64"),
    ):
        monkeypatch.setattr("platform.system", lambda system=system: system)
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        assert choose_build(builds, "corner-shop").platform == name
    assert choose_build(builds, "corner-shop", "linux-arm64").platform == "linux-arm64"


def test_what_cannot_be_chosen_says_what_can(listed, monkeypatch):
    builds = read_builds(listed(ENTRY, ENTRY | {"name": "mall"}))
    with pytest.raises(ValueError, match="no build is named 'kiosk'; listed: corner-shop, mall; "):
        choose_build(builds, "kiosk")
    with pytest.raises(ValueError, match="corner-shop is not listed for macos-arm64; listed: linux-x86_64"):
        choose_build(builds, "corner-shop", "macos-arm64")
    with pytest.raises(ValueError, match="unknown platform 'amiga'; known: linux-x86_64, "):
        choose_build(builds, "corner-shop", "amiga")
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    with pytest.raises(ValueError, match="not made for plan9-"):
        this_platform()


def test_the_cache_folder_follows_the_desktop_rules(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative/cache"):
        monkeypatch.setenv("XDG_CACHE_HOME", value)
        assert cache_folder() == tmp_path / ".cache" / "siturec-gym" / "builds"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    assert cache_folder() == tmp_path / "c" / "siturec-gym" / "builds"
