"""What a role that is a model was asked in a turn of a run: the recorded actions are played again, and no model is
needed.

The request is the one that was sent first in that turn, byte for byte; what a reply of no use was answered with, or a
picture that the endpoint had no room for, came after it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siturec_gym.core.errors import RunError
from siturec_gym.core.policy import Moderator
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.episode import RENDERER_FAULT, play
from siturec_gym.evaluation.manifest import RunConfig, check_data, config_of
from siturec_gym.evaluation.player import environment_for
from siturec_gym.evaluation.prompt_watch import PromptWatch, prompt_hash_of
from siturec_gym.evaluation.roles import model_settings, models_of
from siturec_gym.evaluation.run_store import read_episodes, read_manifest
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.task_selection import bank_for
from siturec_gym.llm.messages import ChatRequest
from siturec_gym.wrappers.recorded_roles import RecordedRole, check_alike


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """Which request is wanted.

    Attributes:
        run: Run folder.
        role: "assistant", "user" or "moderator".
        task: Id of the task, the scene's name may be left out; None for the first episode's.
        turn: Number of the turn, from 0.
        trial: Attempt at the task.
    """

    run: Path
    role: str
    task: str | None = None
    turn: int = 0
    trial: int = 0


def recorded_request(wanted: RecordedTurn) -> tuple[Slot, str, ChatRequest]:
    """The episode, the hash of the role's prompts and settings, and the request of the turn.

    Args:
        wanted: Which request.

    Raises:
        ValueError: No model plays the role in the run, or there is no such episode, or the role was not asked in that
            turn.
        DataError: It is no run folder, or the episode does not come out again as it was recorded.
        RunError: Data or prompts are not what they were.
        ContextOverflowError: The turn was not asked, since its text was longer than the context.
        RendererError: The Unreal store of the run cannot be reached.
    """
    manifest = read_manifest(wanted.run)
    config = config_of(manifest, wanted.run)
    _check_role(wanted, config)
    check_data(manifest, wanted.run)
    prompts = _same_prompts(wanted, manifest, config)
    episode = _episode(wanted)
    slot = Slot(episode.task, episode.trial, episode.seed)
    return slot, prompts, _request(wanted, config, episode, slot)


def _check_role(wanted: RecordedTurn, config: RunConfig) -> None:
    names = config.names
    if wanted.role not in names:
        raise ValueError(f"a run asks {', '.join(names)}; got the role {wanted.role!r}")
    if wanted.role not in models_of(names):
        raise ValueError(f"the {wanted.role} of '{wanted.run}' is {names[wanted.role]!r}, which is asked nothing")


def _same_prompts(wanted: RecordedTurn, manifest: Mapping[str, Any], config: RunConfig) -> str:
    played, now = manifest["roles"][wanted.role]["prompt_hash"], prompt_hash_of(wanted.role, config.settings)
    if played != now:
        raise RunError(
            f"the {wanted.role} of '{wanted.run}' was asked by other prompts ({played}) than this version has ({now})"
        )
    return now


def _episode(wanted: RecordedTurn) -> EpisodeRecord:
    episodes = read_episodes(wanted.run)
    if not episodes:
        raise ValueError(f"'{wanted.run}' holds no episode yet")
    task = episodes[0].task if wanted.task is None else wanted.task
    for episode in episodes:
        if task in (episode.task, episode.task.rpartition("/")[2]) and episode.trial == wanted.trial:
            return episode
    raise ValueError(f"'{wanted.run}' holds no episode of task {task!r}, trial {wanted.trial}")


def _request(wanted: RecordedTurn, config: RunConfig, episode: EpisodeRecord, slot: Slot) -> ChatRequest:
    _check_turn(wanted, episode)
    bank = bank_for(config.tasks, config.env)
    task = next(task for task in bank if task.id == episode.task)
    settings = model_settings(wanted.role, config.settings)
    watch = PromptWatch(wanted.role, wanted.turn, slot, settings, _recorded_verdict(episode))
    env = environment_for(config, bank, watch.moderator)
    try:
        roles = {role: RecordedRole(role, episode.turns, env) for role in ("assistant", "user")}
        beside = {role: watch.beside(role, recorded, task) for role, recorded in roles.items()}
        check_alike(episode, play(env, beside["assistant"], beside["user"], slot.task, slot.seed, slot.trial))
    finally:
        env.close()
    request = watch.seen()
    if request is None:
        where = f"turn {wanted.turn} of {episode.task}, trial {episode.trial}"
        if wanted.turn < len(episode.turns):
            raise ValueError(f"the {wanted.role} was not asked in {where}: it ended by {episode.end_reason}")
        raise ValueError(f"{where}, was never finished, and what the {wanted.role} was asked in it cannot be told")
    return request


def _check_turn(wanted: RecordedTurn, episode: EpisodeRecord) -> None:
    """A turn that was begun and not finished counts: the assistant was asked in it."""
    begun = len(episode.turns) + (episode.failure not in (None, RENDERER_FAULT))
    if wanted.turn >= begun:
        raise ValueError(
            f"nobody was asked in turn {wanted.turn}: {episode.task}, trial {episode.trial}, has the turns 0 to "
            f"{begun - 1} and ended by {episode.end_reason}"
        )


def _recorded_verdict(episode: EpisodeRecord) -> Moderator:
    """Ends the episode where the run's moderator did."""
    last = episode.turns[-1].turn if episode.turns and episode.end_reason == "moderator_ended" else None
    return lambda query: query.history[-1]["turn"] == last
