"""Looking things up in the assistant's catalog and location index."""

import math
from typing import Any

from siturec_gym.core.policy import Observation
from siturec_gym.core.pose import Pose, bearing_deg
from siturec_gym.core.text import parse_lines

Line = dict[str, Any]


def find_product(id_: str, observation: Observation) -> Line:
    """The catalog line of a product id.

    Raises:
        ValueError: The catalog has no such id.
    """
    for line in parse_lines(observation["catalog"]):
        if line["product"].lower() == id_.lower():
            return line
    raise ValueError(f"{id_!r} is no product id; type find WORDS to look for one")


def find_place(id_: str, observation: Observation) -> Line:
    """The location index's line of a place, by its handle.

    Raises:
        ValueError: The store has no such place.
    """
    for line in parse_lines(observation["location_index"]):
        if "name" in line and line.get("place", "").lower() == id_.lower():
            return line
    raise ValueError(f"{id_!r} is no place; type where PRODUCT to see where something is")


def find_products(words: str, observation: Observation) -> list[Line]:
    """Catalog lines that contain every word; those of a category of that name come first."""
    wanted = words.lower().split()
    found = [line for line in parse_lines(observation["catalog"]) if all(word in _text(line) for word in wanted)]
    return sorted(found, key=lambda line: line["category"] != words.lower())


def places_of(id_: str, observation: Observation) -> list[str]:
    """Where a product is kept: place, side or store, and how far and in which direction from the shopper."""
    product = find_product(id_, observation)["product"]
    entry = next(line for line in parse_lines(observation["location_index"]) if line.get("product") == product)
    return [_direction(place, observation) for place in entry["places"]]


def _direction(kept: Line, observation: Observation) -> str:
    place = find_place(kept["place"], observation)
    part = f"{kept['side']} side" if "side" in kept else f"in {find_place(kept['store'], observation)['name']}"
    x, y, yaw_deg, _ = (float(number) for number in observation["pose"])
    distance_m = math.hypot(place["x"] - x, place["y"] - y)
    bearing = bearing_deg(Pose(x, y, yaw_deg), place["x"], place["y"])
    turn = f"{abs(bearing):.0f} deg {'left' if bearing > 0 else 'right'}"
    return f"{place['place']}  {place['name']}, {part}: {distance_m:.1f} m, {turn} of the shopper's heading"


def _text(line: Line) -> str:
    details = (str(value) for value in line.values() if isinstance(value, str))
    return " ".join([*details, *line["tags"]]).lower()
