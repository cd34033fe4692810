"""Which code an episode was played with: commit and content."""

import hashlib
import subprocess
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGES = ("siturec-gym", "numpy", "numba", "gymnasium", "pettingzoo")
_PACKAGE_FOLDER = Path(__file__).resolve().parents[1]
_SUFFIXES = (".py", ".txt", ".json")
_WITHOUT_EFFECT = ("assets_manifest.json", "data/", "cli/", "human_eval/", "training/", "evaluation/report/")


@cache
def code_hash() -> str:
    """The sha256 over every source file, prompt and word list that can change an episode or the reward terms in it.

    The command line, training and reports are left out; what lies under ``data`` has hashes of its own.
    """
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE_FOLDER.rglob("*")):
        name = path.relative_to(_PACKAGE_FOLDER).as_posix()
        if path.suffix in _SUFFIXES and not name.startswith(_WITHOUT_EFFECT):
            digest.update(f"{name}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def git_commit() -> str | None:
    """Commit of the checkout this package runs from, with "+changes" where files differ; None when installed."""
    checkout = _PACKAGE_FOLDER.parent
    if not (checkout / ".git").exists():
        return None
    try:
        commit, changes = _git(checkout, "rev-parse", "HEAD"), _git(checkout, "status", "--porcelain", "-uno")
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + ("+changes" if changes else "")


def version(package: str) -> str | None:
    """Installed version of a package; None when it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _git(checkout: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()
