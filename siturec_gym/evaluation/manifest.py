"""What must be known to repeat a run: versions, commit, data, arguments and roles."""

import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from siturec_gym import assets
from siturec_gym.evaluation.environments import environment
from siturec_gym.evaluation.roles import SCRIPTED

FORMAT = 1
PACKAGES = ("siturec-gym", "numpy", "numba", "gymnasium", "pettingzoo")


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that the episodes of a run depend on. The number of workers is not part of it.

    Attributes:
        env: Registered environment id.
        assistant: Name of the assistant.
        user: Name of the simulated user.
        moderator: Name of the moderator, or "none".
        tasks: The selection as it was typed.
        seed: Seed that every episode's own seed is derived from.
        trials: Attempts at each task.
        save_frames: Whether images are made and kept. Episodes are the same without, but for the frame hashes.
        allow_privileged: Whether the privileged assistant may play.
    """

    env: str
    assistant: str
    user: str
    moderator: str = "rules"
    tasks: str = ":"
    seed: int = 0
    trials: int = 1
    save_frames: bool = False
    allow_privileged: bool = False


def make_manifest(config: RunConfig, task_ids: Sequence[str]) -> dict[str, Any]:
    """The manifest of a run that is about to begin."""
    scene = environment(config.env).scene
    roles = {"assistant": config.assistant, "user": config.user, "moderator": config.moderator}
    return {
        "format": FORMAT,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version()} | {name: _version(name) for name in PACKAGES},
        "git_commit": git_commit(),
        "data": {name: str(entry["sha256"]) for name, entry in assets.manifest().items()},
        "arguments": asdict(config),
        "roles": {role: {"name": name, "kind": SCRIPTED} for role, name in roles.items()},
        "scene": scene,
        "tasks": list(task_ids),
        "slots": len(task_ids) * config.trials,
    }


def git_commit() -> str | None:
    """Commit of the checkout this package runs from, with "+changes" where files differ; None when installed."""
    checkout = Path(__file__).resolve().parents[2]
    if not (checkout / ".git").exists():
        return None
    try:
        commit, changes = _git(checkout, "rev-parse", "HEAD"), _git(checkout, "status", "--porcelain", "-uno")
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + ("+changes" if changes else "")


def _git(checkout: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
