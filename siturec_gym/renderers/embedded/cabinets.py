"""Freezers and coolers: white cabinets with their own light."""

from siturec_gym.renderers.embedded.bay import FASCIA_GLOW, PRINT_LIFT_M, STRIP_GLOW, Bay, Part, sign_texture
from siturec_gym.renderers.embedded.mesh import Range, box, quad, side_corners
from siturec_gym.renderers.embedded.shelving import RAIL_DOWN_M, board
from siturec_gym.scenes.interiors import BOARD_M

COOLER_SETBACKS_M = (0.01, 0.04)
_STILE_M, _ROOF_M, _CANOPY_M = 0.045, 0.1, 0.16


def upright_freezer(bay: Bay) -> list[Part]:
    """A cabinet with a lit fascia, wire shelves and two door frames whose glass is clear."""
    x, hidden = (bay.rear, bay.front - 0.01), "bottom back left right"
    roof, sill = bay.height - _ROOF_M, bay.base - 0.04
    parts = [
        box((bay.rear, bay.back), bay.inner, (0.0, bay.height), "liner", "bottom left right"),
        *(box(x, end, (0.0, bay.height), "enamel", "bottom") for end in bay.ends),
        box(x, bay.inner, (0.0, 0.14), "grille", hidden, 0.2),
        box((bay.rear, bay.front - 0.02), bay.inner, (0.14, sill), "enamel", hidden),
        box((bay.rear, bay.lip), bay.inner, (roof, bay.height), "liner", "back left right front"),
        _fascia(bay, (bay.lip, bay.front - 0.01), (roof, bay.height)),
    ]
    parts += [_wire_shelf(bay, level.base_m) for level in bay.levels]
    return parts + _doors(bay, (sill, roof))


def _wire_shelf(bay: Bay, top: float) -> Part:
    shelf = box((bay.back, bay.lip + 0.005), bay.inner, (top - 0.015, top), "board", "back left right front")
    return shelf + box((bay.lip, bay.lip + 0.008), bay.inner, (top - 0.045, top + 0.006), "edge", "back left right")


def _fascia(bay: Bay, x: Range, z: Range) -> Part:
    """The lit band above doors or goods, with the fixture's sign on it and a light below."""
    texture = sign_texture(bay.fixture.sign, (bay.inner[1] - bay.inner[0], z[1] - z[0]))
    glow = {"front": FASCIA_GLOW, "bottom": STRIP_GLOW}
    return box(x, bay.inner, z, "enamel", "left right back", printed={"front": texture}, glow=glow)


def _doors(bay: Bay, z: Range) -> list[Part]:
    """Two glass doors: frames and handles. Strips of light run down the inside of the stiles."""
    x, (left, right) = (bay.lip + 0.02, bay.front - 0.015), bay.inner
    stiles = ((left, left + _STILE_M), (-0.75 * _STILE_M, 0.75 * _STILE_M), (right - _STILE_M, right))
    rails = ((z[0], z[0] + 0.04), (z[1] - 0.04, z[1]))
    between = left + _STILE_M, right - _STILE_M
    parts = [box(x, stile, z, "frame", "top bottom", glow={"back": STRIP_GLOW}) for stile in stiles]
    parts += [box(x, between, rail, "frame", "left right") for rail in rails]
    handles = ((-0.075, -0.05), (0.05, 0.075))
    return parts + [box((x[1], bay.front), handle, (0.8, 1.35), "handle", "back") for handle in handles]


def open_cooler(bay: Bay) -> list[Part]:
    """A multideck: bumper below, canopy with light above, a strip of light under every board."""
    canopy = bay.height - _CANOPY_M
    parts = [
        box((bay.rear, bay.back), bay.inner, (0.0, bay.height), "liner", "bottom left right"),
        *(box((bay.rear, bay.front), end, (0.0, bay.height), "enamel", "bottom") for end in bay.ends),
        box((bay.rear, bay.front - 0.06), bay.inner, (0.0, 0.1), "plinth", "bottom back left right top"),
        box((bay.rear, bay.front - 0.005), bay.inner, (0.1, bay.base - RAIL_DOWN_M), "bumper", "back left right top"),
        box((bay.rear, bay.front - 0.3), bay.inner, (canopy, bay.height), "enamel", "back left right front"),
        _fascia(bay, (bay.front - 0.3, bay.front - 0.06), (canopy, bay.height)),
    ]
    for number, level in enumerate(bay.levels):
        deck = board((bay.rear, bay.front - cooler_setback_m(number)), bay.inner, level.base_m)
        parts.append(deck + (_light_under(bay, level.base_m - BOARD_M) if number else []))
    return parts


def cooler_setback_m(level: int) -> float:
    """How far behind the outer face the rail of a level is; the lowest deck reaches farthest."""
    return COOLER_SETBACKS_M[min(level, 1)]


def _light_under(bay: Bay, top: float) -> Part:
    x, glow = (bay.front - 0.16, bay.front - 0.1), dict.fromkeys(("bottom", "front"), STRIP_GLOW)
    return box(x, bay.inner, (top - 0.012, top), "lamp", "left right top", glow=glow)


def chest_freezer(bay: Bay) -> list[Part]:
    """Half of an open chest: walls, bumper, metal rim, the floor inside; its name on the outside."""
    rim, (left, right), wide = bay.height - 0.03, bay.inner, bay.fixture.size_m[0] / 2
    name = side_corners((0.0, bay.front + PRINT_LIFT_M), (-0.6, 0.6), (0.42, 0.72), "front")
    wall = box((bay.lip, bay.front), bay.inner, (0.12, rim), "enamel", "bottom left right top")
    return [
        [*wall, quad(name, sign_texture(bay.fixture.sign, (1.2, 0.3)))],
        box((bay.lip, bay.front), bay.inner, (rim, bay.height), "handle", "left right bottom"),
        box((bay.front - 0.01, bay.front + 0.001), (-wide, wide), (0.26, 0.33), "bumper", "back"),
        box((bay.rear, bay.front - 0.05), bay.inner, (0.0, 0.12), "plinth", "bottom back left right top"),
        box((bay.rear, bay.lip), (left, right), (bay.base - 0.05, bay.base), "liner", "bottom front back left right"),
        box((bay.rear, bay.back), bay.inner, (bay.base, bay.height), "handle", "bottom left right back"),
        *(box((bay.rear, bay.front), end, (0.0, bay.height), "enamel", "bottom back") for end in bay.ends),
    ]
