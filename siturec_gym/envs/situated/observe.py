"""What each role sees (S1, S12): a whitelist, built from values that hold nothing private.

Text keys hold one JSON object a line. The assistant's observation is made of ``Shared`` alone; the profile and the goal
reach nothing but ``private_texts``, which only the user is given.
"""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.catalog import Product
from siturec_gym.core.text import dump_lines
from siturec_gym.envs.situated.spaces import MARK_COLUMNS, MARK_ROWS, RECOMMENDATION_LIMIT, Vocabulary
from siturec_gym.scenes.scene import Fixture, Scene
from siturec_gym.tasks.records import Goal, Profile
from siturec_gym.world.state import WorldState
from siturec_gym.world.view import Seen, View

_PLACE_KIND, _PRODUCT_KIND = 1.0, 2.0
_NOT_LISTED = frozenset(("storage",))


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
        self._shelf_lines = {product.id: _package(product) for product in scene.catalog}
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

    def _of_both(self, shared: Shared, *, with_ids: bool) -> dict[str, Any]:
        world = shared.world
        held = () if world.held is None else (self._scene.instance_by_id[world.held].product_id,)
        return {
            "history": "\n".join(shared.history),
            "marks": shared.sighting.marks,
            "marks_array": shared.sighting.marks_array.copy(),
            "cart": _lines(world.cart, self._prices, with_ids),
            "held": _lines(held, self._shelf_lines, with_ids),
            "turn": shared.turn,
        }


def _lines(products: tuple[str, ...], records: dict[str, dict[str, Any]], with_ids: bool) -> str:
    if not products:
        return ""
    return dump_lines({"product": id_, **records[id_]} if with_ids else records[id_] for id_ in products)


def _package(product: Product) -> dict[str, Any]:
    details = {key: value for key, value in product.details.items() if key not in _NOT_LISTED}
    labels = {"category": product.category, "tags": list(product.tags)}
    return {"name": product.name, "price": product.price, **details, **labels}


def sighting(view: View, targets: Vocabulary) -> Sighting:
    """A view with its marks, places first; handles are entity ids. The array keeps the nearest 64."""
    seen = [*(view.places[id_] for id_ in sorted(view.places)), *(view.products[id_] for id_ in sorted(view.products))]
    records = [_mark(entity) for entity in seen]
    return Sighting(view, dump_lines(records), _marks_array(records, targets))


def _mark(seen: Seen) -> dict[str, Any]:
    mark: dict[str, Any] = {
        "handle": seen.entity_id,
        "kind": seen.kind,
        "name": seen.name,
        "distance_m": round(float(seen.distance_m), 2),
        "bearing_deg": round(float(seen.bearing_deg), 1),
        "box": [round(float(edge), 3) for edge in seen.box],
    }
    if seen.kind == "product":
        mark["reachable"] = bool(seen.reachable)
    else:
        mark["approaches"] = [approach.value for approach in seen.approaches]
    return mark


def _marks_array(marks: list[dict[str, Any]], targets: Vocabulary) -> NDArray[np.float32]:
    array = np.zeros((MARK_ROWS, MARK_COLUMNS), np.float32)
    if len(marks) > MARK_ROWS:
        farthest_kept = sorted(mark["distance_m"] for mark in marks)[MARK_ROWS - 1]
        marks = [mark for mark in marks if mark["distance_m"] <= farthest_kept][:MARK_ROWS]
    if marks:
        array[: len(marks)] = [
            (
                _PRODUCT_KIND if mark["kind"] == "product" else _PLACE_KIND,
                targets.encode(mark["handle"]),
                mark["distance_m"],
                mark["bearing_deg"],
                *mark["box"],
            )
            for mark in marks
        ]
    return array


def public_texts(scene: Scene) -> dict[str, str]:
    """The assistant's static keys: the catalog and where everything is."""
    catalog = dump_lines(_catalog_line(product) for product in scene.catalog)
    sides = Counter((item.product_id, item.fixture_id, item.side) for item in scene.instances)
    places = [
        {"product": product, "places": [{"place": place, "side": _side(sides, product, place)} for place in places]}
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
    return {"profile": dump_lines([asdict(profile)]), "goal": dump_lines([asdict(goal)])}


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


def _side(sides: Counter[tuple[str, str, str]], product: str, place: str) -> str:
    """The side of the place from which most of the product's items are taken."""
    return "back" if sides[product, place, "back"] > sides[product, place, "front"] else "front"


def _place_line(place: Fixture) -> dict[str, Any]:
    return {
        "place": place.id,
        "kind": place.kind,
        "name": place.name,
        "x": place.center_m[0],
        "y": place.center_m[1],
        "yaw_deg": place.yaw_deg,
        "size_m": list(place.size_m[:2]),
        "sign": place.sign,
        "approaches": {
            approach.value: [pose.x, pose.y, pose.yaw_deg] for approach, pose in sorted(place.approaches.items())
        },
    }
