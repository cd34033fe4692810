"""The building: floor, ceiling, walls, lamps, hanging signs, checkouts, doors and pillars."""

from collections.abc import Callable

from siturec_gym.renderers.embedded.fixtures import sign_texture
from siturec_gym.renderers.embedded.mesh import Body, Face, box, shape_of
from siturec_gym.scenes.scene import Scene, Structure

_CEILING_TOUCH_M = 0.05
_LAMP_GLOW = 7.5


def structure_bodies(scene: Scene) -> list[Body]:
    """The bodies of all structures, in data order.

    Raises:
        ValueError: The scene names a kind of structure that does not exist.
    """
    ceiling = min((item.box_m[2] for item in scene.structures if item.kind == "ceiling"), default=0.0)
    bodies = []
    for item in scene.structures:
        if item.kind not in _BUILDERS:
            raise ValueError(f"structure {item.id} is a {item.kind!r}; kinds are {', '.join(_BUILDERS)}")
        faces = _BUILDERS[item.kind](item)
        if item.kind == "sign" and _hangs(scene, item):
            faces += _rods(item, ceiling)
        bodies.append(Body(shape_of(faces), item.object_id, (0.0, 0.0, 0.0), 0.0, True))
    return bodies


def _corners(item: Structure) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    x0, y0, z0, x1, y1, z1 = item.box_m
    return (x0, y0, z0), (x1, y1, z1)


def _floor(item: Structure) -> list[Face]:
    low, high = _corners(item)
    return box(low, high, "floor", 1.2, ("bottom", "left", "right", "front", "back"))


def _ceiling(item: Structure) -> list[Face]:
    low, high = _corners(item)
    return box(low, high, "ceiling", 0.6, ("top", "left", "right", "front", "back"))


def _wall(item: Structure) -> list[Face]:
    low, high = _corners(item)
    return box(low, high, "wall", 4.0, () if low[2] > 0.0 else ("bottom",))


def _pillar(item: Structure) -> list[Face]:
    low, high = _corners(item)
    return box(low, high, "pillar", 0.5, ("bottom", "top"))


def _lamp(item: Structure) -> list[Face]:
    low, high = _corners(item)
    return box(low, high, "lamp", 0.5, ("top",), None, dict.fromkeys(("bottom", "front", "back", "left", "right"), _LAMP_GLOW))


def _sign(item: Structure) -> list[Face]:
    """A board with its words on both broad sides."""
    low, high = _corners(item)
    width_x, width_y, height = (round(b - a, 3) for a, b in zip(low, high, strict=True))
    broad, span = (("front", "back"), width_y) if width_y > width_x else (("left", "right"), width_x)
    texture = sign_texture(item.text, (span, height))
    return box(low, high, "edge", 0.5, (), dict.fromkeys(broad, texture))


def _hangs(scene: Scene, item: Structure) -> bool:
    """Whether a sign is clear of the walls, so that it needs rods."""
    x0, y0, x1, y1 = scene.bounds_m
    touch = _CEILING_TOUCH_M
    return item.box_m[0] > x0 + touch and item.box_m[1] > y0 + touch and item.box_m[3] < x1 - touch and item.box_m[4] < y1 - touch


def _rods(item: Structure, ceiling: float) -> list[Face]:
    """Two rods from a hanging sign to the ceiling."""
    x0, y0, _, x1, y1, top = item.box_m
    if ceiling <= top:
        return []
    faces, half = [], 0.01
    for part in (0.12, 0.88):
        x = x0 + part * (x1 - x0) if x1 - x0 > y1 - y0 else (x0 + x1) / 2
        y = y0 + part * (y1 - y0) if y1 - y0 >= x1 - x0 else (y0 + y1) / 2
        faces += box((x - half, y - half, top), (x + half, y + half, ceiling), "rod", 0.5, ("top", "bottom"))
    return faces


def _checkout(item: Structure) -> list[Face]:
    """A counter with a belt, a plinth and a screen at its far end."""
    (x0, y0, z0), (x1, y1, z1) = _corners(item)
    faces = box((x0 + 0.04, y0 + 0.04, z0), (x1 - 0.04, y1 - 0.04, 0.12), "plinth", 0.5, ("bottom", "top"))
    faces += box((x0, y0, 0.12), (x1, y1, z1 - 0.04), "counter", 0.5, ("bottom",))
    faces += box((x0, y0, z1 - 0.22), (x1, y1, z1 - 0.16), "trim", 0.5, ("bottom", "top"))[:4]
    belt = (x0 + 0.15, y0 + 0.9, z1 - 0.04), (x1 - 0.15, y1 - 0.1, z1)
    faces += box(*belt, "belt", 0.5, ("bottom",))
    screen = (x0 + 0.3, y0 + 0.3, z1 - 0.04), (x0 + 0.36, y0 + 0.65, z1 + 0.3)
    return faces + box(*screen, "screen", 0.5, ("bottom",))


def _door(item: Structure) -> list[Face]:
    low, high = _corners(item)
    broad = ("left", "right") if high[0] - low[0] > high[1] - low[1] else ("front", "back")
    return box(low, high, "frame", 0.5, ("bottom",), dict.fromkeys(broad, "glass door"))


_BUILDERS: dict[str, Callable[[Structure], list[Face]]] = {
    "floor": _floor,
    "ceiling": _ceiling,
    "wall": _wall,
    "pillar": _pillar,
    "lamp": _lamp,
    "sign": _sign,
    "checkout": _checkout,
    "door": _door,
}
