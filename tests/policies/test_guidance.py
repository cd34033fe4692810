"""Ways and their words, checked on hand-computed places (S15: the final goal may be unseen, the next step is not)."""

import math
from collections.abc import Callable
from typing import Any

import pytest

from siturec_gym.core.pose import Pose, bearing_deg, distance_m
from siturec_gym.core.text import dump_lines
from siturec_gym.policies.atlas import Atlas, Missed, supports_side
from siturec_gym.policies.guidance import at_stand, search_at, side_words, way_to
from siturec_gym.policies.knowledge import Place, Stand, Store, read_store
from siturec_gym.policies.situation import Situation, read_situation


def place_line(id_: str, x: float, y: float, yaw: float, form: str = "shelf", depth: float = 0.6) -> dict[str, Any]:
    away = 1.5 * math.cos(math.radians(yaw)), 1.5 * math.sin(math.radians(yaw))
    approaches = {"front": [x + away[0], y + away[1], yaw - 180.0]}
    size = {"size_m": [2.0, depth], "sign": id_, "approaches": approaches}
    place = {"place": id_, "kind": "fixture", "form": form, "name": f"{id_} Shelf"}
    return {**place, "x": x, "y": y, "yaw_deg": yaw, **size}


def plain_store(*places: dict[str, Any], waypoints: tuple[dict[str, Any], ...] = ()) -> Store:
    return read_store("", dump_lines([*places, *waypoints]))


def standing(store: Store, pose: Pose, *marks: dict[str, Any]) -> Situation:
    return Situation(store, pose, (), tuple(marks), None, 1, 3)


def test_a_place_90_degrees_to_the_left_asks_for_a_left_turn() -> None:
    store = plain_store(place_line("North", 0.0, 5.0, -90.0))
    step = way_to(standing(store, Pose(0.0, 0.0, 0.0)), Stand("North", "front"))
    assert step is not None
    assert (step.kind, step.call.tool, step.call.direction, step.call.angle_deg) == ("turn", "turn", "left", 90.0)
    assert step.place is store.places["North"]


def test_a_place_behind_to_the_right_asks_for_a_right_turn() -> None:
    store = plain_store(place_line("West", -5.0, -1.0, 0.0))
    step = way_to(standing(store, Pose(0.0, 0.0, 45.0)), Stand("West", "front"))
    assert step is not None
    # its outline is seen at about 191 degrees from +x, which is 146 to the left and 214 to the right of heading 45
    assert step.call.direction == "left"
    assert step.call.angle_deg == pytest.approx(145.0, abs=5.0)


def test_a_place_in_view_is_gone_to_by_its_mark() -> None:
    store = plain_store(place_line("North", 0.0, 5.0, -90.0))
    seen = {"distance_m": 4.7, "bearing_deg": 0.0, "box": [0, 0, 1, 1], "approaches": ["nearest", "front"]}
    mark = {"handle": "17", "kind": "fixture", "name": "North Shelf", **seen}
    step = way_to(standing(store, Pose(0.0, 0.0, 90.0), mark), Stand("North", "front"))
    assert step is not None
    assert (step.call.tool, step.call.target, step.call.approach) == ("move_to_fixture", "17", "front")
    assert step.final


def test_at_the_viewpoint_only_facing_is_left() -> None:
    store = plain_store(place_line("North", 0.0, 5.0, -90.0))
    stand = Stand("North", "front")
    facing, away = standing(store, Pose(0.0, 3.5, 90.0)), standing(store, Pose(0.0, 3.5, 180.0))
    assert at_stand(facing, stand)
    assert way_to(facing, stand) is None
    step = way_to(away, stand)
    assert step is not None
    assert (step.call.direction, step.call.angle_deg) == ("right", 90.0)


def test_a_tall_shelf_hides_what_is_behind_and_a_chest_does_not() -> None:
    behind, tall = place_line("Far", 0.0, 8.0, -90.0), place_line("Near", 0.0, 4.0, -90.0)
    assert set(Atlas(plain_store(behind, tall)).sights(0.0, 0.0)) == {"Near"}
    chest = {**tall, "form": "chest_freezer"}
    assert set(Atlas(plain_store(behind, chest)).sights(0.0, 0.0)) == {"Near", "Far"}


def test_a_walk_keeps_clear_of_shelves() -> None:
    atlas = Atlas(plain_store(place_line("Near", 0.0, 4.0, -90.0)))
    assert not atlas.walkable(0.0, 0.0, 0.0, 8.0)
    assert not atlas.walkable(1.3, 0.0, 1.3, 8.0)  # the shelf ends at x = 1, the walker needs 0.4 m
    assert atlas.walkable(1.5, 0.0, 1.5, 8.0)


def test_sides_follow_the_front_normal() -> None:
    place = Place(
        "A", "fixture", "shelf", "A", 0.0, 0.0, 0.0, (2.0, 1.0), "", {"front": (2, 0, 180), "back": (-2, 0, 0)}
    )
    assert supports_side(place, "front", 3.0, 0.0)
    assert not supports_side(place, "back", 3.0, 0.0)
    assert supports_side(place, "front", -0.4, 3.0)
    assert supports_side(place, "back", -0.4, 3.0)


def test_every_stand_of_the_store_is_few_turns_from_the_entrance(store: Store, observe: Callable[..., Any]) -> None:
    atlas, start = Atlas(store), read_situation(observe()).pose
    for stand in {stand for item in store.items for stand in item.stands}:
        to_go = atlas.turns_to(stand)
        best = min(cost + to_go[node] for node, cost in atlas.steps(start) if node in to_go)
        assert best < 6.0, stand


def test_following_the_map_reaches_every_stand(store: Store, observe: Callable[..., Any]) -> None:
    """A user who does what is said, with the sight lines of the map, arrives within eight turns."""
    atlas, start = Atlas(store), read_situation(observe()).pose
    for stand in sorted({stand for item in store.items for stand in item.stands}, key=str):
        pose, turns = start, 0
        while not at_stand(standing(store, pose), stand):
            step = way_to(standing(store, pose, *_marks(atlas, store, pose)), stand)
            assert step is not None
            pose, turns = _obey(store, pose, step), turns + 1
            assert turns <= 8, stand


def _marks(atlas: Atlas, store: Store, pose: Pose) -> list[dict[str, Any]]:
    marks = []
    for id_, point in atlas.sights(pose.x, pose.y).items():
        place, bearing = store.places[id_], bearing_deg(pose, *point)
        if abs(bearing) <= 45.0:
            sides = [side for side in place.approaches if supports_side(place, side, pose.x, pose.y)]
            seen = {"distance_m": distance_m(pose, *point), "bearing_deg": bearing, "approaches": ["nearest", *sides]}
            marks.append({"handle": id_, "kind": "fixture", "name": place.name, **seen})
    return marks


def _obey(store: Store, pose: Pose, step: Any) -> Pose:
    call = step.call
    if call.tool == "move_to_fixture":
        return Pose(*store.places[call.target].approaches[call.approach])
    turned = pose.yaw_deg + (call.angle_deg or 0.0) * (1 if call.direction == "left" else -1)
    length, yaw = call.distance_m or 0.0, math.radians(turned)
    return Pose(pose.x + length * math.cos(yaw), pose.y + length * math.sin(yaw), turned)


def test_what_was_looked_for_in_vain_is_not_looked_for_again() -> None:
    store = plain_store(place_line("North", 0.0, 5.0, -90.0))
    missed = (Missed("North", 0.3, 0.0),)
    step = way_to(standing(store, Pose(0.0, 0.0, 0.0)), Stand("North", "front"), missed)
    assert step is not None
    assert step.place is None


def test_at_the_shelf_a_hidden_product_is_searched_for(
    store: Store, observe: Callable[..., Any], product_mark: Callable[..., Any]
) -> None:
    item = store.items[0]
    stand = item.stands[0]
    pose = store.places[stand.place].approaches[stand.side]
    tools = [search_at(read_situation(observe(pose=pose)), item, stand, tries) for tries in range(3)]
    assert [(step.call.tool, step.call.direction) for step in tools if step] == [
        ("look_up_down", "down"),
        ("look_up_down", "up"),
        ("side_step", "left"),
    ]
    far = read_situation(
        observe(pose=pose, marks=(product_mark(item.id, bearing=40.0, distance=3.0, reachable=False),))
    )
    step = search_at(far, item, stand, 0)
    assert step is not None
    assert (step.call.tool, step.call.direction, step.call.distance_m) == ("side_step", "left", 1.0)
    near = read_situation(observe(pose=pose, marks=(product_mark(item.id),)))
    assert search_at(near, item, stand, 0) is None


@pytest.mark.parametrize(
    ("bearing", "words"),
    [(0, "straight ahead of you"), (25, "ahead of you to the left"), (-25, "ahead of you to the right"),
     (90, "on your left"), (-90, "on your right"), (170, "behind you"), (-181, "behind you")],
)  # fmt: skip
def test_directions_in_words(bearing: float, words: str) -> None:
    assert side_words(bearing) == words
