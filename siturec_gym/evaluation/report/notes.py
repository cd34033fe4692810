"""What a reader must know before believing a figure, and the facts of each run."""

from collections.abc import Mapping, Sequence
from typing import Any

from siturec_gym.evaluation.manifest import changed_data
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.runs import ReportRun, role_title
from siturec_gym.evaluation.report.words import counted

WARNING, NOTE = "warning", "note"
PUBLISHED = (
    "Published rows come from language models in other renderings of the stores, with other products and users. "
    "They show the order of magnitude; they are no ranking together with ours."
)
SINGLE = (
    "Every task was played once: intervals and SDs tell how much tasks and shoppers differ, not how much a rerun would."
)


def notes(runs: Sequence[RunFigures]) -> list[tuple[str, str]]:
    """Kind and text of each note; warnings first."""
    told = [note for run in runs for note in _of_run(run)]
    told += _changed(runs)
    if any(_scripted(run.run) for run in runs):
        told.append((NOTE, "Roles marked (scripted) follow rules. They are not language models."))
    told.append((NOTE, PUBLISHED))
    if all(run.trials == 1 for run in runs):
        told.append((NOTE, SINGLE))
    return sorted(dict.fromkeys(told), key=lambda note: note[0] != WARNING)


def run_facts(run: ReportRun) -> dict[str, str]:
    """What was run, by name."""
    arguments = run.manifest["arguments"]
    roles = {role: role_title(spec) for role, spec in run.manifest["roles"].items()}
    tasks, shoppers = ({getattr(episode, key) for episode in run.episodes} for key in ("task", "profile_id"))
    return {
        "environment": str(arguments.get("env", "")),
        **roles,
        "tasks": f"{_selection(arguments)} ({counted(len(tasks), 'task')}, {counted(len(shoppers), 'shopper')})",
        "trials": str(arguments.get("trials", 1)),
        "episodes": f"{len(run.episodes)} of {run.owed}",
        "failed": str(sum(episode.status == "failed" for episode in run.episodes)),
        "seed": str(arguments.get("seed", "")),
        "started": str(run.manifest.get("started", "")),
        "version": str(run.manifest.get("versions", {}).get("siturec-gym", "")),
        "commit": str(run.manifest.get("git_commit") or "not known")[:12],
    }


def _of_run(run: RunFigures) -> list[tuple[str, str]]:
    label, episodes = run.run.title, run.run.episodes
    failed = sum(episode.status == "failed" for episode in episodes)
    found = []
    if len(episodes) < run.run.owed:
        found.append((WARNING, f"{label} is not finished: {len(episodes)} of {run.run.owed} episodes."))
    if failed:
        words = "failed, since a role could not act. They count in every figure."
        found.append((WARNING, f"{label}: {failed} of {len(episodes)} episodes {words}"))
    if run.run.manifest["arguments"].get("allow_privileged"):
        found.append((WARNING, f"{label} may know the shopper's goal: an upper bound, no result."))
    if run.subsets is None:
        found.append(
            (NOTE, f"{label} is not a full task bank, so its figures are cohort means without the paper's SD.")
        )
    return found


def _changed(runs: Sequence[RunFigures]) -> list[tuple[str, str]]:
    """One note for all runs that miss the same data."""
    by_files: dict[str, list[str]] = {}
    for run in runs:
        if files := changed_data(run.run.manifest):
            by_files.setdefault(", ".join(files), []).append(run.run.title)
    return [
        (WARNING, f"Played with other data than is shipped now ({files}): {_listed(labels, len(runs))}.")
        for files, labels in by_files.items()
    ]


def _listed(labels: Sequence[str], runs: int) -> str:
    return "all runs" if len(labels) == runs > 1 else ", ".join(labels)


def _scripted(run: ReportRun) -> bool:
    return any(role.get("kind") == "scripted" for role in run.manifest["roles"].values())


def _selection(arguments: Mapping[str, Any]) -> str:
    chosen = str(arguments.get("tasks", ""))
    return "all" if chosen == ":" else chosen
