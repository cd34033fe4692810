"""One side of a fixture, with the measures that its builders share."""

from collections.abc import Sequence
from dataclasses import dataclass

from siturec_gym.core.actions import Approach
from siturec_gym.renderers.embedded.mesh import Face, Range
from siturec_gym.scenes.interiors import SHELLS, Compartment
from siturec_gym.scenes.scene import Place

Part = list[Face]
STRIP_GLOW, FASCIA_GLOW = 1.5, 0.5
PRINT_LIFT_M = 0.002


@dataclass(frozen=True)
class Bay:
    """A side that goods are taken from, in its own axes: x out of the side, y to the shopper's right, z up.

    The origin is the middle of the fixture on the floor. A fixture with two sides is two bays, back to back.

    Attributes:
        fixture: The fixture.
        levels: Free spaces of this side, from below.
    """

    fixture: Place
    levels: Sequence[Compartment]

    @property
    def two_sided(self) -> bool:
        """Whether another bay stands behind this one."""
        return Approach.BACK in self.fixture.approaches

    @property
    def is_first(self) -> bool:
        """Whether this is the fixture's front: what a fixture has once is built with it."""
        return self.levels[0].side == Approach.FRONT.value

    @property
    def front(self) -> float:
        """x of the outer face."""
        return self.fixture.size_m[1] / 2

    @property
    def rear(self) -> float:
        """x where this bay ends: the middle, or the back of a fixture with one side."""
        return 0.0 if self.two_sided else -self.front

    @property
    def back(self) -> float:
        """x of the panel behind the goods."""
        return self.rear + SHELLS[self.fixture.form].back_m

    @property
    def lip(self) -> float:
        """x of the front of the free space."""
        return self.front - SHELLS[self.fixture.form].lip_m

    @property
    def height(self) -> float:
        """Height of the fixture."""
        return self.fixture.size_m[2]

    @property
    def base(self) -> float:
        """Height of the lowest level."""
        return self.levels[0].base_m

    @property
    def inner(self) -> Range:
        """y between the end panels."""
        half = self.fixture.size_m[0] / 2 - SHELLS[self.fixture.form].cheek_m
        return -half, half

    @property
    def ends(self) -> tuple[Range, Range]:
        """y of the left and of the right end panel."""
        half, inner = self.fixture.size_m[0] / 2, self.inner[1]
        return (-half, -inner), (inner, half)

    @property
    def hidden_back(self) -> str:
        """The side of a full-depth part that the other bay covers."""
        return "back" if self.two_sided else ""


def sign_texture(text: str, size_m: tuple[float, float], color: str = "") -> str:
    """Name of the texture of a printed sign of that width and height, on a ground "#rrggbb" or the usual green."""
    return f"sign|{size_m[0]:.2f}|{size_m[1]:.2f}|{color}|{text}"
