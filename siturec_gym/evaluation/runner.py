"""A run: every slot played, every episode kept, the figures at the end; and going on after an interruption."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from siturec_gym import assets
from siturec_gym.core.errors import (
    ContextOverflowError,
    DataError,
    DeterministicModelError,
    RunError,
    TransientModelError,
)
from siturec_gym.core.records import EpisodeRecord, to_json
from siturec_gym.evaluation.environments import environment
from siturec_gym.evaluation.judgments import read_judgments
from siturec_gym.evaluation.manifest import RunConfig, check_same, config_of, make_manifest
from siturec_gym.evaluation.model_facts import settings_told
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.player import Player, image_size
from siturec_gym.evaluation.renderer_choice import reach_renderer, renderer_settings, whole_settings
from siturec_gym.evaluation.roles import check_roles, models_of
from siturec_gym.evaluation.room import check_room
from siturec_gym.evaluation.run_store import RunStore, read_episodes, read_manifest
from siturec_gym.evaluation.slots import Slot, slots
from siturec_gym.evaluation.summary import make_summary
from siturec_gym.evaluation.task_selection import bank_for, select_tasks
from siturec_gym.evaluation.workers import Crew, MakePlayer, play_all
from siturec_gym.scenes import load_scene
from siturec_gym.tasks.records import Task
from siturec_gym.wrappers.ablations import check_ablation

__all__ = ["Plan", "Watch", "kept_models", "make_summary", "plan", "plan_rest", "resume", "run"]


LOST_IN_A_ROW = 10
"""A run stops after so many episodes in a row that a model's endpoint lost, or whose first turn had no room in a
model's context: it would lose all others too."""


@dataclass(frozen=True)
class Plan:
    """A checked run that has not begun: nothing of it is on disk."""

    config: RunConfig
    tasks: tuple[Task, ...]
    slots: tuple[Slot, ...]
    models: ModelSettings = field(default_factory=ModelSettings)

    def manifest(self) -> dict[str, Any]:
        """The manifest of this run if it began now."""
        models = models_of(self.config.names)
        return make_manifest(self.config, [task.id for task in self.tasks], self.models.public() if models else None)

    def models_of_each(self, workers: int) -> ModelSettings:
        """How each of so many processes reaches the models.

        Raises:
            ValueError: There are more of them than requests allowed, at once or in a minute.
        """
        return self.models.shared_by(workers) if models_of(self.config.names) else self.models


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how a run goes.

    Attributes:
        on_begin: Called with the number of episodes that are there already, before the first one is played.
        on_episode: Called with each episode once it is on disk.
    """

    on_begin: Callable[[int], None] | None = None
    on_episode: Callable[[EpisodeRecord], None] | None = None


def plan(config: RunConfig, models: ModelSettings | None = None) -> Plan:
    """Check every argument of a run, that its models and an Unreal store answer, if it has any, and that the first
    requests have room in the models' contexts; settings that follow from models are part of the plan.

    Raises:
        ValueError: An unknown environment, task, role or renderer, or a number out of range.
        DataError: A shipped data file is missing or changed, or the scene is broken.
        ModelError: A model's endpoint cannot be reached or does not serve it, or the model's context is too small.
        RendererError: The Unreal store cannot be reached or is not what the mapping says.
    """
    planned = _checked_plan(config, models or ModelSettings())
    _reach_renderer(planned.config)
    return planned


def _checked_plan(config: RunConfig, models: ModelSettings) -> Plan:
    """A plan of which all but an Unreal store is known to answer."""
    for name in assets.manifest():
        assets.read_asset(name)
    if config.seed < 0:
        raise ValueError(f"seed must be 0 or more, got {config.seed}")
    if config.ablation is not None:
        check_ablation(config.ablation)
    bank = bank_for(config.tasks, config.env)
    tasks = select_tasks(config.tasks, bank)
    check_roles(config.names, tasks[0], config.settings, allow_privileged=config.allow_privileged)
    config = replace(config, settings=settings_told(config.names, config.settings, models))
    check_room(config, tasks[0], bank)
    return Plan(config, tasks, slots([task.id for task in tasks], config.trials, config.seed), models)


def _reach_renderer(config: RunConfig) -> None:
    scene = load_scene(environment(config.env).scene)
    reach_renderer(config.renderer, config.renderer_config, scene, image_size(config))


def plan_rest(folder: Path, models: ModelSettings | None = None, renderer_config: str | None = None) -> Plan:
    """The plan of a run that began in ``folder``, checked against what the folder says.

    Args:
        folder: A run folder.
        models: How models are reached from now on; by default as before.
        renderer_config: A mapping file, or the name of a shipped one, that says where the store of the run is from
            now on and how it is started; by default as before.

    Raises:
        DataError: It is no run folder, or the mapping file is wrong.
        RunError: Code, data, prompts or versions are not what they were, or the mapping says something else of the
            store itself.
        ValueError: The run's renderer takes no file.
        ModelError: A model's endpoint cannot be reached or does not serve it.
        RendererError: The Unreal store cannot be reached or is not what the mapping says.
    """
    kept = read_manifest(folder)
    config = config_of(kept, folder)
    if renderer_config is None:
        settings = whole_settings(config.renderer_config, kept.get("renderer") or {})
    else:
        settings = renderer_settings(config.renderer, renderer_config)
    config = replace(config, renderer_config=settings)
    # Settings that followed from the models when the run began are kept; what another server tells does not matter.
    planned = replace(_checked_plan(config, models or kept_models(folder)), config=config)
    check_same(kept, planned.manifest(), folder)
    _reach_renderer(config)
    return planned


def kept_models(folder: Path) -> ModelSettings:
    """How the run in ``folder`` reached its models.

    Raises:
        DataError: It is no run folder.
    """
    kept = read_manifest(folder).get("models")
    return ModelSettings.from_public(kept) if kept else ModelSettings()


def run(
    planned: Plan,
    folder: Path,
    crew: Crew | int = 1,
    watch: Watch | None = None,
    make_player: MakePlayer | None = None,
) -> dict[str, Any]:
    """Play a plan into a new run folder; the content of its ``summary.json``.

    The same plan gives the same episodes in the same order whatever ``crew`` is.

    Args:
        planned: From ``plan``.
        folder: A new or empty folder.
        crew: Who plays; a number means so many processes.
        watch: Who is told how it goes.
        make_player: Builds what plays a slot; by default the plan's roles and environment.

    Raises:
        RunError: The folder is not empty or cannot be written, or a worker died.
        ValueError: There are more workers than requests allowed, at once or in a minute.
    """
    crew = _checked(crew, planned)
    store = RunStore.create(folder, planned.manifest())
    return _play(planned, store, crew, watch or Watch(), make_player)


def resume(
    planned: Plan,
    folder: Path,
    crew: Crew | int = 1,
    watch: Watch | None = None,
    make_player: MakePlayer | None = None,
    retry: Collection[str] = (),
) -> dict[str, Any]:
    """Play exactly the slots of a plan that a run folder lacks; the content of its ``summary.json``.

    Args:
        planned: From ``plan_rest``.
        folder: The run folder.
        crew: Who plays; a number means so many processes.
        watch: Who is told how it goes.
        make_player: Builds what plays a slot; by default the plan's roles and environment.
        retry: Kinds of failure, such as "transient", whose episodes are set aside and played again.

    Raises:
        RunError: The folder is in use or cannot be written, or a worker died.
        DataError: The folder holds a line that is no episode, an episode twice, or one that the run does not owe.
        ValueError: There are more workers than requests allowed, at once or in a minute.
    """
    crew = _checked(crew, planned)
    store = RunStore.reopen(folder)
    if retry:
        store.set_aside(lambda episode: episode.failure is not None and episode.failure.split()[-1] in retry)
    return _play(planned, store, crew, watch or Watch(), make_player)


def _play(planned: Plan, store: RunStore, crew: Crew, watch: Watch, make_player: MakePlayer | None) -> dict[str, Any]:
    try:
        episodes = _by_slot(planned.slots, read_episodes(store.folder), store.folder)
        if watch.on_begin:
            watch.on_begin(len(episodes))
        missing = [slot for slot in planned.slots if slot not in episodes]
        player = make_player or partial(Player, planned.config, store.folder, planned.models_of_each(crew.workers))
        lost_in_a_row = 0
        for slot, episode in play_all(missing, player, crew):
            store.append(episode)
            episodes[slot] = episode
            if watch.on_episode:
                watch.on_episode(episode)
            lost_in_a_row = lost_in_a_row + 1 if _lost(episode) else 0
            if lost_in_a_row == LOST_IN_A_ROW:
                kind = str(episode.failure).split()[-1]
                raise RunError(
                    f"{LOST_IN_A_ROW} episodes in a row were lost: {episode.error}; resume with --retry {kind} plays "
                    "them again"
                )
        in_order = [episodes[slot] for slot in planned.slots]
        store.put_in_order(map(to_json, in_order))
        summary = make_summary(planned.config.env, in_order, read_judgments(store.folder))
        store.write_summary(summary)
        return summary
    finally:
        store.close()


def _lost(episode: EpisodeRecord) -> bool:
    """Whether a model's endpoint failed or refused, which says nothing about the roles, or its context has no room even
    for turn 0."""
    kind = episode.failure.split()[-1] if episode.failure else ""
    no_room = kind == ContextOverflowError.kind and not episode.turns
    return no_room or kind in (TransientModelError.kind, DeterministicModelError.kind)


def _by_slot(owed: Sequence[Slot], episodes: Sequence[EpisodeRecord], folder: Path) -> dict[Slot, EpisodeRecord]:
    """The episodes that are there already."""
    known, found = set(owed), dict[Slot, EpisodeRecord]()
    for number, episode in enumerate(episodes, start=1):
        slot = Slot(episode.task, episode.trial, episode.seed)
        if slot not in known or slot in found:
            problem = "is there twice" if slot in found else "belongs to another run"
            raise DataError(f"'{folder}', episode {number} ({slot.task}, trial {slot.trial}) {problem}")
        found[slot] = episode
    return found


def _checked(crew: Crew | int, planned: Plan) -> Crew:
    crew = Crew(workers=crew) if isinstance(crew, int) else crew
    if crew.ray is not None and planned.config.save_frames:
        raise RunError("frames are written beside the episodes, which workers of a Ray cluster cannot reach; "
                       "leave out --save-frames or --ray")  # fmt: skip
    planned.models_of_each(crew.workers)
    return crew
