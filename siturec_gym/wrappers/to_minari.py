"""Recorded episodes as a Minari dataset for offline learning (https://minari.farama.org)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from gymnasium.envs.registration import EnvSpec

from siturec_gym.core.errors import DataError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.core.storage.episodes import read_episodes
from siturec_gym.wrappers.gymnasium_form import GymnasiumForm
from siturec_gym.wrappers.recorded_roles import RecordedRole, check_alike, episode_name

TRUNCATING = frozenset(("turn_limit", "generation_failure", ""))
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Replayed:
    """An episode gone through again, from the assistant's side.

    Attributes:
        record: What was recorded.
        observations: One more than there are turns.
        actions: What the assistant did, as elements of its action space.
        rewards: The environment's, which need not be the ones of the recording.
        terminations: Whether the shopping came to its end; in the last turn at most.
        truncations: Whether the turn limit or a failing role cut the episode off; in the last turn at most.
    """

    record: EpisodeRecord
    observations: tuple[dict[str, Any], ...]
    actions: tuple[dict[str, Any], ...]
    rewards: tuple[Any, ...]
    terminations: tuple[bool, ...]
    truncations: tuple[bool, ...]


def to_minari(
    source: Path | Iterable[EpisodeRecord], env: Any, dataset_id: str, *, description: str = "", **metadata: Any
) -> Any:
    """Write a Minari dataset of the assistant's observations and actions.

    Records hold no observations. Each episode is therefore played again in ``env`` with the recorded actions of both
    roles; the environment is deterministic, so what it shows is what was seen, and every observation and action is an
    element of its spaces. What the replay gives is compared with the record. Images are kept without loss.

    Before: a run folder. After: ``minari.load_dataset(dataset_id)``; the seed and options of an episode start it again.

    Args:
        source: A run folder or its episodes. Episodes without a complete turn are left out.
        env: The two-agent environment, or a Gymnasium form of it, of the same scene, tasks and turn limit;
            ``images=False, static_observations=False`` keep the dataset small. Its user is not asked; its moderator
            should be the run's, or None.
        dataset_id: Such as "siturec/supermarket/heuristic-v0".
        description: What the dataset is.
        **metadata: Further keywords of ``minari.create_dataset_from_buffers``, such as ``author``.

    Returns:
        The ``minari.MinariDataset``.

    Raises:
        ImportError: Minari is not installed (extra ``minari``).
        DataError: No episode, or a replay that differs from its record: other data, version or turn limit.
    """
    try:
        import minari  # noqa: PLC0415  an extra
        from minari.data_collector.episode_buffer import EpisodeBuffer  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to_minari needs Minari: pip install 'siturec-gym[minari]'") from error
    episodes = read_episodes(source) if isinstance(source, Path) else source
    aec, spec = _two_agents(env), getattr(env, "spec", None)
    buffers = (EpisodeBuffer(**_columns(replay(episode, aec))) for episode in episodes if episode.turns)
    first = list(islice(buffers, _AT_ONCE))
    if not first:
        raise DataError("no episode with a complete turn: there is nothing to put into a dataset")
    dataset = minari.create_dataset_from_buffers(
        dataset_id,
        first,
        env=spec if isinstance(spec, EnvSpec) else None,
        observation_space=aec.observation_space("assistant"),
        action_space=aec.action_space("assistant"),
        description=description or None,
        jpeg_encoding=False,
        **metadata,
    )
    while more := list(islice(buffers, _AT_ONCE)):
        dataset.storage.update_episodes(more)
    return minari.load_dataset(dataset_id)


def replay(episode: EpisodeRecord, env: Any) -> Replayed:
    """Go through a recorded episode again.

    Args:
        episode: What was recorded.
        env: The two-agent environment, of the same scene and tasks.

    Raises:
        DataError: The episode does not come out as it was recorded.
    """
    aec = _two_agents(env)
    assistant = RecordedRole("assistant", episode.turns, aec)
    form = GymnasiumForm(aec, RecordedRole("user", episode.turns, aec))
    seed = episode.seed if episode.seed >= 0 else None
    observation, _ = form.reset(seed=seed, options={"task": episode.task})
    observations, actions, rewards, flags = [observation], [], [], [False, False]
    for number, turn in enumerate(episode.turns):
        if aec.unwrapped.episode.end is not None:
            raise DataError(
                f"{episode_name(episode)}: the replay ends before turn {turn.turn}: another moderator or limit?"
            )
        action = assistant.element(number)
        observation, reward, *flags, _ = form.step(action)
        observations.append(observation)
        actions.append(action)
        rewards.append(reward)
    check_alike(episode, form.episode_record(episode.trial))
    going_on = (False,) * (len(actions) - 1)
    if not any(flags):  # ended by what a replay does not ask: the moderator, or a role that failed
        flags = [episode.end_reason not in TRUNCATING, episode.end_reason in TRUNCATING]
    return Replayed(
        episode,
        tuple(observations),
        tuple(actions),
        tuple(rewards),
        (*going_on, flags[0]),
        (*going_on, flags[1]),
    )


def _two_agents(env: Any) -> Any:
    inner = env.unwrapped
    return inner.aec if isinstance(inner, GymnasiumForm) else env


def _columns(episode: Replayed) -> dict[str, Any]:
    record = episode.record
    return {
        "seed": record.seed if record.seed >= 0 else None,
        "options": {"task": record.task},
        "observations": _stacked(episode.observations),
        "actions": _stacked(episode.actions),
        "rewards": list(episode.rewards),
        "terminations": list(episode.terminations),
        "truncations": list(episode.truncations),
    }


def _stacked(values: Iterable[Any]) -> Any:
    """A dict of lists from dicts of values, at every depth."""
    rows = list(values)
    if not isinstance(rows[0], Mapping):
        return rows
    return {key: _stacked(_each(rows, key)) for key in rows[0]}


def _each(rows: Iterable[Mapping[str, Any]], key: str) -> Iterator[Any]:
    return (row[key] for row in rows)
