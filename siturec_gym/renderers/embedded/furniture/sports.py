"""Sports gear."""

from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    fitted,
    leaned,
    mirrored,
    moved,
    turned,
)
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.furniture.toys import wheel

_BLACK, _STEEL = finish("plain", "#222224"), finish("metal", "#b8bcc0")


def sports(look: Look) -> Part:
    """A ball, weights, a mat, a skateboard or an exercise bike."""
    return fitted(chosen(_GEAR, look.shape["what"], "sports gear")(look), look.size)


def _ball(look: Look, name: str) -> Part:
    radius = look.width / 2
    return ball((0.0, 0.0, radius), radius, pattern(name, look.colors), 12)


def _dumbbells(look: Look) -> Part:
    """Two short bars with six-sided weights."""
    part: Part = []
    for x in (-look.depth * 0.26, look.depth * 0.26):
        part += bar((x, -0.06, 0.06), (x, 0.06, 0.06), 0.028, _STEEL)
        for y in (-0.11, 0.11):
            head = leaned(disc((-0.045, 0.045), 0.065, look.body, 6), 90.0)
            back = leaned(disc((-0.045, 0.045), 0.065, look.body, 6)[-1:], -90.0)
            part += moved(head + back, (x, y, 0.065))
    return part


def _kettlebell(look: Look) -> Part:
    radius, height = look.width * 0.5, look.height
    body = turned(
        ((0.0, radius * 0.6), (0.2 * height, radius), (0.42 * height, radius), (0.62 * height, radius * 0.5)),
        look.paint("plain"),
        10,
    )
    band = turned(((0.18 * height, radius * 1.005), (0.26 * height, radius * 1.01)), look.paint("plain", 1), 10)
    post = bar((0.0, radius * 0.5, 0.55 * height), (0.0, radius * 0.62, 0.95 * height), 0.032, look.paint("metal", 2))
    return (
        body
        + band
        + mirrored(post)
        + bar((0.0, -radius * 0.62, 0.95 * height), (0.0, radius * 0.62, 0.95 * height), 0.034, look.paint("metal", 2))
    )


def _yoga_mat(look: Look) -> Part:
    """A roll, its spiral at the ends, held by a strap."""
    radius, half_y = look.depth / 2, look.width / 2
    roll = leaned(disc((-half_y, half_y), radius, look.body, 10, top=look.paint("cork", 1)), 90.0)
    back = leaned(disc((-half_y, half_y), radius, look.body, 10, top=look.paint("cork", 1))[-1:], -90.0)
    straps = [
        f
        for y in (-0.5, 0.5)
        for f in moved(
            leaned(disc((-0.02, 0.02), radius * 1.03, look.paint("cloth", 2), 10)[:-1], 90.0), (0.0, y * half_y, 0.0)
        )
    ]
    return moved(roll + back + straps, (0.0, 0.0, radius))


def _skateboard(look: Look) -> Part:
    """A deck with raised ends on two axles."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    deck = block(
        (-half_x, half_x), (-half_y * 0.7, half_y * 0.7), (height * 0.6, height * 0.7), look.paint("plain"), ""
    )
    tip = bar((0.0, half_y * 0.68, height * 0.65), (0.0, half_y, height * 0.95), 0.02, look.paint("plain", 1))
    ends = [f for x in (-half_x * 0.7, -half_x * 0.25, half_x * 0.25, half_x * 0.7) for f in moved(tip, (x, 0.0, 0.0))]
    stripe = block(
        (-half_x * 0.4, half_x * 0.4),
        (-half_y * 0.5, half_y * 0.5),
        (height * 0.7, height * 0.71),
        look.paint("plain", 1),
    )
    wheels: Part = []
    for y in (-0.5, 0.5):
        wheels += bar(
            (-half_x * 0.8, y * half_y, height * 0.36), (half_x * 0.8, y * half_y, height * 0.36), 0.02, _STEEL
        )
        for x in (-half_x * 0.85, half_x * 0.85):
            wheels += block(
                (x - 0.018, x + 0.018),
                (y * half_y - 0.03, y * half_y + 0.03),
                (0.0, height * 0.44),
                look.paint("plain", 2),
                "",
            )
    return deck + mirrored(ends) + stripe + wheels


def _bike(look: Look) -> Part:
    """A frame with a flywheel, a saddle, pedals and handlebars."""
    half_x, half_y, height, frame = look.depth / 2, look.width / 2, look.height, look.body
    feet = [f for x in (-half_x * 0.9, half_x * 0.9) for f in bar((x, -half_y, 0.03), (x, half_y, 0.03), 0.06, _BLACK)]
    legs = bar((-half_x * 0.9, 0.0, 0.05), (half_x * 0.3, 0.0, height * 0.6), 0.05, frame)
    legs += bar((half_x * 0.9, 0.0, 0.05), (-half_x * 0.2, 0.0, height * 0.55), 0.05, frame)
    fly = wheel((half_x * 0.35, 0.0, 0.34), 0.2, 0.06, _BLACK, look.paint("plain", 2))
    post = bar((-half_x * 0.3, 0.0, height * 0.45), (-half_x * 0.42, 0.0, height * 0.72), 0.045, _STEEL)
    saddle = block((-half_x * 0.68, -half_x * 0.1), (-0.1, 0.1), (height * 0.72, height * 0.78), _BLACK, "")
    stem = bar((half_x * 0.3, 0.0, height * 0.58), (half_x * 0.42, 0.0, height * 0.94), 0.045, frame)
    bars = bar(
        (half_x * 0.42, -half_y * 0.9, height * 0.94), (half_x * 0.42, half_y * 0.9, height * 0.94), 0.035, _BLACK
    )
    panel = block((half_x * 0.44, half_x * 0.48), (-0.08, 0.08), (height * 0.9, height), _BLACK, "")
    pedals = bar((half_x * 0.1, -0.14, 0.3), (half_x * 0.1, 0.14, 0.3), 0.035, _BLACK)
    return feet + legs + fly + post + saddle + stem + bars + panel + pedals


_GEAR: dict[str, Callable[[Look], Part]] = {
    "basketball": lambda look: _ball(look, "basketball"), "soccer ball": lambda look: _ball(look, "soccer"),
    "dumbbell pair": _dumbbells, "kettlebell": _kettlebell, "rolled mat": _yoga_mat, "skateboard": _skateboard,
    "exercise bike": _bike,
}  # fmt: skip
