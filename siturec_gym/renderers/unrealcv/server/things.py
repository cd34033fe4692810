"""What stands in a store, under the names it has on the wire: instance ids, place ids and structure ids."""

from dataclasses import dataclass

from siturec_gym.scenes.footprints import extent, place_rectangle
from siturec_gym.scenes.scene import Instance, Place, Scene, Structure

USER = "User"
"""What the shopper is called on the wire."""
Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object of the store at rest.

    Attributes:
        name: Its name on the wire.
        kind: "product", a kind of place ("fixture", "store", "area") or of structure ("wall", "floor", ...).
        label: What a person calls it.
        object_id: Value in id images.
        position_m: Where it stands: a product's and a place's base, a structure's middle.
        yaw_deg: The heading that its front faces.
        low_m: Least corner of the box around it.
        high_m: Greatest corner.
    """

    name: str
    kind: str
    label: str
    object_id: int
    position_m: Point
    yaw_deg: float
    low_m: Point
    high_m: Point


def things_of(scene: Scene) -> dict[str, Thing]:
    """Every object that id images can show, by name: products, places, structures that are no part of a place."""
    things = [_product(scene, item) for item in scene.instances]
    things += [_place(place) for place in scene.navigation_targets]
    things += [_structure(part) for part in scene.structures if part.place_id is None]
    return {thing.name: thing for thing in things}


def _product(scene: Scene, item: Instance) -> Thing:
    product = scene.catalog.by_id[item.product_id]
    width, depth, height = product.appearance.size_m
    x0, y0, x1, y1 = extent(item.position_m, item.yaw_deg, width, depth)
    z = item.position_m[2]
    low, high = (x0, y0, z), (x1, y1, z + height)
    return Thing(item.id, "product", product.name, item.object_id, item.position_m, item.yaw_deg, low, high)


def _place(place: Place) -> Thing:
    x0, y0, x1, y1 = place_rectangle(place)
    low, high = (x0, y0, 0.0), (x1, y1, place.size_m[2])
    return Thing(place.id, place.kind, place.name, place.object_id, (*place.center_m, 0.0), place.yaw_deg, low, high)


def _structure(part: Structure) -> Thing:
    x0, y0, z0, x1, y1, z1 = part.box_m
    middle = (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2
    label = part.text or part.kind
    return Thing(part.id, part.kind, label, part.object_id, middle, 0.0, (x0, y0, z0), (x1, y1, z1))
