"""What must be known to repeat a run or to go on with it: versions, code, data, arguments and roles."""

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_origin, get_type_hints

from siturec_gym import assets
from siturec_gym.core.errors import DataError, RunError
from siturec_gym.evaluation.code_version import PACKAGES, code_hash, git_commit, version
from siturec_gym.evaluation.environments import environment
from siturec_gym.evaluation.renderer_choice import drawing_part, place_part
from siturec_gym.evaluation.roles import describe_roles

FORMAT = 2
PINNED = ("format", "versions", "code", "data", "arguments", "roles", "scene", "tasks", "slots")
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class RunConfig:
    """Everything that the episodes of a run depend on. Workers, threads and addresses are not part of it.

    Attributes:
        env: Registered environment id.
        assistant: Name of the assistant; as with all roles "llm:MODEL" or "hf:PATH" is a language model.
        user: Name of the simulated user.
        moderator: Name of the moderator, or "none".
        tasks: The selection as it was typed.
        seed: Seed that every episode's own seed is derived from.
        trials: Attempts at each task.
        save_frames: Whether images are made and kept. Episodes are the same without, but for the frame hashes.
        allow_privileged: Whether the privileged assistant may play.
        ablation: What the assistant goes without (SituRecBench, Appendix D.4); None for the full context.
        settings: How models play their roles, by "ROLE.NAME", such as {"assistant.temperature": 0.7}.
        renderer: What draws the store and moves the user.
        renderer_config: Its own settings, the content of a mapping file among them: another machine needs no file.
            Where the renderer is and how it is started is not pinned.
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
    ablation: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    renderer: str = "embedded"
    renderer_config: dict[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> dict[str, str]:
        """Role and name of what plays it."""
        return {"assistant": self.assistant, "user": self.user, "moderator": self.moderator}


def make_manifest(
    config: RunConfig, task_ids: Sequence[str], models: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The manifest of a run that is about to begin.

    Args:
        config: What the episodes depend on.
        task_ids: The chosen tasks.
        models: How language models are reached, without anything secret; not pinned.
    """
    content: dict[str, Any] = {
        "format": FORMAT,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": {"python": platform.python_version()} | {name: version(name) for name in PACKAGES},
        "git_commit": git_commit(),
        "code": code_hash(),
        "data": {name: str(entry["sha256"]) for name, entry in assets.manifest().items()},
        "arguments": asdict(config) | {"renderer_config": drawing_part(config.renderer_config)},
        "roles": describe_roles(config.names, config.settings),
        "scene": environment(config.env).scene,
        "tasks": list(task_ids),
        "slots": len(task_ids) * config.trials,
        "models": dict(models or {}),
        "renderer": place_part(config.renderer_config),
    }
    return content | {"fingerprint": fingerprint(content)}


def config_of(manifest: Mapping[str, Any], folder: Path) -> RunConfig:
    """The configuration that a manifest holds; where its renderer is and how it is started is kept apart.

    Raises:
        DataError: It does not hold one, or an argument is of another type.
    """
    arguments = manifest.get("arguments")
    names = {known.name for known in fields(RunConfig)}
    if not isinstance(arguments, dict) or not {"env", "assistant", "user"} <= arguments.keys() <= names:
        raise DataError(f"'{folder}' is no run folder of this version: its manifest holds no known arguments")
    config = RunConfig(**arguments)
    for name, kind in get_type_hints(RunConfig).items():
        value = getattr(config, name)
        if not isinstance(value, dict if get_origin(kind) is dict else kind) or (
            isinstance(value, bool) and kind is not bool
        ):
            raise DataError(f"'{folder}' is no run folder: its manifest holds {value!r} as {name!r}")
    return config


def check_same(kept: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> None:
    """Refuse to go on with a run where anything its episodes depend on has changed since it began.

    Args:
        kept: The manifest in the run folder.
        now: What the manifest of the same run would be if it began now.
        folder: The run folder, to be named.

    Raises:
        RunError: Something differs; the line names what.
    """
    differences = list(_differences({name: kept.get(name) for name in PINNED}, {name: now[name] for name in PINNED}))
    if differences:
        shown = "; ".join(differences[:_SHOWN])
        more = f"; and {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
        raise RunError(f"'{folder}' cannot be resumed, since its episodes would not be alike: {shown}{more}")
    if kept.get("fingerprint") != fingerprint(kept):
        raise RunError(f"'{folder}' cannot be resumed: its manifest was changed after the run began")


def check_data(kept: Mapping[str, Any], folder: Path) -> None:
    """Refuse to read a run by other data of its store than it was played with.

    Raises:
        RunError: A data file of the run's scene is not what it was.
    """
    for name in changed_data(kept):
        raise RunError(f"'{folder}' was played with another {name!r} than this version ships")


def changed_data(kept: Mapping[str, Any]) -> list[str]:
    """Data files of a run's scene that are no longer what they were when it was played."""
    shipped, scene = assets.manifest(), f"{kept.get('scene')}/"
    played = dict(kept.get("data") or {})
    return [name for name in played if name.startswith(scene) and shipped.get(name, {}).get("sha256") != played[name]]


def fingerprint(manifest: Mapping[str, Any]) -> str:
    """The sha256 over everything pinned."""
    pinned = {name: manifest.get(name) for name in PINNED}
    return hashlib.sha256(json.dumps(pinned, sort_keys=True).encode()).hexdigest()


def _differences(kept: Any, now: Any, path: str = "") -> Iterator[str]:
    if isinstance(kept, dict) and isinstance(now, dict):
        for name in sorted(kept.keys() | now.keys()):
            yield from _differences(kept.get(name), now.get(name), f"{path}.{name}" if path else name)
    elif kept != now:
        yield f"{path} was {_short(kept)} and is {_short(now)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    hexadecimal = isinstance(value, str) and len(value) == 64
    return f"{value[:8]}..." if hexadecimal else text if len(text) <= 40 else f"{text[:40]}..."
