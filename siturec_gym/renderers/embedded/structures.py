"""The building: floor, ceiling, walls, lamps, hanging signs, checkouts, doors and pillars."""

from collections.abc import Callable
from dataclasses import replace

from siturec_gym.renderers.embedded.bay import sign_texture
from siturec_gym.renderers.embedded.bodies import Body, shape_of
from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.lettering import mixed, parse_color
from siturec_gym.renderers.embedded.mesh import SIDES, Face, Range, box
from siturec_gym.scenes.scene import Scene, Structure

_WALL_TOUCH_M = 0.05
_ROD_M = 0.02
_LAMP_GLOW = 7.5


def structure_bodies(scene: Scene) -> list[Body]:
    """The bodies of all structures, in data order.

    Raises:
        ValueError: The scene names a kind of structure that does not exist.
    """
    ceiling = min((item.box_m[2] for item in scene.structures if item.kind == "ceiling"), default=0.0)
    bodies, grounds = [], _sign_grounds(scene)
    for item in scene.structures:
        if item.kind not in _BUILDERS:
            raise ValueError(f"structure {item.id} is a {item.kind!r}; kinds are {', '.join(_BUILDERS)}")
        faces = _BUILDERS[item.kind](replace(item, color=item.color or grounds.get(item.text, "")))
        if item.kind == "sign" and _hangs(scene, item):
            faces += _rods(item, ceiling)
        bodies.append(Body(shape_of(faces), item.object_id, (0.0, 0.0, 0.0), 0.0, True))
    return bodies


def _sign_grounds(scene: Scene) -> dict[str, str]:
    """Words of signs that name a store or an area -> the colour of that store's front, a little darker."""
    fronts = {item.place_id: item.color for item in scene.structures if item.kind == "facade" and item.color}
    grounds = {}
    for place in scene.navigation_targets:
        color = fronts.get(place.store_id or place.id, "")
        if color:
            grounds[place.sign] = "#{:02x}{:02x}{:02x}".format(*mixed(parse_color(color), (0, 0, 0), 0.25))
    return grounds


def _ranges(item: Structure) -> tuple[Range, Range, Range]:
    x0, y0, z0, x1, y1, z1 = item.box_m
    return (x0, x1), (y0, y1), (z0, z1)


def _surface(item: Structure, own: str, kind: str = "plain") -> str:
    """The texture of a structure: that of its kind, or a finish in the colour that the scene gives it."""
    return finish(kind, item.color) if item.color else own


def _floor(item: Structure) -> list[Face]:
    """Tiles; planks or stone where the scene gives a colour."""
    kind = "wood" if _is_brown(item.color) else "stone"
    return box(*_ranges(item), _surface(item, "floor", kind), "bottom left right front back", 1.2)


def _is_brown(color: str) -> bool:
    if not color:
        return False
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return red > green > blue and red - blue > 30


def _ceiling(item: Structure) -> list[Face]:
    return box(*_ranges(item), "ceiling", "top left right front back", 0.6)


def _wall(item: Structure) -> list[Face]:
    return box(*_ranges(item), _surface(item, "wall"), "" if item.box_m[2] > 0.0 else "bottom", 4.0)


def _pillar(item: Structure) -> list[Face]:
    return box(*_ranges(item), "pillar", "bottom top")


def _lamp(item: Structure) -> list[Face]:
    lit = ("bottom", "front", "back", "left", "right")
    return box(*_ranges(item), "lamp", "top", glow=dict.fromkeys(lit, _LAMP_GLOW))


def _broad_sides(item: Structure) -> tuple[str, str]:
    """The two larger upright sides of a structure."""
    (x0, x1), (y0, y1), _ = _ranges(item)
    return ("left", "right") if x1 - x0 > y1 - y0 else ("front", "back")


def _slab(item: Structure) -> list[Face]:
    """A plain coloured box: part of a shop front, a door frame, a plinth, a board on a wall, a rail."""
    return box(*_ranges(item), _surface(item, "board"), "" if item.box_m[2] > 0.0 else "bottom", 1.0)


def _patch(item: Structure) -> list[Face]:
    """The carpet that marks a display area."""
    return box(*_ranges(item), _surface(item, "mat", "cloth"), "bottom", 1.0)


def _bench(item: Structure) -> list[Face]:
    """A seat of planks on two blocks."""
    (x0, x1), (y0, y1), (z0, z1) = _ranges(item)
    seat = box((x0, x1), (y0, y1), (z1 - 0.06, z1), _surface(item, "wood", "wood"), "", 0.6)
    inset = 0.2 * (x1 - x0)
    ends = ((x0 + inset, x0 + inset + 0.12), (x1 - inset - 0.12, x1 - inset))
    blocks = [box(x, (y0 + 0.04, y1 - 0.04), (z0, z1 - 0.06), "frame", "top bottom") for x in ends]
    return seat + [face for block in blocks for face in block]


def _sign(item: Structure) -> list[Face]:
    """A board with its words on both broad sides."""
    x, y, z = _ranges(item)
    texture = sign_texture(item.text, (max(x[1] - x[0], y[1] - y[0]), z[1] - z[0]), item.color)
    return box(x, y, z, "edge", "top", printed=dict.fromkeys(_broad_sides(item), texture))


def _hangs(scene: Scene, item: Structure) -> bool:
    """Whether a sign is clear of the walls, so that it needs rods."""
    (x0, x1), (y0, y1), _ = _ranges(item)
    low_x, low_y, high_x, high_y = scene.bounds_m
    return min(x0 - low_x, high_x - x1, y0 - low_y, high_y - y1) > _WALL_TOUCH_M


def _rods(item: Structure, ceiling: float) -> list[Face]:
    """Two flat rods from a hanging sign to the ceiling."""
    (x0, x1), (y0, y1), (_, top) = _ranges(item)
    if ceiling <= top:
        return []
    faces, half = [], _ROD_M / 2
    unseen = " ".join(side for side in SIDES if side not in _broad_sides(item))
    for part in (0.12, 0.88):
        along_x = x1 - x0 > y1 - y0
        x = x0 + (part if along_x else 0.5) * (x1 - x0)
        y = y0 + (0.5 if along_x else part) * (y1 - y0)
        faces += box((x - half, x + half), (y - half, y + half), (top, ceiling), "rod", unseen)
    return faces


def _checkout(item: Structure) -> list[Face]:
    """A counter on a plinth, with a stripe, a belt and a screen at its far end."""
    (x0, x1), (y0, y1), (z0, z1) = _ranges(item)
    counter = z1 - 0.04
    return [
        *box((x0 + 0.04, x1 - 0.04), (y0 + 0.04, y1 - 0.04), (z0, 0.12), "plinth", "bottom top"),
        *box((x0, x1), (y0, y1), (0.12, counter), "counter", "bottom"),
        *box((x0 - 0.001, x1 + 0.001), (y0 - 0.001, y1 + 0.001), (z1 - 0.22, z1 - 0.16), "trim", "bottom top"),
        *box((x0 + 0.15, x1 - 0.15), (y0 + 0.9, y1 - 0.1), (counter, z1), "belt", "bottom"),
        *box((x0 + 0.3, x0 + 0.36), (y0 + 0.3, y0 + 0.65), (counter, z1 + 0.3), "screen", "bottom"),
    ]


def _door(item: Structure) -> list[Face]:
    return box(*_ranges(item), "frame", "bottom", printed=dict.fromkeys(_broad_sides(item), "glass door"))


_BUILDERS: dict[str, Callable[[Structure], list[Face]]] = {
    "floor": _floor,
    "ceiling": _ceiling,
    "wall": _wall,
    "pillar": _pillar,
    "lamp": _lamp,
    "sign": _sign,
    "facade": _slab,
    "frame": _slab,
    "plinth": _slab,
    "board": _slab,
    "rail": _slab,
    "patch": _patch,
    "bench": _bench,
    "checkout": _checkout,
    "door": _door,
}
