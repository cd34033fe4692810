"""Datasets from records: a replay shows what was seen, and what it gives are elements of the spaces."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import minari
import numpy as np
import pytest

from siturec_gym.core.actions import AssistantAction, Navigation, Recommendation, ToolCall, UserAction
from siturec_gym.core.errors import DataError
from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.supermarket_v0 import raw_env
from siturec_gym.users import make_user
from siturec_gym.wrappers.metric_reward import MetricReward
from siturec_gym.wrappers.record_episode import RecordEpisode
from siturec_gym.wrappers.role_handles import RoleHandles
from siturec_gym.wrappers.to_minari import replay, to_minari

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:minari")
TASK = {"task": "tiny/01.1"}
SHELF = ToolCall("move_to_fixture", target="F01", approach="front")
SCRIPT = (
    (
        AssistantAction("Hello there!", "Greet", ToolCall("idle")),
        UserAction("Hi, I need milk.", ToolCall("turn", "left", 25.0)),
    ),
    (
        AssistantAction("", "Navigate", SHELF, navigation=Navigation("F01"), ranking=("P001", "P003")),
        UserAction("Sure.", SHELF),
    ),
    (
        AssistantAction("Take this.", "Recommend", ToolCall("fly"), Recommendation("P001", "Milk", True, "good")),
        UserAction("Hm.", ToolCall("pick_up_item", target="P001")),
    ),
    (AssistantAction("It is fresh.", "Explain", ToolCall("add_to_cart")), UserAction("Fine.", ToolCall("add_to_cart"))),
)


@pytest.fixture
def datasets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "datasets"))
    return tmp_path / "datasets"


def live(env: Any, script: Any = SCRIPT, task: dict[str, str] = TASK) -> tuple[EpisodeRecord, list[Any], list[Any]]:
    """Play a script: the record, what the assistant saw, what it was paid."""
    env.reset(seed=4, options=task)
    seen, paid = [env.observe("assistant")], []
    for said, replied in script:
        env.step(env.encode_action("assistant", said))
        env.step(env.encode_action("user", replied))
        seen.append(env.observe("assistant"))
        paid.append(env.rewards["assistant"])
    return env.episode_record(), seen, paid


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(np.array_equal(one, other))


@pytest.mark.parametrize("images", [False, True])
def test_a_replay_shows_what_was_seen_and_pays_what_was_paid(make_env: Callable[..., Any], images: bool) -> None:
    record, seen, paid = live(make_env(images=images))
    env = make_env(images=images)
    again = replay(record, env)
    assert all(same(was, now) for was, now in zip(seen, again.observations, strict=True))
    assert list(again.rewards) == paid == [0.0, 0.0, 0.0, 1.0]
    assert all(env.observation_space("assistant").contains(observation) for observation in again.observations)
    assert all(env.action_space("assistant").contains(action) for action in again.actions)
    assert (again.terminations, again.truncations) == ((False, False, False, True), (False,) * 4)
    assert env.episode_record() == record


def test_actions_are_those_that_were_sent(make_env: Callable[..., Any]) -> None:
    """Also the silent one that the environment put into words, and an expected tool that is no tool."""
    env = make_env()
    record, *_ = live(env)
    assert record.turns[1].assistant.utterance != ""
    for action, (said, _) in zip(replay(record, make_env()).actions, SCRIPT, strict=True):
        assert same(action, env.encode_action("assistant", said))


def test_what_thinking_models_wrote_is_no_difference(make_env: Callable[..., Any]) -> None:
    record, *_ = live(make_env())
    thought = tuple(replace(turn, reasoning={"user": "Hm."}, flags=("x",), frame="f") for turn in record.turns)
    assert len(replay(replace(record, turns=thought), make_env()).actions) == len(record.turns)


def test_under_role_handles_actions_are_in_the_roles_own_handles(make_env: Callable[..., Any]) -> None:
    record, *_ = live(make_env())
    env = RoleHandles(make_env())
    again = replay(record, env)
    assert env.episode_record() == record
    expected = env.decode_action("assistant", again.actions[1]).expected_user_action
    assert expected.target == "1"
    assert env.decode_action("assistant", again.actions[1]).navigation.navigation_goal == "1"
    assert '"handle":"1"' in again.observations[1]["marks"]


def test_rewards_are_those_of_the_environment_given(make_env: Callable[..., Any]) -> None:
    record, *_ = live(make_env())
    again = replay(record, MetricReward(make_env(), {"turn_cost": 1.0}))
    assert again.rewards == (-1.0,) * 4


def test_an_episode_the_moderator_ended_is_terminated_without_one(make_env: Callable[..., Any]) -> None:
    record, *_ = live(make_env(moderator=lambda query: query.user_utterance == "Sure."), SCRIPT[:2])
    assert record.end_reason == "moderator_ended"
    again = replay(record, make_env())
    assert (again.terminations, again.truncations) == ((False, True), (False, False))


def test_turn_limit_and_failure_truncate(make_env: Callable[..., Any]) -> None:
    limited, *_ = live(make_env(max_cycles=2), SCRIPT[:2])
    assert replay(limited, make_env(max_cycles=2)).truncations == (False, True)
    env = make_env()
    live(env, SCRIPT[:2])
    env.fail("no answer")
    again = replay(env.episode_record(), make_env())
    assert (again.terminations, again.truncations) == ((False, False), (False, True))


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (lambda record: replace(record, cart=("P005",)), "another cart"),
        (lambda record: replace(record, turns=record.turns[:-1]), "another cart"),
        (lambda record: replace(record, turns=(record.turns[1], *record.turns[1:])), "turn"),
    ],
)
def test_a_record_that_does_not_come_out_again_is_refused(make_env, spoil, named):
    record, *_ = live(make_env())
    with pytest.raises(DataError, match=named):
        replay(spoil(record), make_env())
    with pytest.raises(DataError, match="ends before turn 2"):
        replay(record, make_env(max_cycles=2))


def test_a_dataset_holds_every_episode_and_can_be_read_back(make_env, datasets) -> None:
    """20 episodes, more than are written at once."""
    records = [live(make_env(), task={"task": f"tiny/01.{1 + number % 4}"})[0] for number in range(20)]
    records = [replace(record, trial=number) for number, record in enumerate(records)]
    env = make_env(images=True, static_observations=False)
    dataset = to_minari(records, env, "siturec/tiny-v0", description="For a test.")
    assert (dataset.total_episodes, dataset.total_steps) == (20, 80)
    assert dataset.observation_space == env.observation_space("assistant")
    assert dataset.action_space == env.action_space("assistant")
    expected = replay(records[6], env)
    episode = dataset[6]
    for step in range(5):
        observation = {key: column[step] for key, column in episode.observations.items()}
        assert same(observation, expected.observations[step])
        assert dataset.observation_space.contains(as_elements(dataset.observation_space, observation))
    assert list(episode.rewards) == [0.0, 0.0, 0.0, 1.0]
    assert list(episode.terminations) == [False, False, False, True]
    for step in range(4):
        action = at(episode.actions, step)
        assert same(action, expected.actions[step])
        assert dataset.action_space.contains(as_elements(dataset.action_space, action))
    metadata = next(iter(dataset.storage.get_episode_metadata([6])))
    assert (metadata["seed"], metadata["options"]["task"]) == (4, "tiny/01.3")


def at(columns: Any, step: int) -> Any:
    return {key: at(column, step) for key, column in columns.items()} if isinstance(columns, dict) else columns[step]


def as_elements(space: gym.Space[Any], value: Any) -> Any:
    """Numbers of shape () come back as numpy scalars, which a Box takes only as arrays."""
    if isinstance(space, gym.spaces.Dict):
        return {key: as_elements(inner, value[key]) for key, inner in space.spaces.items()}
    return np.asarray(value) if isinstance(space, gym.spaces.Box) else value


def test_from_a_run_folder_of_the_supermarket(datasets, tmp_path) -> None:
    """Recorded two-agent play becomes a dataset of the registered environment, which can be had back from it."""
    env = RecordEpisode(raw_env(images=False), tmp_path / "run")
    for number in range(2):
        play(env, make_assistant("heuristic"), make_user("agenda"), f"supermarket/0{number + 1}.1", seed=number)
    env.close()
    form = gym.make("SituRec-Supermarket-v0", images=False, static_observations=False)
    dataset = to_minari(tmp_path / "run", form, "siturec/supermarket/heuristic-v0", author="A test")
    assert dataset.total_episodes == 2
    assert dataset.recover_environment().observation_space == dataset.observation_space
    assert minari.load_dataset("siturec/supermarket/heuristic-v0").total_steps == dataset.total_steps


def test_nothing_to_write_is_an_error(make_env, datasets) -> None:
    env = make_env()
    env.reset(seed=0)
    env.fail("no answer")
    with pytest.raises(DataError, match="no episode"):
        to_minari([env.episode_record()], make_env(), "siturec/tiny-v0")
