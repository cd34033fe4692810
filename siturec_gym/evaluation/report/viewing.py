"""From a run folder and the name of an episode to its page."""

from pathlib import Path

from siturec_gym.core.errors import SituRecError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.report.episode_page import EpisodeView, episode_page
from siturec_gym.evaluation.report.figures import RunFigures
from siturec_gym.evaluation.report.replay import Moment, replay
from siturec_gym.evaluation.report.runs import ReportRun, read_runs
from siturec_gym.evaluation.run_store import FRAMES
from siturec_gym.evaluation.task_selection import bank_for
from siturec_gym.tasks.records import Profile, Task, TaskBank


def view_page(folder: Path, task: str, trial: int = 0, *, images: bool = True) -> tuple[str, str]:
    """A name for the page, and the page.

    Args:
        folder: Run folder.
        task: Task id; the scene's name may be left out.
        trial: Which attempt.
        images: Whether views that were not saved are drawn again.

    Raises:
        ValueError: The run has no such episode.
        DataError: The folder is no run, or damaged.
    """
    run = read_runs([folder])[0]
    episode = find_episode(run, task, trial)
    figures = RunFigures(run)
    shown = EpisodeView(
        figures, episode, _moments(run, episode, images=images), _frames(folder, episode), _private(run, episode.task)
    )
    name = f"{episode.task}-{trial}".replace("/", "-")
    return name, episode_page(shown)


def find_episode(run: ReportRun, task: str, trial: int) -> EpisodeRecord:
    """The episode of a run by task and trial.

    Raises:
        ValueError: There is none; the message says what there is.
    """
    wanted = task if "/" in task else f"{run.scene}/{task}"
    trials = [episode for episode in run.episodes if episode.task == wanted]
    found = [episode for episode in trials if episode.trial == trial]
    if found:
        return found[0]
    if trials:
        known = ", ".join(str(episode.trial) for episode in trials)
        raise ValueError(f"{wanted} was not played as trial {trial}; its trials: {known}")
    first, last = run.episodes[0].task, run.episodes[-1].task
    raise ValueError(f"the run holds no episode of task {wanted!r}; it holds {len(run.episodes)}, {first} to {last}")


def _moments(run: ReportRun, episode: EpisodeRecord, *, images: bool) -> tuple[Moment, ...]:
    """The episode played again; nothing where this installation cannot."""
    try:
        return replay(str(run.manifest["arguments"].get("env")), episode, _bank(run), images=images)
    except (ValueError, SituRecError):
        return ()


def _frames(folder: Path, episode: EpisodeRecord) -> dict[str, bytes]:
    names = {turn.frame for turn in episode.turns if turn.frame}
    paths = {name: folder / FRAMES / f"{name}.png" for name in sorted(names)}
    return {name: path.read_bytes() for name, path in paths.items() if path.is_file()}


def _private(run: ReportRun, task_id: str) -> tuple[Task, Profile] | None:
    """Task and profile from the bank that the run chose from; None for tasks that are not in it."""
    try:
        bank = _bank(run)
    except ValueError:
        return None
    profiles = {profile.id: profile for profile in bank.profiles}
    return next(((task, profiles[task.profile_id]) for task in bank if task.id == task_id), None)


def _bank(run: ReportRun) -> TaskBank:
    arguments = run.manifest["arguments"]
    return bank_for(str(arguments.get("tasks", ":")), str(arguments.get("env")))
