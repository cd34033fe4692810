"""The short names by which a role points at what it sees (SituRecBench, Section 3.3): one map each, never shared.

=============== =================== =========================
what            the user's handle   the assistant's handle
=============== =================== =========================
product         1, 2, 3, ...        A, B, ..., Z, AA, AB, ...
fixture, store  AA, AB, ..., BA ... 1, 2, 3, ...
area            A1, A2, B1, ...     1a, 1b, 2a, ...
=============== =================== =========================

Handles of places are fixed for a scene. Handles of products are given anew for each view, in the order of the view.
An area carries the number of its store, or the first where it has none, and its own place among that store's areas.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

ROLES = ("assistant", "user")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class PlaceKey:
    """What the handle of a place depends on: its id, its kind (fixture, store or area) and an area's store."""

    id: str
    kind: str
    store_id: str | None = None


@dataclass(frozen=True)
class HandleMap:
    """One role's handles at one moment.

    Attributes:
        handle_of: Handle of each entity id: every place, and the products in view.
    """

    handle_of: Mapping[str, str]

    @cached_property
    def entity_of(self) -> dict[str, str]:
        """Entity id of each handle."""
        return {handle: entity for entity, handle in self.handle_of.items()}


def assign_handles(role: str, places: Sequence[PlaceKey], products: Iterable[str]) -> HandleMap:
    """The handles of ``role``.

    Args:
        role: "assistant" or "user".
        places: Every place of the scene, in the scene's order.
        products: Ids of the products in view, in the order of the view.

    Raises:
        ValueError: An unknown role or kind of place.
    """
    of_products = {product: product_handle(role, index) for index, product in enumerate(products)}
    return HandleMap(
        {**dict(zip((place.id for place in places), place_handles(role, places), strict=True)), **of_products}
    )


def place_handles(role: str, places: Sequence[PlaceKey]) -> tuple[str, ...]:
    """The handles of ``role`` for every place of a scene, in order.

    Raises:
        ValueError: An unknown role or kind of place.
    """
    _check_role(role)
    stores = [place.id for place in places if place.kind == "store"]
    buildings = 0
    areas: dict[int, int] = {}
    handles = []
    for place in places:
        if place.kind == "area":
            store = stores.index(place.store_id) if place.store_id in stores else 0
            handles.append(_area(role, store, areas.get(store, 0)))
            areas[store] = areas.get(store, 0) + 1
        elif place.kind in ("fixture", "store"):
            handles.append(_letters(buildings + len(_ALPHABET)) if role == "user" else str(buildings + 1))
            buildings += 1
        else:
            raise ValueError(f"kind of place: expected fixture, store or area, got {place.kind!r}")
    return tuple(handles)


@lru_cache(maxsize=4096)
def product_handle(role: str, index: int) -> str:
    """The handle of the product that is ``index``-th in view, from 0.

    Raises:
        ValueError: An unknown role.
    """
    _check_role(role)
    return str(index + 1) if role == "user" else _letters(index)


def _area(role: str, store: int, index: int) -> str:
    return f"{_letters(store)}{index + 1}" if role == "user" else f"{store + 1}{_letters(index).lower()}"


def _letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ..., ZZ, AAA, ... from 0."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(_ALPHABET))
        text = _ALPHABET[digit] + text
    return text


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise ValueError(f"role: expected one of {', '.join(ROLES)}, got {role!r}")
