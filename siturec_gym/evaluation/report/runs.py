"""Runs to be reported: read from a run folder or from an archive of one, and named so that no two look alike."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import DataError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.judgments import read_judgments
from siturec_gym.evaluation.run_store import read_episodes, read_manifest
from siturec_gym.judges.judgment import Judgment
from siturec_gym.llm.names import model_name

FULL_CONTEXT = "full context"
_CONDITIONS = {"without_egocentric_view": "without EVV", "without_view_and_caption": "without EVV and caption"}


@dataclass(frozen=True)
class ReportRun:
    """A run as the report needs it: a function of the folder's content, and of its name only where runs look alike.

    Attributes:
        label: What tables and plots of its store call it.
        title: What is said of it elsewhere: the label, with the store where runs differ in that.
        manifest: Content of ``manifest.json``.
        episodes: In file order.
        judgments: In file order; empty when nothing was judged.
    """

    label: str
    title: str
    manifest: Mapping[str, Any]
    episodes: tuple[EpisodeRecord, ...]
    judgments: tuple[Judgment, ...]

    @property
    def scene(self) -> str:
        """Name of the store."""
        return str(self.manifest["scene"])

    @property
    def user(self) -> str:
        """The simulated user, told as scripted where it is."""
        return role_title(self.manifest["roles"]["user"])

    @property
    def has_model_user(self) -> bool:
        """Whether a language model plays the user."""
        return bool(self.manifest["roles"]["user"].get("kind") == "model")

    @property
    def assistant(self) -> str:
        """The assistant, told as scripted where it is."""
        return role_title(self.manifest["roles"]["assistant"])

    @property
    def condition(self) -> str:
        """What the assistant was given: "full context", or the ablation in the published tables' words."""
        return condition(self.manifest)

    @property
    def owed(self) -> int:
        """Episodes that the run set out to play."""
        return int(self.manifest.get("slots", len(self.episodes)))


def role_title(role: Mapping[str, Any]) -> str:
    """Name of a role; a scripted one is never taken for a language model."""
    name = str(role.get("model") or role["name"])
    return f"{name} (scripted)" if role.get("kind") == "scripted" else name


def condition(manifest: Mapping[str, Any]) -> str:
    """What a run's assistant was given (Appendix D.4)."""
    ablation = manifest["arguments"].get("ablation")
    return _CONDITIONS.get(str(ablation), str(ablation)) if ablation else FULL_CONTEXT


def judge_title(judgment: Judgment) -> str:
    """Name of a judge with the start of its prompt's hash, since scores with different ones do not mix."""
    model = model_name(judgment.judge)
    name = f"{judgment.judge} (scripted)" if model is None else model.label
    return f"{name} @{judgment.prompt_hash[:8]}"


def read_runs(folders: Sequence[Path], given: Sequence[Path] | None = None) -> tuple[ReportRun, ...]:
    """Runs with labels of their own, in the order given.

    Args:
        folders: Run folders.
        given: What a person knows each by, such as the archive it was unpacked from; by default the folders.

    Raises:
        DataError: A folder is no run, holds no episode, or a file of it is damaged.
    """
    parts = [(read_manifest(folder), read_episodes(folder), read_judgments(folder)) for folder in folders]
    for folder, (manifest, episodes, _) in zip(folders, parts, strict=True):
        _check(folder, manifest, episodes)
    labels = _labels([manifest for manifest, _, _ in parts], given or folders)
    several_stores = len({manifest["scene"] for manifest, _, _ in parts}) > 1
    return tuple(
        ReportRun(
            label,
            f"{label} ({str(manifest['scene']).replace('_', ' ')})" if several_stores else label,
            manifest,
            tuple(episodes),
            tuple(judgments),
        )
        for label, (manifest, episodes, judgments) in zip(labels, parts, strict=True)
    )


def _check(folder: Path, manifest: Mapping[str, Any], episodes: Sequence[EpisodeRecord]) -> None:
    missing = [key for key in ("scene", "roles", "arguments") if key not in manifest]
    if missing:
        raise DataError(f"'{folder}' is no run folder: its manifest lacks {missing[0]!r}")
    if not episodes:
        raise DataError(f"'{folder}' holds no complete episode yet")
    found = set()
    for number, episode in enumerate(episodes, start=1):
        if (episode.task, episode.trial) in found:
            raise DataError(f"'{folder}', episode {number} ({episode.task}, trial {episode.trial}) is there twice")
        found.add((episode.task, episode.trial))


def _labels(manifests: Sequence[Mapping[str, Any]], paths: Sequence[Path]) -> list[str]:
    """Assistant and what it went without; the user where runs differ in it; the folder where that is not enough."""
    roles = [(role_title(m["roles"]["assistant"]), role_title(m["roles"]["user"])) for m in manifests]
    several_users = len({user for _, user in roles}) > 1
    given = [condition(manifest) for manifest in manifests]
    names = [
        assistant + (f" {missing}" if missing != FULL_CONTEXT else "") + (f" with {user}" if several_users else "")
        for (assistant, user), missing in zip(roles, given, strict=True)
    ]
    keys = [(name, m["scene"]) for name, m in zip(names, manifests, strict=True)]
    alike: dict[tuple[str, str], list[Path]] = {}
    for key, path in zip(keys, paths, strict=True):
        alike.setdefault(key, []).append(path.resolve())
    ends = {key: iter(_told_apart(found)) for key, found in alike.items()}
    return [f"{key[0]} ({next(ends[key])})" if len(alike[key]) > 1 else key[0] for key in keys]


def _told_apart(paths: Sequence[Path]) -> list[str]:
    """As much of the end of every path as it takes for no two to be alike; a number where one is there twice."""
    longest = max(len(path.parts) for path in paths)
    for length in range(1, longest + 1):
        ends = ["/".join(path.parts[-length:]) for path in paths]
        if len(set(ends)) == len(set(paths)):
            break
    totals, seen = Counter(ends), Counter[str]()
    named = []
    for end in ends:
        seen[end] += 1
        named.append(f"{end} #{seen[end]}" if totals[end] > 1 else end)
    return named
