"""Where items can stand inside each kind of fixture: the measure that placement fills and renderers draw around."""

from dataclasses import dataclass

from siturec_gym.core.actions import Approach
from siturec_gym.scenes.footprints import heading_vector
from siturec_gym.scenes.scene import Place

SIDES = (Approach.FRONT, Approach.BACK)
BOARD_M = 0.03
HEAPED_M = 0.05


@dataclass(frozen=True, slots=True)
class Shell:
    """Thickness of what surrounds the goods of one kind of fixture, metres.

    Attributes:
        cheek_m: Closed panel at each end of the width.
        lip_m: Between the outer face and the goods: shelf edge, glass door, chest wall or crate board.
        back_m: Behind the goods: back panel, or half of the partition of a fixture with two sides.
        rows: Most items one behind another.
    """

    cheek_m: float
    lip_m: float
    back_m: float
    rows: int


SHELLS = {
    "shelf": Shell(cheek_m=0.04, lip_m=0.02, back_m=0.02, rows=1),
    "upright_freezer": Shell(cheek_m=0.05, lip_m=0.07, back_m=0.06, rows=1),
    "open_cooler": Shell(cheek_m=0.05, lip_m=0.05, back_m=0.08, rows=1),
    "chest_freezer": Shell(cheek_m=0.08, lip_m=0.08, back_m=0.02, rows=3),
    "produce_stand": Shell(cheek_m=0.06, lip_m=0.06, back_m=0.02, rows=3),
}


@dataclass(frozen=True, slots=True)
class Compartment:
    """Free space over one level of one side of a fixture.

    Attributes:
        side: "front" or "back".
        level: Index into ``Place.levels_m``.
        yaw_deg: Heading of the side's outward normal, and of the items in it.
        origin_m: Place centre, x, y; ``front_m`` and widths are measured from it.
        base_m: Height of the surface the items stand on.
        clear_m: Free height above it.
        width_m: Free length along the side, centred on the origin.
        front_m: Distance along the normal from the origin to the front of the free space.
        depth_m: Free depth behind that.
        rows: Most items one behind another.
    """

    side: str
    level: int
    yaw_deg: float
    origin_m: tuple[float, float]
    base_m: float
    clear_m: float
    width_m: float
    front_m: float
    depth_m: float
    rows: int

    def place(self, along_m: float, behind_m: float) -> tuple[float, float, float]:
        """World x, y, z of a point on the surface.

        Args:
            along_m: Offset from the middle, positive to the right of a shopper who faces the side.
            behind_m: Distance behind the front of the free space.
        """
        normal_x, normal_y = heading_vector(self.yaw_deg)
        out = self.front_m - behind_m
        x = self.origin_m[0] + normal_x * out - normal_y * along_m
        y = self.origin_m[1] + normal_y * out + normal_x * along_m
        return x, y, self.base_m


def compartments(fixture: Place) -> tuple[Compartment, ...]:
    """All compartments of a fixture: the front side from below, then the back side where it has one."""
    sides = [side for side in SIDES if side in fixture.approaches]
    return tuple(
        _compartment(fixture, side, level, len(sides)) for side in sides for level in range(len(fixture.levels_m))
    )


def _compartment(fixture: Place, side: Approach, level: int, sides: int) -> Compartment:
    shell = SHELLS[fixture.form]
    width, depth, _ = fixture.size_m
    front = depth / 2 - shell.lip_m
    rear = shell.back_m if sides == 2 else shell.back_m - depth / 2
    if fixture.form == "produce_stand":
        step = (front - rear) / len(fixture.levels_m)
        front, rear = front - level * step, front - (level + 1) * step
    return Compartment(
        side=side.value,
        level=level,
        yaw_deg=fixture.yaw_deg if side is Approach.FRONT else (fixture.yaw_deg + 360.0) % 360.0 - 180.0,
        origin_m=fixture.center_m,
        base_m=fixture.levels_m[level],
        clear_m=_clear_height(fixture, level),
        width_m=width - 2 * shell.cheek_m,
        front_m=front,
        depth_m=front - rear,
        rows=shell.rows,
    )


def _clear_height(fixture: Place, level: int) -> float:
    """Up to the next board, or to the top; stands are open above, goods in a chest may top its rim a little."""
    base, height = fixture.levels_m[level], fixture.size_m[2]
    if fixture.form == "chest_freezer":
        return height + HEAPED_M - base
    if fixture.form == "produce_stand" or level + 1 == len(fixture.levels_m):
        return height - base
    return fixture.levels_m[level + 1] - BOARD_M - base
