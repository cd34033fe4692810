"""One episode: two policies play a task in the two-agent environment."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import (
    DataError,
    JudgeError,
    ModelError,
    RendererError,
    RunError,
    SituRecError,
    words_of,
)
from siturec_gym.core.policy import AssistantPolicy, Observation, UserPolicy, keep_remarks
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.seeding import role_seed

Role = Literal["assistant", "user", "moderator"]
SaveFrame = Callable[[NDArray[np.uint8]], str]
TakeUsage = Callable[[], Mapping[str, float]]
_NOT_A_ROLES_FAULT = (DataError, RunError)
OWN_FAULT = "error"
"""Kind of a failure that lies in the role itself, such as an action that the environment cannot take."""

RENDERER_FAULT = f"renderer {OWN_FAULT}"
"""Failure of an episode that the renderer could not show to its end."""


class RoleError(SituRecError):
    """A role gave no action that the environment can take. It ends the episode, not the run.

    Attributes:
        failure: Role and kind, such as "assistant transient".
    """

    def __init__(self, role: Role, error: Exception) -> None:
        super().__init__(f"{role}: {type(error).__name__}: {words_of(error)}")
        cause = error.__cause__ if isinstance(error, JudgeError) else error
        self.failure = f"{role} {cause.kind if isinstance(cause, ModelError) else OWN_FAULT}"


@dataclass
class _Notes:
    """What is learnt beside the environment's own record.

    Attributes:
        frames: Content hash of the image seen at the start of each turn.
        usage: What models took in each complete turn.
        unfinished: What they took in a turn that was never completed.
    """

    frames: dict[int, str] = field(default_factory=dict)
    usage: dict[int, Mapping[str, float]] = field(default_factory=dict)
    unfinished: Mapping[str, float] = field(default_factory=dict)


def play(
    env: Any,
    assistant: AssistantPolicy,
    user: UserPolicy,
    task_id: str,
    seed: int,
    trial: int = 0,
    save_frame: SaveFrame | None = None,
    take_usage: TakeUsage | None = None,
) -> EpisodeRecord:
    """Play one task to its end.

    A role or a renderer that fails ends the episode with status "failed", end reason generation_failure and the error's
    text; the turns before it are kept. A renderer that fails before the first view raises RendererError.

    Args:
        env: AEC environment with agents "assistant" and "user", ``encode_action``, ``fail`` and ``episode_record``.
        assistant: Policy of the assistant.
        user: Policy of the simulated user.
        task_id: Which task of the environment's bank to play.
        seed: Seed of the environment and, through ``role_seed``, of both policies.
        trial: Number of this attempt at the task, kept in the record.
        save_frame: Stores the image seen at the start of a turn and gives its content hash. The environment must
            then make images.
        take_usage: What models took since it was last called, by "<role>_<count>".
    """
    policies: Mapping[Role, Any] = {"assistant": assistant, "user": user}
    notes = _Notes()
    env.reset(seed=seed, options={"task": task_id})
    failure = None
    try:
        states = {role: _start(role, policy, seed) for role, policy in policies.items()}
        for role in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            turn = int(observation["turn"])
            if save_frame and role == "assistant":
                seen = observation if "rgb" in observation else env.observe("user")  # an assistant may go without
                notes.frames[turn] = save_frame(seen["rgb"])
            action, states[role] = _act(env, role, policies[role], observation, states[role])
            keep_remarks(env, role, states[role])
            _step(env, action)
            if take_usage and role == "user":
                notes.usage[turn] = take_usage()
    except RoleError as error:
        failure = error.failure
        env.fail(str(error))
    except RendererError as error:
        if not any((*env.terminations.values(), *env.truncations.values())):  # else it was only the last view's picture
            failure = RENDERER_FAULT
            env.fail(f"renderer: {words_of(error)}")
    notes.unfinished = take_usage() if take_usage else {}
    return replace(_noted(env.episode_record(trial=trial), notes), failure=failure)


def _start(role: Role, policy: Any, seed: int) -> Any:
    try:
        return policy.initial_state(role_seed(seed, role))
    except _NOT_A_ROLES_FAULT:
        raise
    except Exception as error:
        raise RoleError(role, error) from error


def _act(env: Any, role: Role, policy: Any, observation: Observation, state: Any) -> tuple[Any, Any]:
    """The policy's action in the environment's form.

    Whatever goes wrong in here is the role's failure, except that broken data or a full disk would fail every episode.
    """
    try:
        action, state = policy.step(observation, state)
        return env.encode_action(role, action), state
    except _NOT_A_ROLES_FAULT:
        raise
    except Exception as error:
        raise RoleError(role, error) from error


def _step(env: Any, action: Any) -> None:
    """Let the world go on; the moderator, who is asked in there, may fail as the other roles may."""
    try:
        env.step(action)
    except JudgeError as error:
        raise RoleError("moderator", error) from error


def _noted(record: EpisodeRecord, notes: _Notes) -> EpisodeRecord:
    if not (notes.frames or notes.usage or notes.unfinished):
        return record
    turns = tuple(
        replace(turn, frame=notes.frames.get(turn.turn), usage=dict(notes.usage.get(turn.turn, {})))
        for turn in record.turns
    )
    total: Counter[str] = Counter()
    for usage in (*notes.usage.values(), notes.unfinished):
        total.update(usage)
    return replace(record, turns=turns, usage=dict(sorted(total.items())))
