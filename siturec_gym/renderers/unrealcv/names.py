"""What the things of a scene are called in Unreal."""

from collections.abc import Iterable

from siturec_gym.core.errors import DataError
from siturec_gym.renderers.unrealcv.mapping import Objects
from siturec_gym.scenes.scene import FIRST_PLACE_OBJECT, Scene


class Names:
    """Names on the wire, by object id and by entity id; ``floor`` is that of the floor.

    Parts of a store or area (``Structure.place_id``) have no names of their own: they belong to the place's object.

    Args:
        scene: The store.
        objects: Patterns, and names of single things.

    Raises:
        DataError: Two things have one name, a name is no single word, or ``names`` names what is not in the scene.
    """

    def __init__(self, scene: Scene, objects: Objects) -> None:
        rows: list[tuple[str, int, str]] = []
        for number, item in enumerate(scene.instances, start=1):
            words = {"id": item.id, "product": item.product_id, "place": item.place_id, "number": number}
            rows.append((item.id, item.object_id, objects.instance.format(**words)))
        rows += [(place.id, place.object_id, objects.place.format(id=place.id)) for place in scene.navigation_targets]
        if objects.structure is not None:
            own = [part for part in scene.structures if part.place_id is None]
            rows += [(part.id, part.object_id, objects.structure.format(id=part.id)) for part in own]
        known = {id_ for id_, _, _ in rows}
        for id_ in objects.names:
            if id_ not in known:
                raise DataError(f"objects.names: the scene {scene.name} has no {id_}")
        self._of_id = {id_: objects.names.get(id_, name) for id_, _, name in rows}
        floors = [part.id for part in scene.structures if part.kind == "floor" and part.place_id is None]
        self.floor = self.of_id(floors[0]) if floors else ""
        self._of_object = {object_id: self._of_id[id_] for id_, object_id, _ in rows}
        _check(self._of_id)

    @property
    def instances(self) -> list[tuple[int, str]]:
        """Object id and name of every item, in scene order."""
        return [pair for pair in self._of_object.items() if pair[0] < FIRST_PLACE_OBJECT]

    @property
    def all(self) -> list[tuple[int, str]]:
        """Object id and name of everything that has a name."""
        return list(self._of_object.items())

    def of_object(self, object_id: int) -> str:
        """The name of an object id. Raises KeyError for what has none."""
        return self._of_object[object_id]

    def of_id(self, entity_id: str) -> str:
        """The name of an item or a place by its id, else the id itself."""
        return self._of_id.get(entity_id, entity_id)

    def absent(self, listed: Iterable[str]) -> list[str]:
        """Names that a server does not list."""
        there = set(listed)
        return [name for name in self._of_id.values() if name not in there]


def _check(of_id: dict[str, str]) -> None:
    first: dict[str, str] = {}
    for id_, name in of_id.items():
        if not name or name != "".join(name.split()):
            raise DataError(f"objects: {name!r}, the name of {id_}, is not one word")
        if name in first:
            raise DataError(f"objects: {first[name]} and {id_} are both called {name}")
        first[name] = id_
