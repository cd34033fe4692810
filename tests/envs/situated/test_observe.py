"""S1: nothing private reaches the assistant. S12: what each role sees."""

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from siturec_gym.core.actions import AssistantAction, Recommendation, ToolCall, UserAction
from siturec_gym.core.records import TurnRecord
from siturec_gym.core.text import parse_lines
from siturec_gym.envs.situated.observe import sighting
from siturec_gym.envs.situated.spaces import MARK_ROWS, Vocabulary
from siturec_gym.scenes.layout_map import MapFrame
from siturec_gym.tasks.records import Goal, Profile, TaskBank
from siturec_gym.world.view import Seen, View

CANARY = "CANARY"


@pytest.fixture
def planted(plant_canaries: Callable[..., TaskBank]) -> TaskBank:
    """A bank whose every private field holds a canary; what must be a number is one that occurs nowhere else."""
    return plant_canaries("tiny")


def test_the_canaries_fill_every_private_field(planted: TaskBank) -> None:
    for record in (planted.profiles[0], planted.profiles[0].settings, planted[0].goal, planted[0]):
        for field in dataclasses.fields(record):
            shown = repr(getattr(record, field.name))
            assert CANARY in shown or "98712" in shown, field.name


@pytest.mark.parametrize("static", [True, False])
def test_no_private_field_reaches_the_assistant(
    make_env: Any, planted: TaskBank, texts_of: Callable[[Any], str], capsys: Any, static: bool
) -> None:
    env = make_env(tasks=planted, images=True, static_observations=static, render_mode="human")
    env.reset(seed=0)
    reachable: list[Any] = []

    def gather() -> None:
        reachable.extend((env.observe("assistant"), env.infos["assistant"], env.rewards, env.terminations))

    gather()
    said = AssistantAction("I recommend it.", "Recommend", recommendation=Recommendation("P001"))
    for call in (
        ToolCall("move_to_fixture", target="F01", approach="front"),
        ToolCall("pick_up_item", target="P001"),
        ToolCall("add_to_cart"),
    ):
        env.step(
            env.encode_action("assistant", said if call.tool == "pick_up_item" else AssistantAction("", "Explain"))
        )
        gather()
        env.step(env.encode_action("user", UserAction("Sure.", call)))
        gather()
    turns: tuple[TurnRecord, ...] = env.episode_record().turns
    reachable.append([json.dumps(dataclasses.asdict(turn)) for turn in turns])
    reachable.append(capsys.readouterr().out)
    text = texts_of(reachable)
    assert len(text) > 10_000
    assert CANARY not in text
    assert "98712" not in text
    assert CANARY in texts_of(env.observe("user")) or not static


def test_the_user_is_shown_profile_and_goal_but_neither_target_nor_reference_set(
    make_env: Any, planted: TaskBank, texts_of: Callable[[Any], str]
) -> None:
    env = make_env(tasks=planted)
    env.reset(seed=0)
    observation = env.observe("user")
    (profile,), (goal,) = parse_lines(observation["profile"]), parse_lines(observation["goal"])
    assert set(profile) == {field.name for field in dataclasses.fields(Profile)}
    assert set(goal) == {field.name for field in dataclasses.fields(Goal)}
    assert planted[0].target not in texts_of(observation)
    assert planted[0].reference_set[0] not in texts_of(observation)


def test_the_user_never_sees_a_catalog_id_outside_the_handles(env: Any, texts_of: Callable[[Any], str]) -> None:
    observation = env.observe("user")
    handles = {mark["handle"] for mark in parse_lines(observation["marks"])}
    assert handles == {"F01", "F02", "P001", "P002", "P003", "P004", "P005"}
    others = {key: value for key, value in observation.items() if key != "marks"}
    assert not any(f"P00{number}" in texts_of(others) for number in range(1, 6))


def test_marks_list_places_first_then_products_by_id(env: Any) -> None:
    marks = parse_lines(env.observe("assistant")["marks"])
    assert [mark["handle"] for mark in marks] == ["F01", "F02", "P001", "P002", "P003", "P004", "P005"]
    milk, product = marks[0], marks[2]
    assert milk == {
        "handle": "F01", "kind": "fixture", "name": "Milk Shelf", "distance_m": 3.35, "bearing_deg": 26.6,
        "box": [0.175, 0.4, 0.235, 0.6], "approaches": ["nearest", "front"],
    }  # fmt: skip
    assert product["reachable"] is False
    assert set(product) == {"handle", "kind", "name", "distance_m", "bearing_deg", "box", "reachable"}


def test_marks_array_repeats_the_marks_in_action_codes(env: Any) -> None:
    observation = env.observe("user")
    array = observation["marks_array"]
    assert array.shape == (64, 8)
    assert array.dtype == np.float32
    assert array[0].tolist() == pytest.approx([1, 0, 3.35, 26.6, 0.175, 0.4, 0.235, 0.6])
    assert array[2, :2].tolist() == [2, 2]
    assert not array[7:].any()


def test_a_crowded_view_keeps_the_nearest_marks_in_order() -> None:
    box = (0.1, 0.1, 0.2, 0.2)
    names = [f"P{number:03d}" for number in range(1, 101)]
    products = {
        name: Seen(name, "product", name, "I", float(100 - index), 0.0, box, 20, True, ())
        for index, name in enumerate(names)
    }
    from siturec_gym.core.pose import Pose

    seen = sighting(View(Pose(0, 0, 0), {}, products), Vocabulary(tuple(names)))
    assert len(parse_lines(seen.marks)) == 100
    assert seen.marks_array[:, 1].tolist() == list(range(36, 100))
    assert (seen.marks_array[:, 0] == 2).sum() == MARK_ROWS


def test_catalog_and_location_index(env: Any) -> None:
    observation = env.observe("assistant")
    first = parse_lines(observation["catalog"])[0]
    assert list(first) == [
        "product", "name", "department", "category", "tags", "price",
        "brand", "size", "flavour", "packaging", "allergens", "nutrition",
    ]  # fmt: skip
    lines = parse_lines(observation["location_index"])
    assert lines[2] == {"product": "P003", "places": [{"place": "F01", "side": "back"}]}
    assert lines[5]["approaches"] == {"back": [4.0, 4.0, -90.0], "front": [4.0, 1.0, 90.0]}
    assert lines[-1] == {"waypoint": "W04", "x": 2.2, "y": 4.0, "links": ["W01", "W03"]}


def test_the_map_shows_where_the_user_is(make_env: Any, play_turn: Any) -> None:
    env = make_env(images=True)
    env.reset(seed=0)
    before = env.observe("assistant")["map_image"]
    play_turn(env, ToolCall("move_forward", distance_m=1.0))
    after = env.observe("assistant")["map_image"]
    assert before.shape == (360, 480, 3)
    changed = np.nonzero((before != after).any(axis=2))
    frame = MapFrame((0.0, 0.0, 8.0, 5.0), (480, 360))
    (left, row), (right, _) = frame.pixel(1.0, 1.0), frame.pixel(2.0, 1.0)
    assert abs(changed[0].mean() - row) < 8
    assert left - 25 < changed[1].min() < changed[1].max() < right + 25
