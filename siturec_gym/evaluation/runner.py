"""A run: every slot played, every episode kept, the figures at the end."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from siturec_gym import assets
from siturec_gym.core.records import EpisodeRecord, to_json
from siturec_gym.evaluation.environments import environment, make_env, task_bank
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig, make_manifest
from siturec_gym.evaluation.roles import check_roles, make_assistant_for, make_moderator_for, make_user_for
from siturec_gym.evaluation.run_store import FrameStore, RunStore
from siturec_gym.evaluation.slots import Slot, slots
from siturec_gym.evaluation.task_selection import select_tasks
from siturec_gym.evaluation.workers import MakePlayer, PlaySlot, play_all
from siturec_gym.metrics import counts, summarise
from siturec_gym.tasks.records import Task


@dataclass(frozen=True)
class Plan:
    """A checked run that has not begun: nothing of it is on disk."""

    config: RunConfig
    tasks: tuple[Task, ...]
    slots: tuple[Slot, ...]


def plan(config: RunConfig) -> Plan:
    """Check every argument of a run.

    Raises:
        ValueError: An unknown environment, task or role, or a number out of range.
        DataError: A shipped data file is missing or changed.
    """
    for name in assets.manifest():
        assets.read_asset(name)
    if config.seed < 0:
        raise ValueError(f"seed must be 0 or more, got {config.seed}")
    tasks = select_tasks(config.tasks, task_bank(config.env))
    check_roles(config.assistant, config.user, config.moderator, tasks[0], allow_privileged=config.allow_privileged)
    return Plan(config, tasks, slots([task.id for task in tasks], config.trials, config.seed))


def run(
    planned: Plan,
    folder: Path,
    workers: int = 1,
    on_begin: Callable[[], None] | None = None,
    on_episode: Callable[[EpisodeRecord], None] | None = None,
    make_player: MakePlayer | None = None,
) -> dict[str, Any]:
    """Play a plan into a new run folder; the content of its ``summary.json``.

    The same plan gives the same episodes in the same order whatever ``workers`` is.

    Args:
        planned: From ``plan``.
        folder: A new or empty folder.
        workers: Number of processes.
        on_begin: Called once the folder is ready and before the first episode.
        on_episode: Called with each episode once it is on disk.
        make_player: Builds what plays a slot, once for each process; by default the plan's roles and environment.

    Raises:
        RunError: The folder is not empty or cannot be written, or a worker died.
    """
    if workers < 1:
        raise ValueError(f"workers must be at least 1, got {workers}")
    store = RunStore.create(folder, make_manifest(planned.config, [task.id for task in planned.tasks]))
    player = make_player or partial(scripted_player, planned.config, folder)
    if on_begin:
        on_begin()
    episodes: dict[Slot, EpisodeRecord] = {}
    for slot, episode in play_all(planned.slots, player, workers):
        store.append(episode)
        episodes[slot] = episode
        if on_episode:
            on_episode(episode)
    in_order = [episodes[slot] for slot in planned.slots]
    store.put_in_order(map(to_json, in_order))
    summary = make_summary(planned.config.env, in_order)
    store.write_summary(summary)
    return summary


def scripted_player(config: RunConfig, folder: Path) -> PlaySlot:
    """What plays a slot with scripted roles: one environment, new policies for every task."""
    moderator = make_moderator_for(config.moderator)
    env = make_env(config.env, moderator=moderator, images=config.save_frames)
    tasks = {task.id: task for task in task_bank(config.env)}
    user = make_user_for(config.user)
    save_frame = FrameStore(folder).save if config.save_frames else None

    def play_slot(slot: Slot) -> EpisodeRecord:
        assistant = make_assistant_for(config.assistant, tasks[slot.task])
        return play(env, assistant, user, slot.task, slot.seed, slot.trial, save_frame)

    return play_slot


def make_summary(env_id: str, episodes: Sequence[EpisodeRecord]) -> dict[str, Any]:
    """Metrics and counts, from the episodes and the shipped scene alone."""
    from siturec_gym.scenes import load_scene  # noqa: PLC0415  loading a scene's modules is not free

    scene = load_scene(environment(env_id).scene)
    tools, catalog = [str(tool) for tool in scene.tools], [product.id for product in scene.products]
    figures = summarise(episodes, tools, catalog, scene.products_showing_place)
    return {"metrics": {name: asdict(figure) for name, figure in figures.items()}, "counts": counts(episodes)}
