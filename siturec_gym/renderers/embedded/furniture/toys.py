"""Toys."""

from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.legs import legs
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    facing,
    fitted,
    leaned,
    mirrored,
    moved,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import Vector, quad

_BLACK, _WHITE = finish("plain", "#222224"), finish("plain", "#f2f0ea")


def toy(look: Look) -> Part:
    """Building blocks, a train, a dollhouse, a bear, a pedal car or a rocking horse."""
    return fitted(chosen(_TOYS, look.shape["what"], "toy")(look), look.size)


def wheel(at: Vector, radius: float, thick: float, tyre: str, hub: str) -> Part:
    """A wheel in the plane of x and z, seen from both sides of y."""
    rim = leaned(disc((-thick / 2, thick / 2), radius, tyre, 10, top=hub), 90.0)
    back = leaned(disc((-thick / 2, thick / 2), radius, tyre, 10, top=hub)[-1:], -90.0)
    return moved(rim + back, at)


def _blocks(look: Look) -> Part:
    """A wooden box heaped with coloured blocks."""
    half_x, half_y, wood = look.depth / 2, look.width / 2, finish("wood", "#d3b27a")
    box = block((-half_x, half_x), (-half_y, half_y), (0.0, 0.08), wood, "")
    colors = [look.paint("plain", k) for k in range(3)]
    heap: Part = []
    for k in range(6):
        y, x = (k % 3 - 1) * half_y * 0.6, (k // 3 - 0.5) * half_x * 0.9
        heap += block((x - 0.035, x + 0.035), (y - 0.035, y + 0.035), (0.07, 0.13), colors[k % 3])
    heap += block((-0.03, 0.03), (-0.08, -0.02), (0.13, look.height), colors[2])
    return box + heap + turned(((0.13, 0.035), (look.height * 0.96, 0.035)), colors[1], 8, (0.0, 0.05, 0.0))


def _train(look: Look) -> Part:
    """An engine and two wagons on an oval track."""
    half_x, half_y, wood = look.depth / 2, look.width / 2, look.paint("wood", 2)
    corners = [(half_x * 0.6, -half_y), (half_x, -half_y * 0.6), (half_x, half_y * 0.6), (half_x * 0.6, half_y)]
    ring = [*corners, *[(-x, y) for x, y in reversed(corners)]]
    track: Part = []
    for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1], strict=True):
        track += bar((x0 * 0.94, y0 * 0.94, 0.008), (x1 * 0.94, y1 * 0.94, 0.008), 0.03, wood)
    cars: Part = []
    for k, y in enumerate((0.13, 0.0, -0.12)):
        paint = look.paint("plain", k % 2)
        x = half_x * 0.88
        cars += block((x - 0.03, x + 0.03), (y - 0.05, y + 0.05), (0.03, 0.075), paint, "")
        for wy in (y - 0.03, y + 0.03):
            cars += moved(disc((0.0, 0.01), 0.018, _BLACK, 6), (x + 0.03, wy, 0.02))
    engine = block((half_x * 0.88 - 0.03, half_x * 0.88 + 0.03), (0.08, 0.12), (0.075, 0.13), look.paint("plain"))
    funnel = turned(((0.075, 0.012), (look.height, 0.018)), _BLACK, 6, (half_x * 0.88, 0.16, 0.0))
    return track + cars + engine + funnel


def _dollhouse(look: Look) -> Part:
    """Four furnished rooms under a pitched roof."""
    half_x, half_y, eaves = look.depth / 2, look.width / 2, 0.68 * look.height
    shell = block((-half_x, half_x), (-half_y, half_y), (0.0, eaves), look.paint("plain"), "bottom front")
    front = [(half_x, -half_y, eaves), (half_x, -half_y, 0.0), (half_x, half_y, 0.0), (half_x, half_y, eaves)]
    rooms = [quad(front, pattern("rooms", look.colors))]
    ridge, roof = look.height, look.paint("plain", 2)
    slopes: Part = []
    for sign in (1.0, -1.0):
        slope = [
            (-half_x, 0.0, ridge),
            (-half_x, sign * half_y * 1.04, eaves),
            (half_x, sign * half_y * 1.04, eaves),
            (half_x, 0.0, ridge),
        ]
        slopes.append(quad(slope if sign < 0 else slope[::-1], roof))
    gable = [(half_x, 0.0, ridge), (half_x, -half_y, eaves), (half_x, half_y, eaves), (half_x, 0.001, ridge)]
    return shell + rooms + slopes + [quad(gable, look.paint("plain"))]


def _bear(look: Look) -> Part:
    """A teddy bear that sits."""
    fur, pale, height = look.body, look.accent, look.height
    body = ball((0.0, 0.0, 0.34 * height), 0.24 * height, fur, 8, 1.25)
    belly = facing(ball((0.07, 0.0, 0.34 * height), 0.19 * height, pale, 8, 1.2))
    head = ball((0.02, 0.0, 0.76 * height), 0.19 * height, fur, 8)
    snout = facing(ball((0.2 * height, 0.0, 0.72 * height), 0.08 * height, pale, 6, bands=3))
    nose = facing(ball((0.27 * height, 0.0, 0.745 * height), 0.03 * height, _BLACK, 4, bands=2))
    return body + belly + head + snout + nose + mirrored(_side_of_bear(fur, pale, height))


def _side_of_bear(fur: str, pale: str, height: float) -> Part:
    """An ear, an eye, an arm and a leg with its sole."""
    ear = _standing(disc((-0.02, 0.02), 0.075 * height, fur, 6, top=pale), (0.0, 0.15 * height, 0.93 * height))
    eye = _standing(disc((0.0, 0.01), 0.024 * height, _BLACK, 5)[-1:], (0.19 * height, 0.075 * height, 0.81 * height))
    shoulder, paw = (0.0, 0.2 * height, 0.52 * height), (0.14, 0.34 * height, 0.32 * height)
    hip, heel = (0.06, 0.14 * height, 0.1 * height), (0.3 * height, 0.2 * height, 0.1 * height)
    arm = bar(shoulder, paw, 0.14 * height, fur, 0.1 * height) + ball(paw, 0.07 * height, fur, 5, bands=2)
    leg = bar(hip, heel, 0.17 * height, fur)
    sole = _standing(disc((-0.04, 0.01), 0.11 * height, fur, 7, top=pale), heel)
    return ear + eye + arm + leg + sole


def _standing(faces: Part, at: Vector) -> Part:
    """A disc set upright, its upper side to the front."""
    return moved(tilted(faces, -90.0), at)


def _pedal_car(look: Look) -> Part:
    """A red racer with a seat, a steering wheel and four wheels."""
    half_x, half_y, paint = look.depth / 2, look.width / 2, look.paint("plain")
    body = block((-half_x * 0.9, half_x * 0.86), (-half_y * 0.7, half_y * 0.7), (0.12, 0.32), paint, "")
    nose = block((half_x * 0.86, half_x), (-half_y * 0.5, half_y * 0.5), (0.14, 0.28), finish("metal", "#c4c8cb"), "")
    seat = block((-half_x * 0.7, half_x * 0.1), (-half_y * 0.5, half_y * 0.5), (0.32, 0.325), _BLACK)
    back = block((-half_x * 0.8, -half_x * 0.68), (-half_y * 0.6, half_y * 0.6), (0.32, look.height), paint)
    steering = moved(disc((0.0, 0.02), 0.09, _BLACK, 10), (half_x * 0.16, 0.0, 0.42))
    stem = bar((half_x * 0.3, 0.0, 0.3), (half_x * 0.16, 0.0, 0.42), 0.02, _BLACK)
    number = moved(leaned(disc((0.0, 0.004), 0.08, _WHITE, 10), -90.0), (half_x * 0.4, -half_y * 0.7, 0.22))
    wheels = [
        f
        for x in (half_x * 0.62, -half_x * 0.6)
        for y in (half_y * 0.86, -half_y * 0.86)
        for f in wheel((x, y, 0.13), 0.13, 0.07, _BLACK, finish("metal", "#d8dadc"))
    ]
    return body + nose + seat + back + steering + stem + number + wheels


def _rocking_horse(look: Look) -> Part:
    """A plush horse on curved runners."""
    half_x, half_y, fur, height = look.depth / 2, look.width / 2, look.body, look.height
    runners = legs("rockers", half_x, half_y, 0.28, look.paint("wood", 2))
    body = block((-half_x * 0.5, half_x * 0.45), (-half_y * 0.5, half_y * 0.5), (0.28, 0.46), fur, "")
    neck = bar((half_x * 0.38, 0.0, 0.4), (half_x * 0.62, 0.0, height - 0.08), 0.15, fur, 0.1)
    head = bar((half_x * 0.52, 0.0, height - 0.05), (half_x * 0.98, 0.0, height - 0.17), 0.12, fur, 0.08)
    mane = bar((half_x * 0.24, 0.0, 0.46), (half_x * 0.48, 0.0, height), 0.06, look.accent)
    tail = bar((-half_x * 0.5, 0.0, 0.44), (-half_x * 0.8, 0.0, 0.22), 0.06, look.accent, 0.03)
    ear = bar((half_x * 0.54, 0.04, height - 0.04), (half_x * 0.52, 0.05, height), 0.03, fur, 0.01)
    eye = ball((half_x * 0.7, 0.055, height - 0.07), 0.014, _BLACK, 4)
    saddle = block(
        (-half_x * 0.2, half_x * 0.2), (-half_y * 0.54, half_y * 0.54), (0.4, 0.475), finish("leather", "#a03a2c")
    )
    return runners + body + neck + head + mane + tail + mirrored(ear + eye) + saddle


_TOYS: dict[str, Callable[[Look], Part]] = {
    "blocks in a box": _blocks, "train on an oval track": _train, "dollhouse": _dollhouse, "teddy bear": _bear,
    "pedal car": _pedal_car, "rocking horse": _rocking_horse,
}  # fmt: skip
