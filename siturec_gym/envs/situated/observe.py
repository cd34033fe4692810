"""What each role sees (S1, S12): a whitelist, built from values that hold nothing private.

Text keys hold one JSON object a line. The assistant's observation is made of ``Shared`` alone; the profile and the goal
reach nothing but ``private_texts``, which only the user is given.
"""

import json
from collections import Counter
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from siturec_gym.catalog import Product
from siturec_gym.core.actions import TOOL_ARGUMENTS
from siturec_gym.core.text import dump_lines
from siturec_gym.envs.situated.spaces import MARK_COLUMNS, MARK_ROWS, RECOMMENDATION_LIMIT, Vocabulary
from siturec_gym.scenes.scene import Place, Scene
from siturec_gym.tasks.records import Goal, Profile
from siturec_gym.world.state import WorldState
from siturec_gym.world.view import Seen, View

_KIND_CODES = {"fixture": 1.0, "store": 1.0, "product": 2.0, "area": 3.0}
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_NOT_LISTED = frozenset(("storage",))

MarkRow = tuple[float, float, float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Sighting:
    """A view and its marks as text and as an array."""

    view: View
    marks: str
    marks_array: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Shared:
    """Everything that both roles may know at one moment."""

    world: WorldState
    sighting: Sighting
    history: tuple[str, ...]
    turn: int
    recommendations: int


class Observer:
    """Builds observations of one scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._tools = dump_lines({"tool": tool.value, "arguments": TOOL_ARGUMENTS[tool]} for tool in scene.tools)
        self._shelf_lines = _packages(scene)
        self._prices = {product.id: {"name": product.name, "price": product.price} for product in scene.catalog}

    def assistant(self, shared: Shared) -> dict[str, Any]:
        """The assistant's observation, without static parts and images."""
        pose = shared.world.pose
        return {
            **self._of_both(shared, with_ids=True),
            "pose": np.array([pose.x, pose.y, pose.yaw_deg, pose.pitch_deg], np.float32),
            "recommendations_left": max(0, RECOMMENDATION_LIMIT - shared.recommendations),
        }

    def user(self, shared: Shared) -> dict[str, Any]:
        """The user's observation, without static parts and images."""
        return self._of_both(shared, with_ids=False)

    def actionable(self, shared: Shared) -> dict[str, Any]:
        """The part of either observation that says what is legal."""
        marks, held = shared.sighting.marks, self._held(shared.world, with_ids=False)
        return {"marks": marks, "held": held, "tools": self._tools}

    def _held(self, world: WorldState, *, with_ids: bool) -> str:
        held = () if world.inspected is None else (self._scene.instance_by_id[world.inspected].product_id,)
        return _lines(held, self._shelf_lines, with_ids)

    def _of_both(self, shared: Shared, *, with_ids: bool) -> dict[str, Any]:
        world = shared.world
        return {
            "history": "\n".join(shared.history),
            "tools": self._tools,
            "marks": shared.sighting.marks,
            "marks_array": shared.sighting.marks_array.copy(),
            "cart": _lines(world.cart, self._prices, with_ids),
            "held": self._held(world, with_ids=with_ids),
            "turn": shared.turn,
        }


def _lines(products: tuple[str, ...], records: dict[str, dict[str, Any]], with_ids: bool) -> str:
    if not products:
        return ""
    return dump_lines({"product": id_, **records[id_]} if with_ids else records[id_] for id_ in products)


@lru_cache(maxsize=8)
def _packages(scene: Scene) -> dict[str, dict[str, Any]]:
    return {product.id: _package(product) for product in scene.catalog}


def _package(product: Product) -> dict[str, Any]:
    details = {key: value for key, value in product.details.items() if key not in _NOT_LISTED}
    labels = {"category": product.category, "tags": list(product.tags)}
    return {"name": product.name, "price": product.price, **details, **labels}


def sighting(view: View, targets: Vocabulary) -> Sighting:
    """A view with its marks, places first; handles are entity ids. The array keeps the nearest 64."""
    seen = [*(view.places[id_] for id_ in sorted(view.places)), *(view.products[id_] for id_ in sorted(view.products))]
    rows = [_mark_row(entity, targets) for entity in seen]
    lines = [_mark_line(entity, row) for entity, row in zip(seen, rows, strict=True)]
    return Sighting(view, "\n".join(lines), _marks_array(rows))


def _mark_row(seen: Seen, targets: Vocabulary) -> MarkRow:
    kind = _KIND_CODES[seen.kind]
    x0, y0, x1, y1 = seen.box
    distance, bearing = round(seen.distance_m, 2), round(seen.bearing_deg, 1) + 0.0  # no -0.0
    box = round(x0, 3), round(y0, 3), round(x1, 3), round(y1, 3)
    return kind, targets.encode(seen.entity_id), distance, bearing, *box


def _mark_line(seen: Seen, row: MarkRow) -> str:
    """The mark's JSON line; written out because a view holds dozens and a JSON encoder takes five times as long."""
    _, _, distance, bearing, x0, y0, x1, y1 = row
    where = f'"distance_m":{distance!r},"bearing_deg":{bearing!r},"box":[{x0!r},{y0!r},{x1!r},{y1!r}]'
    if seen.kind == "product":
        last = '"reachable":true' if seen.reachable else '"reachable":false'
    else:
        last = f'"approaches":{_ENCODER.encode(seen.approaches)}'
    return f"{_mark_head(seen.entity_id, seen.kind, seen.name)}{where},{last}}}"


@lru_cache(maxsize=4096)
def _mark_head(handle: str, kind: str, name: str) -> str:
    return f'{{"handle":{json.dumps(handle)},"kind":{json.dumps(kind)},"name":{json.dumps(name)},'


def _marks_array(rows: list[MarkRow]) -> NDArray[np.float32]:
    array = np.zeros((MARK_ROWS, MARK_COLUMNS), np.float32)
    if len(rows) > MARK_ROWS:
        farthest_kept = sorted(row[2] for row in rows)[MARK_ROWS - 1]
        rows = [row for row in rows if row[2] <= farthest_kept][:MARK_ROWS]
    if rows:
        array[: len(rows)] = rows
    return array


@lru_cache(maxsize=8)
def public_texts(scene: Scene) -> dict[str, str]:
    """The assistant's static keys: the catalog and where everything is."""
    catalog = dump_lines(_catalog_line(product) for product in scene.catalog)
    sides = Counter((item.product_id, item.place_id, item.side) for item in scene.instances)
    places = [
        {"product": product, "places": [_whereabouts(scene, sides, product, place) for place in places]}
        for product, places in scene.places_of_product.items()
    ]
    targets = [_place_line(place) for place in scene.navigation_targets]
    waypoints = [
        {"waypoint": waypoint.id, "x": waypoint.x, "y": waypoint.y, "links": list(waypoint.links)}
        for waypoint in scene.waypoints
    ]
    return {"catalog": catalog, "location_index": dump_lines([*places, *targets, *waypoints])}


def private_texts(profile: Profile, goal: Goal) -> dict[str, str]:
    """The user's static keys; never shown to the assistant."""
    return {"profile": _private_text(_Same(profile)), "goal": _private_text(_Same(goal))}


class _Same(NamedTuple):
    """A record that is looked up by identity: its mappings have no hash."""

    record: Profile | Goal

    def __hash__(self) -> int:
        return id(self.record)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.record is other.record


@lru_cache(maxsize=4096)
def _private_text(same: _Same) -> str:
    return dump_lines([asdict(same.record)])


def _catalog_line(product: Product) -> dict[str, Any]:
    details = {key: value for key, value in product.details.items() if key not in _NOT_LISTED}
    return {
        "product": product.id,
        "name": product.name,
        "department": product.department,
        "category": product.category,
        "tags": list(product.tags),
        "price": product.price,
        **details,
    }


def _whereabouts(scene: Scene, sides: Counter[tuple[str, str, str]], product: str, place_id: str) -> dict[str, Any]:
    """Where a product stands: at a side of a fixture, or in an area of a store (S7)."""
    place = scene.place_by_id[place_id]
    if place.store_id is not None:
        return {"place": place_id, "store": place.store_id}
    return {"place": place_id, "side": _side(sides, product, place_id)}


def _side(sides: Counter[tuple[str, str, str]], product: str, place: str) -> str:
    """The side of the place from which most of the product's items are taken."""
    return "back" if sides[product, place, "back"] > sides[product, place, "front"] else "front"


def _place_line(place: Place) -> dict[str, Any]:
    x, y = place.anchor_m
    style = {"style": place.style} if place.style else {}
    store = {"store": place.store_id} if place.store_id else {}
    return {
        "place": place.id,
        "kind": place.kind,
        "form": place.form,
        **store,
        **style,
        "name": place.name,
        "x": x,
        "y": y,
        "yaw_deg": place.yaw_deg,
        "size_m": list(place.size_m[:2]),
        "sign": place.sign,
        "approaches": {
            approach.value: [pose.x, pose.y, pose.yaw_deg] for approach, pose in sorted(place.approaches.items())
        },
    }
