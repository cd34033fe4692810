"""Read a shipped store by name, or a store of your own from its folder (SituRecBench, A.3)."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from siturec_gym import assets
from siturec_gym.catalog import Catalog, parse_catalog
from siturec_gym.core.actions import SHARED_TOOLS, Approach, Tool
from siturec_gym.core.errors import DataError
from siturec_gym.core.pose import Pose
from siturec_gym.scenes.scene import (
    FIRST_PLACE_OBJECT,
    FIRST_STRUCTURE_OBJECT,
    Instance,
    Place,
    Scene,
    Structure,
    Waypoint,
)

_T = TypeVar("_T")

SCENES = ("supermarket", "home_furnishings")
_FILES = ("scene.json", "products.json", "instances.json")


@cache
def load_scene(name: str) -> Scene:
    """The shipped store of that name; the same object at each call.

    Only hashes and references are checked here; ``scenes.validation.validate`` proves everything else.

    Raises:
        ValueError: There is no such store.
        DataError: A data file is missing, changed or refers to something that does not exist.
    """
    if name not in SCENES:
        raise ValueError(f"unknown scene {name!r}; known scenes: {', '.join(SCENES)}")
    layout, products, instances = (assets.read_asset(f"{name}/{file}") for file in _FILES)
    return parse_scene(name, layout, products, instances)


def load_scene_folder(folder: str | Path) -> Scene:
    """The store whose ``scene.json``, ``products.json`` and ``instances.json`` lie in a folder, which gives its name.

    The files are read at each call. ``scenes.validation.validate`` proves what is not checked here.

    Raises:
        DataError: A file cannot be read, is malformed, or refers to something that does not exist.
    """
    place = Path(folder).resolve()
    layout, products, instances = (assets.read_scene_file(place, file) for file in _FILES)
    return parse_scene(place.name, layout, products, instances)


def parse_scene(name: str, layout: bytes, products: bytes, instances: bytes) -> Scene:
    """Build a scene from the bytes of its layout, product and instance files.

    Raises:
        DataError: A file is not what it should be; the message is one line that names the file and the place.
    """
    catalog = parse_catalog(products, f"{name}/products.json")
    placed = _parsed(f"{name}/instances.json", lambda: _instances(json.loads(instances)))
    scene = _parsed(f"{name}/scene.json", lambda: _scene(name, json.loads(layout), catalog, placed))
    fingerprint = hashlib.sha256(b"".join(hashlib.sha256(part).digest() for part in (layout, products, instances)))
    scene = replace(scene, fingerprint=fingerprint.hexdigest())
    for problem in broken_references(scene):
        raise DataError(f"scene {name!r}: {problem}")
    return scene


def broken_references(scene: Scene) -> list[str]:
    """One line for each id that names nothing, and each waypoint link that its other end does not return."""
    return [*_broken_links(scene.waypoints), *_broken_instances(scene)]


def _broken_links(waypoints: Iterable[Waypoint]) -> list[str]:
    links = {waypoint.id: waypoint.links for waypoint in waypoints}
    pairs = [(one, other) for one, others in links.items() for other in others]
    lost = [f"waypoint {one} links to {other!r}, which does not exist" for one, other in pairs if other not in links]
    one_way = [
        f"waypoint {one} links to {other}, which does not link back"
        for one, other in pairs
        if other in links and one not in links[other]
    ]
    return lost + one_way


def _broken_instances(scene: Scene) -> list[str]:
    problems = []
    for instance in scene.instances:
        if instance.product_id not in scene.catalog.by_id:
            problems.append(f"instance {instance.id} is of product {instance.product_id!r}, which does not exist")
        if instance.place_id not in scene.place_by_id:
            problems.append(f"instance {instance.id} is at place {instance.place_id!r}, which does not exist")
    return problems


def _parsed(source: str, build: Callable[[], _T]) -> _T:
    """``build()``, with whatever a malformed file makes it raise turned into a DataError that names ``source``."""
    try:
        return build()
    except DataError as error:
        raise DataError(f"{source}: {error}") from error
    except KeyError as error:
        raise DataError(f"{source}: an entry lacks the key {error}") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError(f"{source}: malformed: {error}") from error


def _scene(name: str, raw: Mapping[str, Any], catalog: Catalog, instances: tuple[Instance, ...]) -> Scene:
    stocked: dict[str, dict[str, None]] = {entry["id"]: {} for entry in raw["places"]}
    for instance in instances:
        stocked.setdefault(instance.place_id, {})[instance.product_id] = None
    places = parse_places(raw, {place: tuple(products) for place, products in stocked.items()})
    return Scene(
        name=name,
        title=raw["title"],
        catalog=catalog,
        instances=instances,
        navigation_targets=places,
        waypoints=tuple(Waypoint(w["id"], float(w["x"]), float(w["y"]), tuple(w["links"])) for w in raw["waypoints"]),
        structures=_structures(raw["structures"], {place.id: place for place in places}),
        bounds_m=_floats(raw["bounds_m"], 4),
        start_pose=Pose(*_floats(raw["start_pose"], 4)),
        tools=_tools(raw["tools"]),
        fingerprint="",
    )


def parse_places(raw: Mapping[str, Any], stocked: Mapping[str, tuple[str, ...]]) -> tuple[Place, ...]:
    """Navigation targets of a parsed layout file, with the product ids that ``stocked`` gives for each place id.

    A store has what its areas have.
    """
    of_store: dict[str, dict[str, None]] = {}
    for entry in raw["places"]:
        of_store.setdefault(entry.get("store", ""), {}).update(dict.fromkeys(stocked.get(entry["id"], ())))
    return tuple(
        _place(entry, index, stocked.get(entry["id"]) or tuple(of_store.get(entry["id"], ())))
        for index, entry in enumerate(raw["places"])
    )


def _place(raw: Mapping[str, Any], index: int, product_ids: tuple[str, ...]) -> Place:
    return Place(
        id=raw["id"],
        name=raw["name"],
        kind=raw["kind"],
        form=raw.get("form", ""),
        object_id=FIRST_PLACE_OBJECT + index,
        segmentation_color=_color(raw["segmentation_color"]),
        center_m=_floats(raw["center_m"], 2),
        yaw_deg=float(raw["yaw_deg"]),
        size_m=_floats(raw["size_m"], 3),
        levels_m=_floats(raw.get("levels_m", ())),
        approaches={Approach(side): Pose(*_floats(pose, 4)) for side, pose in raw["approaches"].items()},
        product_ids=product_ids,
        sign=raw["sign"],
        store_id=raw.get("store"),
        style=raw.get("style", ""),
    )


def _structures(raw: Iterable[Mapping[str, Any]], places: Mapping[str, Place]) -> tuple[Structure, ...]:
    """Structures: parts of a place with its object id and segmentation colour, the others with their own."""
    parts = []
    for index, entry in enumerate(raw):
        place = places[entry["place"]] if entry.get("place") else None
        parts.append(
            Structure(
                id=entry["id"],
                kind=entry["kind"],
                object_id=FIRST_STRUCTURE_OBJECT + index if place is None else place.object_id,
                segmentation_color=_color(entry["segmentation_color"]) if place is None else place.segmentation_color,
                box_m=_floats(entry["box_m"], 6),
                blocks=bool(entry["blocks"]),
                text=entry["text"],
                color=entry.get("color", ""),
                place_id=entry.get("place"),
            )
        )
    return tuple(parts)


def _instances(raw: Iterable[Mapping[str, Any]]) -> tuple[Instance, ...]:
    return tuple(
        Instance(
            id=entry["id"],
            object_id=index,
            product_id=entry["product"],
            place_id=entry["place"],
            position_m=_floats(entry["position_m"], 3),
            yaw_deg=float(entry["yaw_deg"]),
            side=entry["side"],
            level=int(entry["level"]),
        )
        for index, entry in enumerate(raw, start=1)
    )


def _tools(names: Iterable[str]) -> tuple[Tool, ...]:
    """The scene's own tools after those that every scene has."""
    own = tuple(Tool(name) for name in names)
    return (*SHARED_TOOLS, *own)


def _floats(values: Iterable[float], count: int | None = None) -> Any:
    numbers = tuple(float(value) for value in values)
    if count is not None and len(numbers) != count:
        raise DataError(f"expected {count} numbers, found {list(numbers)}")
    return numbers


def _color(values: Iterable[int]) -> tuple[int, int, int]:
    red, green, blue = (int(value) for value in values)
    return red, green, blue
