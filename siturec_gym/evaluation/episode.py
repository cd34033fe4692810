"""One episode: two policies play a task in the two-agent environment."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.errors import DataError, SituRecError
from siturec_gym.core.policy import AssistantPolicy, Observation, UserPolicy
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.seeding import role_seed

Role = Literal["assistant", "user"]
SaveFrame = Callable[[NDArray[np.uint8]], str]


class RoleError(SituRecError):
    """A role gave no action that the environment can take. It ends the episode, not the run."""


def play(
    env: Any,
    assistant: AssistantPolicy,
    user: UserPolicy,
    task_id: str,
    seed: int,
    trial: int = 0,
    save_frame: SaveFrame | None = None,
) -> EpisodeRecord:
    """Play one task to its end.

    A role that fails ends the episode with status "failed", end reason generation_failure and the error's text; the
    turns before it are kept.

    Args:
        env: AEC environment with agents "assistant" and "user", ``encode_action``, ``fail`` and ``episode_record``.
        assistant: Policy of the assistant.
        user: Policy of the simulated user.
        task_id: Which task of the environment's bank to play.
        seed: Seed of the environment and, through ``role_seed``, of both policies.
        trial: Number of this attempt at the task, kept in the record.
        save_frame: Stores the image seen at the start of a turn and gives its content hash. The environment must
            then make images.
    """
    policies: Mapping[Role, Any] = {"assistant": assistant, "user": user}
    frames: dict[int, str] = {}
    env.reset(seed=seed, options={"task": task_id})
    try:
        states = {role: _start(role, policy, seed) for role, policy in policies.items()}
        for role in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            if save_frame and role == "assistant":
                frames[int(observation["turn"])] = save_frame(observation["rgb"])
            action, states[role] = _act(env, role, policies[role], observation, states[role])
            env.step(action)
    except RoleError as failure:
        env.fail(str(failure))
    return _with_frames(env.episode_record(trial=trial), frames)


def _start(role: Role, policy: Any, seed: int) -> Any:
    try:
        return policy.initial_state(role_seed(seed, role))
    except DataError:
        raise
    except Exception as error:
        raise _failure(role, error) from error


def _act(env: Any, role: Role, policy: Any, observation: Observation, state: Any) -> tuple[Any, Any]:
    """The policy's action in the environment's form.

    Whatever goes wrong in here is the role's failure, except that broken data would fail every episode.
    """
    try:
        action, state = policy.step(observation, state)
        return env.encode_action(role, action), state
    except DataError:
        raise
    except Exception as error:
        raise _failure(role, error) from error


def _failure(role: Role, error: Exception) -> RoleError:
    words = " ".join(str(error).split())
    return RoleError(f"{role}: {type(error).__name__}: {words}")


def _with_frames(record: EpisodeRecord, frames: Mapping[int, str]) -> EpisodeRecord:
    if not frames:
        return record
    return replace(record, turns=tuple(replace(turn, frame=frames.get(turn.turn)) for turn in record.turns))
