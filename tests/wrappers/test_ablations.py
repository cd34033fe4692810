"""The assistant without its view, and without its view and marks, as Appendix D.4 has them (S20)."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from siturec_gym import supermarket_v0
from siturec_gym.core.actions import AssistantAction, ToolCall
from siturec_gym.core.text import parse_lines
from siturec_gym.evaluation.episode import play
from siturec_gym.policies import make_assistant
from siturec_gym.users import make_user
from siturec_gym.wrappers.ablations import ABLATIONS, WithoutEgocentricView, WithoutViewAndCaption, ablated

KEPT = ("map_image", "pose", "catalog", "location_index", "history", "cart", "held", "turn", "recommendations_left")


@pytest.fixture
def pictured(make_env: Callable[..., Any]) -> Callable[[type], Any]:
    """A running episode of the tiny store with images, under an ablation."""

    def build(kind: type) -> Any:
        env = kind(make_env(images=True))
        env.reset(seed=0, options={"task": "tiny/01.1"})
        return env

    return build


@pytest.mark.parametrize("kind", ABLATIONS.values())
class TestBoth:
    def test_no_picture_of_the_view_reaches_the_assistant(self, pictured: Callable[[type], Any], kind: type) -> None:
        env = pictured(kind)
        observation = env.observe("assistant")
        assert not {"rgb", "som_image"} & set(observation)
        assert not {"rgb", "som_image"} & set(env.observation_space("assistant").spaces)
        assert env.observation_space("assistant").contains(observation)

    def test_the_rest_stays(self, pictured: Callable[[type], Any], kind: type) -> None:
        env = pictured(kind)
        observation, raw = env.observe("assistant"), env.unwrapped.observe("assistant")
        for key in KEPT:
            assert np.array_equal(observation[key], raw[key])

    def test_the_user_sees_everything(self, pictured: Callable[[type], Any], kind: type) -> None:
        env = pictured(kind)
        observation, raw = env.observe("user"), env.unwrapped.observe("user")
        assert set(observation) == set(raw)
        assert all(np.array_equal(observation[key], raw[key]) for key in raw)
        assert env.observation_space("user") is env.unwrapped.observation_space("user")
        assert env.infos["user"].keys() == env.unwrapped.infos["user"].keys()

    def test_without_images_too(self, make_env: Callable[..., Any], kind: type) -> None:
        env = kind(make_env())
        env.reset(seed=0)
        assert env.observation_space("assistant").contains(env.observe("assistant"))


def test_marks_stay_without_the_view(pictured: Callable[[type], Any]) -> None:
    env = pictured(WithoutEgocentricView)
    assert env.observe("assistant")["marks"] == env.observe("user")["marks"] != ""
    assert "place_index" not in env.observe("assistant")


class TestWithoutCaption:
    @pytest.fixture
    def env(self, pictured: Callable[[type], Any]) -> Any:
        return pictured(WithoutViewAndCaption)

    def test_nothing_tells_what_is_in_view(self, env: Any, play_turn: Callable[..., None]) -> None:
        play_turn(env, ToolCall("turn", direction="left", angle_deg=40.0))
        shown, marks = [self._of_the_view(env)], {env.observe("user")["marks"]}
        for call in (
            ToolCall("move_to_fixture", target="F01", approach="front"),
            ToolCall("turn", direction="left", angle_deg=180.0),
        ):
            play_turn(env, call)
            shown.append(self._of_the_view(env))
            marks.add(env.observe("user")["marks"])
        assert len(marks) == 3
        assert shown[0] == shown[1] == shown[2]

    @staticmethod
    def _of_the_view(env: Any) -> tuple[Any, ...]:
        observation, mask = env.observe("assistant"), env.infos["assistant"]["action_mask"]["expected_user_action"]
        shown = {key: None if value is None else value.tolist() for key, value in mask.items()}
        return observation["marks"], observation["marks_array"].any(), observation["place_index"], shown

    def test_the_index_names_every_place_and_its_approaches(self, env: Any) -> None:
        assert parse_lines(env.observe("assistant")["place_index"]) == (
            {"place": "F01", "kind": "fixture", "name": "Milk Shelf", "approaches": ["nearest", "front", "back"]},
            {"place": "F02", "kind": "fixture", "name": "Soup Shelf", "approaches": ["nearest", "front"]},
        )
        assert "place_index" not in env.observe("user")

    def test_a_pick_up_may_be_expected_without_naming_the_item(self, env: Any, play_turn: Callable[..., None]) -> None:
        mask = env.infos["assistant"]["action_mask"]
        assert mask["expected_user_action"]["target"].tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 1]
        assert mask["expected_user_action"]["tool"].tolist() == [1] * 12 + [0, 0]
        expected = ToolCall("pick_up_item")
        play_turn(env, action=AssistantAction("Please pick up the soup.", "Recommend", expected))
        assert env.episode_record().turns[0].assistant.expected_user_action == expected
        space = env.action_space("assistant")
        assert space.contains(space.sample(mask))

    def test_the_index_is_static(self, make_env: Callable[..., Any]) -> None:
        env = WithoutViewAndCaption(make_env(static_observations=False))
        env.reset(seed=0)
        assert "place_index" not in env.observe("assistant")
        assert '"F02"' in env.infos["assistant"]["static_observations"]["place_index"]
        assert env.observation_space("assistant").contains(env.observe("assistant"))


@pytest.fixture(scope="module")
def blind() -> Any:
    return supermarket_v0.env(images=False, ablation="without_view_and_caption")


class TestComposed:
    def test_the_index_goes_by_handles_and_no_product_has_one(self, blind: Any) -> None:
        blind.reset(seed=1)
        index = parse_lines(blind.observe("assistant")["place_index"])
        assert [line["place"] for line in index] == [str(number) for number in range(1, 30)]
        element = blind.encode_action("assistant", AssistantAction("", "Explain", ToolCall("pick_up_item", target="A")))
        blind.step(element)
        assert blind.unwrapped.episode.spoken.record.expected_user_action.target == "unknown"

    def test_an_expected_place_is_the_roles_own(self, blind: Any) -> None:
        blind.reset(seed=1)
        call = ToolCall("move_to_fixture", target="7", approach="nearest")
        blind.step(blind.encode_action("assistant", AssistantAction("", "Explain", call)))
        assert blind.unwrapped.episode.spoken.record.expected_user_action.target == "F07"

    @pytest.mark.parametrize("assistant", ["heuristic", "random"])
    def test_scripted_assistants_play_on(self, blind: Any, assistant: str) -> None:
        for task in list(blind.tasks)[:6]:
            record = play(blind, make_assistant(assistant), make_user("agenda"), task.id, 3)
            assert (record.status, record.error) == ("complete", None)


def test_an_unknown_ablation(make_env: Callable[..., Any]) -> None:
    with pytest.raises(ValueError, match="without_legs"):
        ablated(make_env(), "without_legs")
