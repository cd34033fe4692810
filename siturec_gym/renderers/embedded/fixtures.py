"""Shelves, freezers, coolers and stands, built around the free space that ``scenes.interiors`` states.

Every side that goods are taken from is built in its own axes: x out of the side, y to the right of a shopper who
faces it, z up. A thing with two sides is built twice, each half facing its own way.
"""

from collections.abc import Callable, Sequence
from itertools import groupby

from siturec_gym.core.actions import Approach
from siturec_gym.renderers.embedded.mesh import Body, Face, box, box_corners, quad, shape_of
from siturec_gym.scenes.interiors import BOARD_M, SHELLS, Compartment, compartments
from siturec_gym.scenes.scene import Fixture, Instance, Scene

_EDGE_UP_M, _EDGE_DOWN_M = 0.008, 0.052
_TAG_WIDTH_M, _TAG_HEIGHT_M = 0.11, 0.055
_TAG_LIFT_M = 0.002
_STRIP_GLOW = 1.5
Part = list[Face]
Tags = dict[Compartment, list[tuple[float, float, str]]]


def fixture_bodies(scene: Scene, fixture: Fixture) -> list[Body]:
    """The bodies of one fixture: its parts, then its price tags.

    Raises:
        ValueError: The scene names a kind of fixture that does not exist.
    """
    if fixture.kind not in _BUILDERS:
        raise ValueError(f"fixture {fixture.id} is a {fixture.kind!r}; kinds are {', '.join(_BUILDERS)}")
    mine = [instance for instance in scene.instances if instance.fixture_id == fixture.id]
    bodies = []
    levels = compartments(fixture)
    for side in dict.fromkeys(level.side for level in levels):
        here = [level for level in levels if level.side == side]
        for part in _BUILDERS[fixture.kind](fixture, here):
            bodies.append(_body(fixture, here[0].yaw_deg, part, True))
        for level in here:
            tags = _tags(fixture, level, _facings(scene, mine, level))
            if tags:
                bodies.append(_body(fixture, level.yaw_deg, tags, False))
    return bodies


def _body(fixture: Fixture, yaw_deg: float, part: Part, occludes: bool) -> Body:
    return Body(shape_of(part), fixture.object_id, (*fixture.center_m, 0.0), yaw_deg, occludes)


def sign_texture(text: str, size_m: tuple[float, float]) -> str:
    """Name of the texture of a printed sign."""
    return f"sign|{size_m[0]:.2f}|{size_m[1]:.2f}|{text}"


def _two_sided(fixture: Fixture) -> bool:
    return Approach.BACK in fixture.approaches


def _rear(fixture: Fixture) -> float:
    """Where this side's half of the fixture ends: the middle, or the back of a fixture with one side."""
    return 0.0 if _two_sided(fixture) else -fixture.size_m[1] / 2


def _board(low_x: float, high_x: float, half_width: float, top: float) -> Part:
    """A shelf board whose front edge carries a price rail."""
    rail = 0.015
    faces = box((low_x, -half_width, top - BOARD_M), (high_x - rail, half_width, top), "board", without=("front", "back", "left", "right"))
    low, high = (high_x - rail, -half_width, top - _EDGE_DOWN_M), (high_x, half_width, top + _EDGE_UP_M)
    return faces + box(low, high, "edge", without=("left", "right"))


def _shelf(fixture: Fixture, levels: Sequence[Compartment]) -> list[Part]:
    """Half of a gondola, or a wall shelf: back panel, cheeks with the sign on them, plinth and boards."""
    width, depth, height = fixture.size_m
    shell, rear = SHELLS[fixture.kind], _rear(fixture)
    front, half, inner = depth / 2, width / 2, width / 2 - SHELLS[fixture.kind].cheek_m
    hidden = () if not _two_sided(fixture) else ("back",)
    parts = [
        box((rear, -inner, 0.0), (rear + shell.back_m, inner, height), "pegboard", 0.25, (*hidden, "left", "right", "bottom")),
        box((rear, -inner, 0.0), (front - 0.03, inner, levels[0].base_m - _EDGE_DOWN_M), "plinth", 0.5, ("back", "left", "right", "bottom", "top")),
    ]
    for sign in (-1.0, 1.0):
        low, high = sorted((sign * inner, sign * half))
        cheek = box((rear, low, 0.0), (front, high, height), "upright", 0.5, (*hidden, "bottom"))
        parts.append(cheek + _cheek_sign(fixture, sign, rear, front))
    parts.extend(_board(rear, front, inner, level.base_m) for level in levels)
    return parts


def _cheek_sign(fixture: Fixture, sign: float, rear: float, front: float) -> Part:
    """The fixture's sign on the outer face of a cheek."""
    width, _, height = fixture.size_m
    y, margin = sign * (width / 2 + _TAG_LIFT_M), 0.03
    span = front - rear - 2 * margin
    low = (rear + margin, min(y, y), height - 0.36)
    high = (front - margin, max(y, y), height - 0.04)
    corners = box_corners(low, high, "right" if sign > 0 else "left")
    return [quad(*corners, texture=sign_texture(fixture.sign, (round(span, 2), 0.32)))]


def _upright_freezer(fixture: Fixture, levels: Sequence[Compartment]) -> list[Part]:
    """White cabinet with a lit fascia, wire shelves and two door frames whose glass is clear."""
    width, depth, height = fixture.size_m
    shell, rear, front, half = SHELLS[fixture.kind], _rear(fixture), depth / 2, width / 2
    inner, door = half - shell.cheek_m, front - shell.lip_m
    base, roof = levels[0].base_m, height - 0.1
    hull = ("bottom",)
    parts = [
        box((rear, -inner, 0.0), (rear + shell.back_m, inner, height), "liner", 0.5, (*hull, "left", "right")),
        box((rear, -half, 0.0), (front - 0.01, -inner, height), "enamel", 0.5, hull),
        box((rear, inner, 0.0), (front - 0.01, half, height), "enamel", 0.5, hull),
        box((rear, -inner, 0.0), (front - 0.01, inner, 0.14), "grille", 0.2, (*hull, "back", "left", "right")),
        box((rear, -inner, 0.14), (front - 0.02, inner, base - 0.04), "enamel", 0.5, ("back", "left", "right", "bottom")),
        _fascia(fixture, door, front - 0.01, inner, roof, height),
        box((rear, -inner, roof), (door, inner, height), "liner", 0.5, ("back", "left", "right", "front")),
    ]
    for level in levels:
        low, high = (rear + shell.back_m, -inner, level.base_m - 0.015), (door + 0.005, inner, level.base_m)
        shelf = box(low, high, "board", 0.5, ("back", "left", "right", "front"))
        edge = box((door, -inner, level.base_m - 0.045), (door + 0.008, inner, level.base_m + 0.006), "edge", 0.5, ("left", "right"))
        parts.append(shelf + edge)
    return parts + _doors(inner, door + 0.02, front, base - 0.04, roof)


def _fascia(fixture: Fixture, low_x: float, high_x: float, half: float, low_z: float, high_z: float) -> Part:
    """The lit band above doors or goods, with the fixture's name on it."""
    texture = sign_texture(fixture.sign, (round(2 * half, 2), round(high_z - low_z, 2)))
    low, high = (low_x, -half, low_z), (high_x, half, high_z)
    return box(low, high, "enamel", 0.5, ("left", "right", "back"), {"front": texture}, {"front": 0.5, "bottom": _STRIP_GLOW})


def _doors(half: float, low_x: float, front: float, low_z: float, high_z: float) -> list[Part]:
    """Two glass doors: frames and handles. Strips of light run down the inside of the stiles."""
    stile, thick = 0.045, front - 0.015
    parts: list[Part] = []
    for left, right in ((-half, -half + stile), (-stile / 2 - 0.012, stile / 2 + 0.012), (half - stile, half)):
        parts.append(box((low_x, left, low_z), (thick, right, high_z), "frame", 0.5, (), None, {"back": _STRIP_GLOW}))
    for bottom, top in ((low_z, low_z + 0.04), (high_z - 0.04, high_z)):
        parts.append(box((low_x, -half + stile, bottom), (thick, half - stile, top), "frame", 0.5, ("left", "right")))
    for handle in (-0.075, 0.05):
        parts.append(box((thick, handle, 0.8), (front, handle + 0.025, 1.35), "handle", 0.5, ("back",)))
    return parts


def _open_cooler(fixture: Fixture, levels: Sequence[Compartment]) -> list[Part]:
    """White multideck: bumper below, canopy with light above, a strip of light under every board."""
    width, depth, height = fixture.size_m
    shell, rear, front, half = SHELLS[fixture.kind], _rear(fixture), depth / 2, width / 2
    inner, base, canopy = half - shell.cheek_m, levels[0].base_m, height - 0.16
    parts = [
        box((rear, -inner, 0.0), (rear + shell.back_m, inner, height), "liner", 0.5, ("bottom", "left", "right")),
        box((rear, -half, 0.0), (front, -inner, height), "enamel", 0.5, ("bottom",)),
        box((rear, inner, 0.0), (front, half, height), "enamel", 0.5, ("bottom",)),
        box((rear, -inner, 0.0), (front - 0.06, inner, 0.1), "plinth", 0.5, ("bottom", "back", "left", "right", "top")),
        box((rear, -inner, 0.1), (front - 0.005, inner, base - _EDGE_DOWN_M), "bumper", 0.5, ("back", "left", "right", "top")),
        box((rear, -inner, canopy), (front - 0.3, inner, height), "enamel", 0.5, ("back", "left", "right", "front")),
        _fascia(fixture, front - 0.3, front - 0.06, inner, canopy, height),
    ]
    for number, level in enumerate(levels):
        board = _board(rear, front - 0.01 - 0.03 * (number > 0), inner, level.base_m)
        if number:
            low = (front - 0.16, -inner, level.base_m - BOARD_M - 0.012)
            board += box(low, (front - 0.10, inner, level.base_m - BOARD_M), "lamp", 0.5, ("left", "right", "top"), None, {"bottom": _STRIP_GLOW, "front": _STRIP_GLOW})
        parts.append(board)
    return parts


def _chest_freezer(fixture: Fixture, levels: Sequence[Compartment]) -> list[Part]:
    """Half of an open chest: white walls, a bumper, a metal rim, the floor inside; its name on the outside."""
    width, depth, height = fixture.size_m
    shell, rear, front, half = SHELLS[fixture.kind], _rear(fixture), depth / 2, width / 2
    inner, wall, floor = half - shell.cheek_m, front - shell.lip_m, levels[0].base_m
    shut = ("bottom", "back")
    rim = height - 0.03
    sign = box_corners((front + _TAG_LIFT_M, -0.6, 0.42), (front + _TAG_LIFT_M, 0.6, 0.72), "front")
    parts = [
        box((wall, -inner, 0.12), (front, inner, rim), "enamel", 0.5, ("bottom", "left", "right", "top"))
        + [quad(*sign, texture=sign_texture(fixture.sign, (1.2, 0.3)))],
        box((wall, -inner, rim), (front, inner, height), "handle", 0.5, ("left", "right", "bottom")),
        box((front - 0.01, -half, 0.26), (front + 0.001, half, 0.33), "bumper", 0.5, ("back",)),
        box((rear, -inner, 0.0), (front - 0.05, inner, 0.12), "plinth", 0.5, ("bottom", "back", "left", "right", "top")),
        box((rear, -inner, floor - 0.05), (wall, inner, floor), "liner", 0.5, ("bottom", "front", "back", "left", "right")),
        box((rear, -inner, floor), (rear + shell.back_m, inner, height), "handle", 0.5, ("bottom", "left", "right", "back")),
    ]
    for sign_of_side in (-1.0, 1.0):
        low, high = sorted((sign_of_side * inner, sign_of_side * half))
        parts.append(box((rear, low, 0.0), (front, high, height), "enamel", 0.5, shut))
    return parts


def _produce_stand(fixture: Fixture, levels: Sequence[Compartment]) -> list[Part]:
    """Half of a stepped wooden stand: one crate a tier, boards around, a plinth below."""
    width, depth, height = fixture.size_m
    shell, rear, front, half = SHELLS[fixture.kind], _rear(fixture), depth / 2, width / 2
    inner = half - shell.cheek_m
    parts = [
        box((rear, -inner + 0.1, 0.0), (front - 0.2, inner - 0.1, levels[0].base_m - 0.2), "plinth", 0.5, ("bottom", "back", "top")),
        box((rear, -inner, levels[0].base_m), (rear + shell.back_m, inner, height - 0.06), "wood", 0.4, ("back", "left", "right", "bottom")),
    ]
    for number, level in enumerate(levels):
        outer = front if number == 0 else level.front_m
        tray = level.front_m - level.depth_m
        low_z = level.base_m - 0.2
        bed = box((tray, -inner, low_z), (level.front_m, inner, level.base_m), "mat", 0.3, ("back", "front"))
        lip = outer - shell.lip_m if number == 0 else outer - 0.012
        board = box((lip, -half, low_z), (outer, half, level.base_m + 0.035), "wood", 0.4)
        parts.append(bed + board)
        for sign in (-1.0, 1.0):
            low, high = sorted((sign * inner, sign * half))
            parts.append(box((tray, low, low_z), (lip, high, level.base_m + 0.035), "wood", 0.4, ("back",)))
    return parts


def _facings(scene: Scene, mine: Sequence[Instance], level: Compartment) -> list[tuple[float, float, str]]:
    """Runs of the same product along a compartment: middle, width and product id of each."""
    spots = []
    for instance in mine:
        if instance.side == level.side and instance.level == level.level:
            width = scene.catalog.by_id[instance.product_id].appearance.size_m[0]
            spots.append((_along(level, instance), width, instance.product_id))
    runs = []
    for product_id, group in groupby(sorted(spots), key=lambda spot: spot[2]):
        items = list(group)
        left = min(along - width / 2 for along, width, _ in items)
        right = max(along + width / 2 for along, width, _ in items)
        runs.append(((left + right) / 2, right - left, product_id))
    return runs


def _along(level: Compartment, instance: Instance) -> float:
    """Offset of an item from the middle of its compartment, to the right of a shopper who faces it."""
    right, middle = level.place(1.0, 0.0), level.place(0.0, 0.0)
    dx, dy = instance.position_m[0] - middle[0], instance.position_m[1] - middle[1]
    return round(dx * (right[0] - middle[0]) + dy * (right[1] - middle[1]), 6)


def _tags(fixture: Fixture, level: Compartment, runs: Sequence[tuple[float, float, str]]) -> Part:
    """Price tags of a compartment, one for each run of a product."""
    front, height = fixture.size_m[1] / 2, fixture.size_m[2]
    tags = []
    for middle, length, product_id in runs:
        width = min(_TAG_WIDTH_M, max(0.05, length - 0.005))
        low_y, high_y, texture = middle - width / 2, middle + width / 2, f"tag|{product_id}"
        if fixture.kind == "chest_freezer":
            corners = box_corners((front - 0.07, low_y, height), (front - 0.07 + width / 2, high_y, height + _TAG_LIFT_M), "top")
        else:
            x, top = _tag_place(fixture, level)
            corners = box_corners((x, low_y, top - width / 2), (x + _TAG_LIFT_M, high_y, top), "front")
        tags.append(quad(*corners, texture=texture))
    return tags


def _tag_place(fixture: Fixture, level: Compartment) -> tuple[float, float]:
    """Front face that tags of a level stand on, and the height of their upper edge."""
    front = fixture.size_m[1] / 2
    if fixture.kind == "upright_freezer":
        return front - SHELLS[fixture.kind].lip_m + 0.008, level.base_m + 0.004
    if fixture.kind == "open_cooler":
        return front - 0.01 - 0.03 * (level.level > 0), level.base_m + 0.005
    if fixture.kind == "produce_stand":
        return front if level.level == 0 else level.front_m, level.base_m + 0.03
    return front, level.base_m + 0.005


_BUILDERS: dict[str, Callable[[Fixture, Sequence[Compartment]], list[Part]]] = {
    "shelf": _shelf,
    "upright_freezer": _upright_freezer,
    "open_cooler": _open_cooler,
    "chest_freezer": _chest_freezer,
    "produce_stand": _produce_stand,
}
