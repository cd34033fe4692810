"""The store in one role's own handles: what stays the same all episode, and what each view changes."""

import operator
import re
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siturec_gym.core.handles import PlaceKey, place_handles, product_handle
from siturec_gym.envs.situated.encoding import ActionCodec
from siturec_gym.envs.situated.spaces import Vocabularies, Vocabulary
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.view import View

_QUOTE = '"'
_HANDLE_AT = len('{"handle":"')


@dataclass(frozen=True)
class RoleView:
    """One view in one role's handles.

    Attributes:
        handles: A handle for each mark, in order.
        own_code: (codes,) the role's target code of each code of the raw environment.
        raw_code: (codes,) the raw environment's target code of each of the role's.
        products: How many products are in view: that many product handles stand for something.
    """

    handles: tuple[str, ...]
    own_code: NDArray[np.int64]
    raw_code: NDArray[np.int64]
    products: int

    def marks(self, raw: str) -> str:
        """The marks in the role's handles. Cut at the quotes: parsing JSON would take ten times as long."""
        if not raw:
            return ""
        lines = zip(self.handles, raw.split("\n"), strict=True)
        return "\n".join(f'{{"handle":"{own}{line[line.index(_QUOTE, _HANDLE_AT) :]}' for own, line in lines)

    def targets(self, mask: NDArray[np.int8]) -> NDArray[np.int8]:
        """A mask of the raw environment's targets as one of the role's."""
        return mask[self.raw_code]

    def raw_target(self, code: Any) -> Any:
        """The raw code of the role's ``code``; what is no code of the space is left as it is."""
        if isinstance(code, bool):
            return code
        try:
            number = operator.index(code)
        except TypeError:
            return code
        return int(self.raw_code[number]) if 0 <= number < len(self.raw_code) else code


class RoleStore:
    """A scene in the handles of one role.

    Args:
        role: "assistant" or "user".
        scene: The store.
        sees_products: False for a role that is shown no marks: no product handle then stands for anything.
    """

    def __init__(self, role: str, scene: Scene, *, sees_products: bool = True) -> None:
        keys = [PlaceKey(place.id, place.kind, place.store_id) for place in scene.navigation_targets]
        raw = Vocabularies(scene)
        self.handle_of_place = dict(zip(raw.place.names, place_handles(role, keys), strict=True))
        self.words = _own_words(raw, role, tuple(self.handle_of_place.values()))
        self.codec = ActionCodec(self.words)
        self._raw_codes = raw.target.code_of
        self._products = [product_handle(role, index) for index in range(len(scene.catalog))]
        self._first_product = len(keys)
        self._sees_products = sees_products
        self._nothing = np.arange(raw.target.size)
        self._nothing[self._first_product : raw.target.unknown] = raw.target.unknown
        self._quoted = re.compile("|".join(f'"{re.escape(place)}"' for place in self.handle_of_place))
        self._scene = scene
        self._labelled: Scene | None = None

    def view(self, view: View) -> RoleView:
        """A view in this role's handles."""
        products = sorted(view.products) if self._sees_products else []
        raw = np.fromiter(map(self._raw_codes.__getitem__, products), np.int64, len(products))
        own = np.arange(self._first_product, self._first_product + len(products))
        own_code, raw_code = self._nothing.copy(), self._nothing.copy()
        own_code[raw], raw_code[own] = own, raw
        places = map(self.handle_of_place.__getitem__, sorted(view.places))
        return RoleView((*places, *self._products[: len(products)]), own_code, raw_code, len(products))

    def known(self, view: RoleView) -> Callable[[str], bool]:
        """Tells of a text whether it is a handle of this role in ``view``."""
        code_of, end = self.words.target.code_of, self._first_product + view.products
        return lambda text: code_of.get(text, end) < end

    def text(self, raw: str) -> str:
        """A text of the scene with the ids of places, where they stand in quotes, as this role's handles."""
        return self._quoted.sub(lambda found: f'"{self.handle_of_place[found[0][1:-1]]}"', raw)

    @property
    def map_scene(self) -> Scene:
        """The scene as the layout map draws it for this role: every place goes by its handle."""
        if self._labelled is None:
            own = self.handle_of_place
            places = tuple(
                replace(place, id=own[place.id], store_id=own.get(place.store_id or ""))
                for place in self._scene.navigation_targets
            )
            self._labelled = replace(self._scene, navigation_targets=places)
        return self._labelled


def _own_words(raw: Vocabularies, role: str, places: tuple[str, ...]) -> Vocabularies:
    """The vocabularies of the role: as many codes as the raw ones, places under the same code."""
    words = copy(raw)
    slots = tuple(product_handle(role, index) for index in range(len(raw.product.names)))
    words.place = Vocabulary(places)
    words.target = Vocabulary((*places, *slots))
    words.next_waypoint = Vocabulary((*places, *raw.next_waypoint.names[len(places) :]))
    return words


def with_targets(mask: Mapping[str, Any], view: RoleView) -> dict[str, Any]:
    """A mask of a tool call with its targets in the role's codes."""
    return {**mask, "target": view.targets(mask["target"])}
