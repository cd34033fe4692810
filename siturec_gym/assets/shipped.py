"""The shipped data files: read them, prove them unchanged, pin them.

``assets_manifest.json`` lists every file under ``siturec_gym/data`` with its sha256 and size. In a checkout it lies
beside the package; in an installed package, inside it.
"""

import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import DataError

DATA_FOLDER = Path(__file__).resolve().parents[1] / "data"
_MANIFEST_NAME = "assets_manifest.json"


def manifest_path() -> Path:
    """Where the manifest of this installation is."""
    inside = DATA_FOLDER.parent / _MANIFEST_NAME
    return inside if inside.exists() else DATA_FOLDER.parent.parent / _MANIFEST_NAME


def whole_manifest() -> dict[str, Any]:
    """The manifest as it is written: "files", and "builds" of stores for a game engine.

    Raises:
        OSError: It cannot be read.
        ValueError: It is not JSON, or not an object.
    """
    content = json.loads(manifest_path().read_text())
    if not isinstance(content, dict):
        raise ValueError("it holds no JSON object")
    return content


@cache
def manifest() -> dict[str, dict[str, str | int]]:
    """Path (relative to the data folder) -> {"sha256", "bytes"}.

    Raises:
        DataError: The manifest is missing or not of this form.
    """
    try:
        files: dict[str, dict[str, str | int]] = whole_manifest()["files"]
        if not all("sha256" in entry for entry in files.values()):
            raise ValueError("an entry has no sha256")
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise DataError(f"cannot read {_MANIFEST_NAME}: {error}") from error
    return files


def fingerprint(name: str) -> str:
    """The sha256 that the manifest states for ``name``.

    Raises:
        DataError: The manifest does not list it.
    """
    try:
        return str(manifest()[name]["sha256"])
    except KeyError:
        raise DataError(f"data file {name!r} is not listed in {_MANIFEST_NAME}") from None


def read_asset(name: str) -> bytes:
    """The content of a shipped data file, such as "supermarket/products.json".

    Raises:
        DataError: The file is missing, not listed, or its content is not what the manifest states.
    """
    expected = fingerprint(name)
    try:
        content = (DATA_FOLDER / name).read_bytes()
    except OSError as error:
        raise DataError(f"data file {name!r} cannot be read: {error.strerror}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != expected:
        raise DataError(f"data file {name!r} was changed: sha256 {found[:12]}..., expected {expected[:12]}...")
    return content


def read_scene_file(scene: str | Path, name: str) -> bytes:
    """A file of a scene, such as "products.json".

    Args:
        scene: Name of a shipped scene, or the folder of a scene of your own.
        name: Which of its files.

    Raises:
        DataError: The file cannot be read, or a shipped one is not what the manifest states.
    """
    if isinstance(scene, str):
        return read_asset(f"{scene}/{name}")
    try:
        return (scene / name).read_bytes()
    except OSError as error:
        raise DataError(f"scene file {str(scene / name)!r} cannot be read: {error.strerror}") from error


def verify() -> list[str]:
    """One line for each listed file that is missing or changed, and for each file that is not listed."""
    problems = []
    for name in manifest():
        try:
            read_asset(name)
        except DataError as error:
            problems.append(str(error))
    unlisted = sorted(set(_files()) - set(manifest()))
    return problems + [f"data file {name!r} is not listed in {_MANIFEST_NAME}" for name in unlisted]


def pin() -> int:
    """Write the manifest anew from the files as they are, and leave its builds; the number of files."""
    files = {}
    for name in _files():
        content = (DATA_FOLDER / name).read_bytes()
        files[name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    path = manifest_path()
    builds = whole_manifest().get("builds", []) if path.exists() else []
    draft = path.with_suffix(".tmp")
    draft.write_text(json.dumps({"files": files, "builds": builds}, indent=2) + "\n")
    os.replace(draft, path)
    manifest.cache_clear()
    return len(files)


def _files() -> list[str]:
    return sorted(path.relative_to(DATA_FOLDER).as_posix() for path in DATA_FOLDER.rglob("*.*") if path.is_file())
