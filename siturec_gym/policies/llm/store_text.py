"""The store at rest in words: the catalogue and the places, one compact line each."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from siturec_gym.core.text import parse_lines
from siturec_gym.policies.knowledge import FIXED, Item, Place, Stand, read_store

_UNTOLD = frozenset(("size", "allergens", "nutrition"))
_PER_100 = {"energy_kcal": "kcal", "fat_g": "fat", "sugar_g": "sugar", "protein_g": "protein", "salt_g": "salt"}


@lru_cache(maxsize=8)
def catalogue_text(catalog: str, location_index: str) -> tuple[str, str]:
    """What the columns after the price are called, and the products, grouped by category, one a line.

    Args:
        catalog: The observation of that name.
        location_index: Likewise.
    """
    store = read_store(catalog, location_index)
    groups = (tuple(item for item in store.items if item.category == category) for category in store.categories)
    return _columns(store.items), "\n".join(_group_lines(group) for group in groups)


@lru_cache(maxsize=8)
def places_text(catalog: str, location_index: str, place_index: str = "") -> str:
    """The places, one a line, with the points that one can walk to.

    Args:
        catalog: The observation of that name.
        location_index: Likewise.
        place_index: The approaches of every place, for one who is not told which of them the view supports.
    """
    styles = {line["place"]: line["style"] for line in parse_lines(location_index) if "style" in line}
    approaches = {line["place"]: line["approaches"] for line in parse_lines(place_index)}
    places = read_store(catalog, location_index).places.values()
    return "\n".join(_place_line(place, styles.get(place.id), approaches.get(place.id)) for place in places)


def _columns(items: Sequence[Item]) -> str:
    names = [name for name in items[0].details if any(item.details.get(name) for item in items)] if items else []
    sizes = ["size where the name does not tell it"] if any(map(_size, items)) else []
    told = [name.replace("_", " ") for name in names if name not in _UNTOLD]
    allergens = ["what it contains (allergens)"] if "allergens" in names else []
    nutrition = [f"{'/'.join(_PER_100.values())} per 100 g or ml (all but kcal in g)"] if "nutrition" in names else []
    return ", ".join([*sizes, *told, *allergens, *nutrition]) or "details"


def _group_lines(items: Sequence[Item]) -> str:
    """A category and its products; where all stand in one place, its heading says so."""
    shared = items[0].stands if len({item.stands for item in items}) == 1 else ()
    heading = f"{items[0].category}, at {_stands(shared)}:" if shared else f"{items[0].category}:"
    return "\n".join([heading, *(_product_line(item, () if shared else item.stands) for item in items)])


def _stands(stands: Iterable[Stand]) -> str:
    return " and ".join(stand.place if stand.side == FIXED else f"{stand.place} {stand.side}" for stand in stands)


def _product_line(item: Item, stands: Sequence[Stand]) -> str:
    where = f"at {_stands(stands)}" if stands else ""
    parts = [f"{item.id} {item.name}", ", ".join(item.tags), _price(item), *_details(item), where]
    return "; ".join(part for part in parts if part)


def _price(item: Item) -> str:
    return f"${item.price:.0f}" if item.price.is_integer() else f"${item.price:.2f}"


def _details(item: Item) -> list[str]:
    plain = [_plain(value) for key, value in item.details.items() if key not in _UNTOLD and value]
    contains = [f"contains {', '.join(item.allergens)}"] if item.allergens else []
    return [part for part in (", ".join([*_size(item), *plain]), *contains, _nutrition(item)) if part]


def _size(item: Item) -> list[str]:
    return [item.size] if item.size and item.size not in item.name else []


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _nutrition(item: Item) -> str:
    """The figures that ``_columns`` names, with a stroke in between; "" for what is not food."""
    found = item.nutrition
    return "/".join(f"{found[name]:g}" if name in found else "-" for name in _PER_100) if found else ""


def _place_line(place: Place, style: str | None, approaches: list[str] | None) -> str:
    what = [place.form.replace("_", " ") or place.kind]
    what += [f"in {place.store}"] if place.store else []
    what += [style] if style else []
    what += [f"sign {place.sign}"] if place.sign not in ("", place.name) else []
    points = [_point(side, pose) for side, pose in place.approaches.items()]
    walks = f"; approaches {', '.join(approaches)}" if approaches else ""
    return f"{place.id} {place.name} ({', '.join(what)}) at ({place.x:g}, {place.y:g}); {', '.join(points)}{walks}"


def _point(side: str, pose: tuple[float, float, float]) -> str:
    named = "viewpoint" if side == FIXED else side
    return f"{named} ({pose[0]:g}, {pose[1]:g})"
