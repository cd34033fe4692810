"""Shelves and produce stands: what stands at room temperature."""

from siturec_gym.renderers.embedded.bay import PRINT_LIFT_M, Bay, Part, sign_texture
from siturec_gym.renderers.embedded.mesh import Range, box, quad, side_corners
from siturec_gym.scenes.interiors import BOARD_M

RAIL_UP_M, RAIL_DOWN_M = 0.008, 0.052
_RAIL_M = 0.015
_CRATE_M = 0.2


def board(x: Range, y: Range, top: float) -> Part:
    """A shelf board whose front edge carries a price rail."""
    rail = x[1] - _RAIL_M
    faces = box((x[0], rail), y, (top - BOARD_M, top), "board", "front back left right")
    return faces + box((rail, x[1]), y, (top - RAIL_DOWN_M, top + RAIL_UP_M), "edge", "back left right")


def shelf(bay: Bay) -> list[Part]:
    """Half of a gondola, or a wall shelf: back panel, plinth, end panels with the sign on them, boards."""
    hidden = bay.hidden_back
    plinth_top = bay.base - RAIL_DOWN_M
    parts = [
        box((bay.rear, bay.back), bay.inner, (0.0, bay.height), "pegboard", f"{hidden} left right bottom", 0.25),
        box((bay.rear, bay.front - 0.03), bay.inner, (0.0, plinth_top), "plinth", "back left right bottom top"),
    ]
    for end, side in zip(bay.ends, ("left", "right"), strict=True):
        panel = box((bay.rear, bay.front), end, (0.0, bay.height), "upright", f"{hidden} bottom")
        parts.append(panel + (_end_sign(bay, side) if bay.is_first else []))
    return parts + [board((bay.rear, bay.front), bay.inner, level.base_m) for level in bay.levels]


def _end_sign(bay: Bay, side: str) -> Part:
    """The fixture's sign on the outer face of an end panel, across the whole depth."""
    reach, half = bay.front - 0.04, bay.fixture.size_m[0] / 2 + PRINT_LIFT_M
    corners = side_corners((-reach, reach), (-half, half), (bay.height - 0.36, bay.height - 0.04), side)
    return [quad(corners, sign_texture(bay.fixture.sign, (2 * reach, 0.32)))]


def produce_stand(bay: Bay) -> list[Part]:
    """Half of a stepped wooden stand: a crate for each tier, boards around it, a plinth below."""
    left, right = bay.inner
    foot = box(
        (bay.rear, bay.front - 0.2), (left + 0.1, right - 0.1), (0.0, bay.base - _CRATE_M), "plinth", "bottom back top"
    )
    ridge = box((bay.rear, bay.back), bay.inner, (bay.base, bay.height - 0.06), "wood", "back left right bottom", 0.4)
    return [foot, ridge, *(crate for number in range(len(bay.levels)) for crate in _crate(bay, number))]


def _crate(bay: Bay, number: int) -> list[Part]:
    """A tier: the bed the goods lie on, the board in front and the two at the ends."""
    level, half = bay.levels[number], bay.fixture.size_m[0] / 2
    outer, lip = (bay.front, bay.lip) if number == 0 else (level.front_m, level.front_m - 0.012)
    tail, z = level.front_m - level.depth_m, (level.base_m - _CRATE_M, level.base_m + 0.035)
    bed = box((tail, level.front_m), bay.inner, (z[0], level.base_m), "mat", "back front", 0.3)
    front = box((lip, outer), (-half, half), z, "wood", "", 0.4)
    return [bed + front, *(box((tail, lip), end, z, "wood", "back", 0.4) for end in bay.ends)]
