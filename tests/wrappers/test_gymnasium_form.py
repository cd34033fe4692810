"""The Gymnasium form: one step is one turn; a user that fails ends the episode."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.actions import AssistantAction, ToolCall, UserAction
from siturec_gym.core.errors import RendererError
from siturec_gym.core.policy import Observation
from siturec_gym.core.seeding import generator
from siturec_gym.envs.situated.env import SituatedEnv
from siturec_gym.wrappers import GymnasiumForm

HELLO = AssistantAction("Hello there!", "Greet", ToolCall("idle"))


@dataclass(frozen=True)
class Count:
    seed: int
    turns: int = 0


class WanderingUser:
    """Turns by an angle drawn from its seed and turn; raises at ``fails_at``."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.fails_at = fails_at

    def initial_state(self, seed: int) -> Count:
        return Count(seed)

    def step(self, observation: Observation, state: Count) -> tuple[UserAction, Count]:
        if state.turns == self.fails_at:
            raise RuntimeError(f"the line went dead while reading {observation['goal']}")
        assert "goal" in observation
        angle = float(generator(state.seed, "angle", state.turns).integers(180))
        call = ToolCall("turn", direction="left", angle_deg=angle)
        return UserAction(f"Turning {angle:g}.", call), Count(state.seed, state.turns + 1)


@pytest.fixture
def make_form(tiny_scene: Any, tiny_bank: Any, make_flat_renderer: Any) -> Any:
    def build(fails_at: int | None = None, **keywords: Any) -> GymnasiumForm:
        settings: dict[str, Any] = {"images": False, **keywords}
        raw = SituatedEnv(tiny_scene, tiny_bank, make_flat_renderer(tiny_scene), **settings)
        return GymnasiumForm(raw, WanderingUser(fails_at))

    return build


def test_one_step_is_one_turn(make_form: Any) -> None:
    form = make_form()
    observation, info = form.reset(seed=1)
    assert observation["turn"] == 0
    assert "action_mask" in info
    observation, reward, terminated, truncated, info = form.step(form.encode_action(HELLO))
    assert observation["turn"] == 1
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert "Turning" in observation["history"]
    assert not {"profile", "goal"} & set(observation)


def test_a_user_reads_goal_and_profile_even_where_they_come_at_reset_alone(make_form: Any) -> None:
    form = make_form(static_observations=False)
    form.reset(seed=1)
    for env in (form, make_form(static_observations=False)):
        env.set_state(form.get_state())  # its user asserts that the goal is there
        assert "end_reason" not in env.step(env.encode_action(HELLO))[-1]


def test_it_ends_at_the_turn_limit(make_form: Any) -> None:
    form = make_form(max_cycles=4)
    form.reset(seed=1)
    for turn in range(4):
        *_, terminated, truncated, info = form.step(form.encode_action(HELLO))
        assert truncated is (turn == 3)
        assert terminated is False
    assert info["end_reason"] == "turn_limit"
    assert info["episode_metrics"]["Turn"] == 4.0
    assert form.episode_record().end_reason == "turn_limit"


def test_a_user_that_raises_ends_the_episode_as_generation_failure(make_form: Any) -> None:
    form = make_form(fails_at=2)
    form.reset(seed=1)
    for _ in range(2):
        form.step(form.encode_action(HELLO))
    observation, reward, terminated, truncated, info = form.step(form.encode_action(HELLO))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["end_reason"] == "generation_failure"
    assert info["error"] == "the simulated user gave no action: RuntimeError"
    assert form.observation_space.contains(observation)
    record = form.episode_record()
    assert (record.status, len(record.turns)) == ("failed", 2)
    assert "RuntimeError: the line went dead" in str(record.error)
    observation, _ = form.reset(seed=1)
    assert observation["turn"] == 0


def test_a_renderer_that_fails_ends_the_episode_as_generation_failure(make_form: Any) -> None:
    form = make_form()
    form.reset(seed=1)
    form.step(form.encode_action(HELLO))

    def fail(*_: Any) -> None:
        raise RendererError("the server is gone")

    form.aec.unwrapped._sight.renderer.visibility = fail
    *_, truncated, info = form.step(form.encode_action(HELLO))
    assert (truncated, info["end_reason"]) == (True, "generation_failure")
    assert info["error"] == "the server is gone"
    record = form.episode_record()
    assert (record.status, record.error, len(record.turns)) == ("failed", "renderer: the server is gone", 1)


def test_a_bad_action_raises_and_changes_nothing(make_form: Any) -> None:
    form = make_form()
    form.reset(seed=1)
    before = form.get_state()
    with pytest.raises(ValueError, match="missing keys"):
        form.step({"utterance": "hi"})
    assert form.get_state() == before


def test_same_seed_same_episode_and_unseeded_resets_go_on(make_form: Any) -> None:
    histories = []
    for _ in range(2):
        form = make_form()
        seen = []
        for seed in (5, None, None):
            form.reset(seed=seed)
            for _ in range(3):
                observation, *_ = form.step(form.encode_action(HELLO))
            seen.append(observation["history"])
        histories.append(seen)
    assert histories[0] == histories[1]
    assert len(set(histories[0])) == 3


def test_state_copies_hold_the_user_too(make_form: Any) -> None:
    form, other = make_form(), make_form()
    form.reset(seed=1)
    form.step(form.encode_action(HELLO))
    snapshot = form.get_state()
    expected = form.step(form.encode_action(HELLO))[0]["history"]
    for target in (form, other):
        target.set_state(snapshot)
        assert target.step(target.encode_action(HELLO))[0]["history"] == expected


def test_observations_share_no_arrays(make_form: Any) -> None:
    form = make_form(images=True, image_size=(32, 24))
    first, _ = form.reset(seed=1)
    second, *_ = form.step(form.encode_action(HELLO))
    for key in ("rgb", "map_image", "marks_array", "pose"):
        assert not np.shares_memory(first[key], second[key])


def test_what_the_user_raises_cannot_carry_the_goal_to_the_assistant(make_form: Any) -> None:
    form = make_form(fails_at=0)
    form.reset(seed=1)
    observation, *_, info = form.step(form.encode_action(HELLO))
    assert "breakfast" in str(form.episode_record().error)
    assert "breakfast" not in f"{observation} {info}"
