"""What plays a slot: one environment, and new roles for every episode. One thread uses a player."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from siturec_gym.core.policy import Moderator, ModeratorQuery, Verdict
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.storage.frames import FrameStore
from siturec_gym.evaluation.environments import make_env
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.roles import (
    ACTING,
    askers_of,
    make_assistant_for,
    make_moderator_for,
    make_user_for,
    model_settings,
    models_of,
)
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.task_selection import bank_for
from siturec_gym.llm.meter import labelled
from siturec_gym.tasks.records import TaskBank

USUAL_SIZE = 320, 240
"""Width and height of views that no model looks at."""
DRAWN_SIDE = 640
"""Width in pixels of views for models that take them as they are drawn."""
DRAWN_BETWEEN = 320, 1920
"""Narrowest and widest view that is drawn; narrower ones are made of it, wider ones are not sent."""


class Player:
    """Plays slots of one run.

    Args:
        config: What the episodes depend on.
        folder: The run folder, for frames.
        models: How language models are reached.

    Raises:
        ModelError: A model cannot be loaded.
    """

    def __init__(self, config: RunConfig, folder: Path, models: ModelSettings | None = None) -> None:
        self._config = config
        self._askers = askers_of(config.names, models or ModelSettings())
        self._settings = {role: model_settings(role, config.settings) for role in self._askers}
        self._moderator: Moderator | None = self._make_moderator(0, 0)
        bank = bank_for(config.tasks, config.env)
        self._tasks = {task.id: task for task in bank}
        self._env = environment_for(config, bank, self._moderated if self._moderator else None)
        self._save_frame = FrameStore(folder).save if config.save_frames else None

    def __call__(self, slot: Slot) -> EpisodeRecord:
        """The episode of a slot."""
        config, trial = self._config, slot.trial
        asker, settings = self._askers.get, self._settings.get
        task = self._tasks[slot.task]
        assistant = make_assistant_for(config.assistant, task, asker("assistant"), settings("assistant"), trial)
        user = make_user_for(config.user, asker("user"), settings("user"), trial)
        self._moderator = self._make_moderator(slot.seed, trial)
        take_usage = self._take_usage if self._askers else None
        record = play(self._env, assistant, user, slot.task, slot.seed, trial, self._save_frame, take_usage)
        return replace(record, models=self._take_names())

    def close(self) -> None:
        """Close the environment, and with it what draws its store."""
        self._env.close()

    def _make_moderator(self, seed: int, trial: int) -> Moderator | None:
        asker, settings = self._askers.get("moderator"), self._settings.get("moderator")
        return make_moderator_for(self._config.moderator, asker, settings, seed, trial)

    def _moderated(self, query: ModeratorQuery) -> bool | Verdict:
        return self._moderator is not None and self._moderator(query)

    def _take_usage(self) -> dict[str, float]:
        usage: dict[str, float] = {}
        for role, asker in self._askers.items():
            usage |= labelled(role, asker.meter.take())
        return usage

    def _take_names(self) -> dict[str, tuple[str, ...]]:
        heard = {role: asker.meter.take_names() for role, asker in self._askers.items()}
        return {role: names for role, names in heard.items() if names}


def environment_for(config: RunConfig, tasks: TaskBank, moderator: Moderator | None) -> Any:
    """The environment that a run's episodes are played in.

    Args:
        config: What the episodes depend on.
        tasks: The bank that the run chose its tasks from.
        moderator: Asked after each exchange whether the episode should end; None asks nobody.
    """
    options: dict[str, Any] = {"images": config.save_frames, "image_size": image_size(config)} | views_for(config)
    if config.renderer != "embedded" or config.renderer_config:
        options |= {"renderer": config.renderer, "renderer_config": config.renderer_config}
    return make_env(config.env, moderator=moderator, tasks=tasks, ablation=config.ablation, **options)


def views_for(config: RunConfig) -> dict[str, Any]:
    """Keywords of an environment whose views the run's models look at; none where no model looks.

    Views are drawn as large as the one that looks closest wants them, in the finer preset, with marks.
    """
    acting = [role for role in models_of(config.names) if role in ACTING]
    settings = [model_settings(role, config.settings) for role in acting]
    sides = [DRAWN_SIDE if own.image_side is None else own.image_side for own in settings if own.images]
    if not sides:
        return {}
    narrowest, widest = DRAWN_BETWEEN
    width = min(widest, max(narrowest, *sides))
    return {"images": True, "som": True, "image_size": (width, width * 3 // 4), "preset": "vlm"}


def image_size(config: RunConfig) -> tuple[int, int]:
    """Width and height of the views in a run's environments."""
    size: tuple[int, int] = views_for(config).get("image_size", USUAL_SIZE)
    return size
