"""Prove that a store is what the paper states and a shopper can use (SituRecBench, Table 2 and A.3)."""

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from siturec_gym.scenes.loading import broken_references
from siturec_gym.scenes.scene import Place, Scene, Structure
from siturec_gym.scenes.showrooms import shares_at_fixed_points, showroom_problems
from siturec_gym.scenes.sightlines import pixels_in_reach, sight_problems
from siturec_gym.scenes.stocking import item_boxes, overlapping_pairs, stocking_problems
from siturec_gym.scenes.walkability import least_aisle_m, least_link_clearance, walkability_problems

COUNTS = {
    "supermarket": {
        "products": 233,
        "instances": 1324,
        "navigation targets": 29,
        "waypoints": 42,
        "shelf": 12,
        "chest_freezer": 3,
        "upright_freezer": 8,
        "open_cooler": 4,
        "produce_stand": 2,
    },
    "home_furnishings": {
        "products": 222,
        "instances": 244,
        "navigation targets": 31,
        "waypoints": 38,
        "store": 7,
        "area": 24,
    },
}


class _Named(Protocol):
    @property
    def id(self) -> str: ...


def counts(scene: Scene) -> dict[str, int]:
    """How many of everything the store holds; fixtures by form, other places by kind."""
    return {
        "products": len(scene.products),
        "instances": len(scene.instances),
        "navigation targets": len(scene.navigation_targets),
        "waypoints": len(scene.waypoints),
        **Counter(place.form or place.kind for place in scene.navigation_targets),
    }


def validate(scene: Scene) -> list[str]:
    """One line for each thing that is wrong with a store; none for a sound one.

    Counts are checked for the stores of the paper. When ids are broken, what depends on them is not looked at.
    """
    problems = _count_problems(scene) + identity_problems(scene)
    broken = broken_references(scene)
    if broken:
        return problems + broken
    found = walkability_problems(scene) + stocking_problems(scene) + sight_problems(scene)
    return problems + found + showroom_problems(scene)


def measure(scene: Scene) -> list[str]:
    """The figures behind the checks, one a line."""
    return [
        ", ".join(f"{count} {what}" for what, count in counts(scene).items()),
        f"{len(overlapping_pairs(item_boxes(scene)))} overlapping items",
        f"least clearance along links {least_link_clearance(scene):.2f} m",
        *(_fixture_figures(scene) if scene.fixtures else ()),
        *(_area_figures(scene) if scene.areas else ()),
    ]


def _area_figures(scene: Scene) -> list[str]:
    visible, reachable, displayed = shares_at_fixed_points(scene)
    return [f"{visible} of {displayed} displayed items visible from the point of their area, {reachable} also in reach"]


def _fixture_figures(scene: Scene) -> list[str]:
    shown = [
        pixels
        for fixture in scene.fixtures
        for side in fixture.approaches
        for pixels in pixels_in_reach(scene, fixture, side).values()
    ]
    return [
        f"narrowest aisle {least_aisle_m(scene):.2f} m",
        f"{sum(p > 0 for p in shown)} of {len(shown)} (side, product) pairs visible and in reach from the viewpoint, "
        f"smallest {min(shown)} pixels at 320x240",
    ]


def identity_problems(scene: Scene) -> list[str]:
    """One line for each id, name, object id or colour that two things share."""
    groups: tuple[Iterable[_Named], ...] = (scene.products, scene.instances, scene.navigation_targets, scene.waypoints)
    built: list[Place | Structure] = [*scene.navigation_targets, *(p for p in scene.structures if p.place_id is None)]
    shared = {
        "id": _repeated(thing.id for group in (*groups, scene.structures) for thing in group),
        "object id": _repeated([item.object_id for item in scene.instances] + [part.object_id for part in built]),
        "segmentation colour": _repeated(
            [product.segmentation_color for product in scene.products] + [part.segmentation_color for part in built]
        ),
        "place name": _repeated(place.name for place in scene.navigation_targets),
    }
    return [f"two things share the {what} {value}" for what, values in shared.items() for value in values]


def _repeated(values: Iterable[object]) -> list[object]:
    return [value for value, count in Counter(values).items() if count > 1]


def _count_problems(scene: Scene) -> list[str]:
    found = counts(scene)
    expected = COUNTS.get(scene.name, {})
    return [
        f"{found.get(what, 0)} {what}, expected {count}"
        for what, count in expected.items()
        if found.get(what, 0) != count
    ]
