"""A scene as the kernels' arrays: bodies, textures and light, built once a process and shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from siturec_gym.catalog import Catalog
from siturec_gym.renderers.embedded.bodies import Body, pack, shape_of
from siturec_gym.renderers.embedded.fixtures import fixture_bodies
from siturec_gym.renderers.embedded.furniture.finishes import finish_image, is_finish
from siturec_gym.renderers.embedded.furniture.patterns import is_pattern, pattern_image
from siturec_gym.renderers.embedded.layout import Floats, Geometry, Textures
from siturec_gym.renderers.embedded.materials import material
from siturec_gym.renderers.embedded.mips import pack_textures
from siturec_gym.renderers.embedded.printing import package_side, price_tag, sign
from siturec_gym.renderers.embedded.structures import structure_bodies
from siturec_gym.renderers.embedded.things import faces_of
from siturec_gym.scenes.scene import Scene


@dataclass(frozen=True, eq=False)
class Store:
    """A scene ready to be drawn, without its light. One is the same as another only if it is that object.

    Attributes:
        geometry: Bodies: instances in data order, then price tags, parts of fixtures and structures.
        textures: All textures.
        glows: (polygons,) radiance of polygons that shine by themselves, else 0.
        object_ids: Every object id, ascending.
    """

    geometry: Geometry
    textures: Textures
    glows: Floats
    object_ids: NDArray[np.uint16]


_STORES: WeakKeyDictionary[Scene, Store] = WeakKeyDictionary()


def store_of(scene: Scene) -> Store:
    """The store of a scene; built at the first call, the same object afterwards."""
    if scene not in _STORES:
        _STORES[scene] = _build(scene)
    return _STORES[scene]


def bodies_of(scene: Scene) -> list[Body]:
    """Instances in data order, then price tags, then what occludes: parts of fixtures and structures."""
    shapes = {product.id: shape_of(faces_of(product)) for product in scene.catalog}
    bodies = [
        Body(shapes[item.product_id], item.object_id, item.position_m, item.yaw_deg, False) for item in scene.instances
    ]
    parts = [body for fixture in scene.fixtures for body in fixture_bodies(scene, fixture)]
    bodies += [body for body in parts if not body.occludes]
    return bodies + [body for body in parts if body.occludes] + structure_bodies(scene)


def _build(scene: Scene) -> Store:
    bodies = bodies_of(scene)
    names = _names_of(bodies)
    images = [_picture(scene.catalog, name) for name in names]
    sizes = {name: (number, *images[number].shape[1::-1]) for number, name in enumerate(names)}
    geometry = pack(bodies, sizes)
    glows = np.concatenate([body.shape.glows for body in bodies])
    return Store(geometry, pack_textures(images), glows, np.unique(geometry.object_ids))


def _picture(catalog: Catalog, name: str) -> NDArray[np.uint8]:
    """The image of a texture name, as the builders of shapes write it."""
    if is_finish(name):
        return finish_image(name)
    if is_pattern(name):
        return pattern_image(name)
    head, *rest = name.split("|")
    if head == "sign":
        return sign("|".join(rest[3:]), (float(rest[0]), float(rest[1])), rest[2])
    if head == "tag":
        return price_tag(catalog.by_id[rest[0]])
    product_id, _, side = name.partition("/")
    if side:
        return package_side(catalog.by_id[product_id], side)
    return material(name)


def _names_of(bodies: Sequence[Body]) -> list[str]:
    """Texture names that bodies use, each once, in order of first use."""
    return list(dict.fromkeys(name for body in bodies for name in body.shape.textures))
