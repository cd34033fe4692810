"""What plays a slot: one environment, and new roles for every episode. One thread uses a player."""

from pathlib import Path

from siturec_gym.core.policy import Moderator, ModeratorQuery
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.storage.frames import FrameStore
from siturec_gym.evaluation.environments import make_env
from siturec_gym.evaluation.episode import play
from siturec_gym.evaluation.manifest import RunConfig
from siturec_gym.evaluation.models import ModelSettings
from siturec_gym.evaluation.roles import make_assistant_for, make_moderator_for, make_user_for, models_of
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.task_selection import bank_for
from siturec_gym.llm.meter import labelled


class Player:
    """Plays slots of one run.

    Args:
        config: What the episodes depend on.
        folder: The run folder, for frames.
        models: How language models are reached.
    """

    def __init__(self, config: RunConfig, folder: Path, models: ModelSettings | None = None) -> None:
        self._config = config
        self._models = models or ModelSettings()
        names = models_of(config.assistant, config.user, config.moderator)
        self._meters = {role: self._models.meter(model) for role, model in names.items()}
        self._moderator: Moderator | None = make_moderator_for(config.moderator, self._models)
        bank = bank_for(config.tasks, config.env)
        self._tasks = {task.id: task for task in bank}
        moderator = self._moderated if self._moderator else None
        self._env = make_env(
            config.env, moderator=moderator, images=config.save_frames, tasks=bank, ablation=config.ablation
        )
        self._save_frame = FrameStore(folder).save if config.save_frames else None

    def __call__(self, slot: Slot) -> EpisodeRecord:
        """The episode of a slot."""
        config = self._config
        assistant = make_assistant_for(config.assistant, self._tasks[slot.task])
        user = make_user_for(config.user)
        self._moderator = make_moderator_for(
            config.moderator, self._models, self._meters.get("moderator"), slot.seed, slot.trial
        )
        take_usage = self._take_usage if self._meters else None
        return play(self._env, assistant, user, slot.task, slot.seed, slot.trial, self._save_frame, take_usage)

    def _moderated(self, query: ModeratorQuery) -> bool:
        return self._moderator is not None and self._moderator(query)

    def _take_usage(self) -> dict[str, float]:
        usage: dict[str, float] = {}
        for role, meter in self._meters.items():
            usage |= labelled(role, meter.take())
        return usage
