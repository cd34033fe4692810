"""Lamps fixed to a wall."""

from collections.abc import Callable

from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, ball, bar, block, fitted, glowing, moved, turned
from siturec_gym.renderers.embedded.furniture.shades import BULB_GLOW, SHADE_GLOW, SIDES


def wall_lamp(look: Look) -> Part:
    """A plate on the wall (x at the rear) with a shade before it."""
    height, back = look.height, -look.depth / 2
    plate = block((back, back + 0.02), (-0.05, 0.05), (height * 0.25, height * 0.75), look.frame, "")
    return fitted(plate + chosen(_HEADS, look.shape["shade"], "shade")(look), look.size)


def _box(look: Look) -> Part:
    """A box, lit above and below."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    body = block((-half_x + 0.02, half_x), (-half_y, half_y), (0.0, height), look.body, "top bottom")
    inside = (-half_x + 0.03, half_x - 0.01), (-half_y + 0.01, half_y - 0.01), (0.004, height - 0.004)
    return body + glowing(block(*inside, look.paint("plain", 1), "front back left right"), BULB_GLOW)


def _half_drum(look: Look) -> Part:
    half_y, height = look.width / 2, look.height
    drum = turned(((0.0, half_y), (height, half_y * 0.86)), look.paint("cloth", 1), 12)
    kept = [face for face in drum[:-1] if face.corners[:, 0].mean() > 0.0]
    return glowing(moved(kept, (-look.depth / 2 + 0.02, 0.0, 0.0)), SHADE_GLOW)


def _bar(look: Look) -> Part:
    """A tube of light on an arm, as over a picture."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    arm = bar((-half_x, 0.0, height * 0.5), (half_x - 0.03, 0.0, height * 0.8), 0.016, look.frame)
    tube = block((half_x - 0.05, half_x), (-half_y, half_y), (height - 0.05, height), look.body, "bottom")
    inside = (half_x - 0.045, half_x - 0.005), (-half_y + 0.01, half_y - 0.01), (height - 0.055, height - 0.05)
    return arm + tube + glowing(block(*inside, look.paint("plain", 1), "top"), BULB_GLOW)


def _arm(look: Look) -> Part:
    half_x, height = look.depth / 2, look.height
    return bar((-half_x + 0.02, 0.0, height * 0.5), (half_x * 0.3, 0.0, height * 0.55), 0.018, look.frame)


def _globe(look: Look) -> Part:
    middle = look.depth * 0.15, 0.0, look.height * 0.5
    return _arm(look) + ball(middle, look.width / 2, look.paint("plain"), SIDES, glow=0.8)


def _cone(look: Look) -> Part:
    half_y, height = look.width / 2, look.height
    cone = turned(((0.0, half_y), (height * 0.6, half_y * 0.5)), look.paint("cloth"), SIDES)
    return _arm(look) + moved(glowing(cone, SHADE_GLOW), (look.depth * 0.2, 0.0, height * 0.3))


_HEADS: dict[str, Callable[[Look], Part]] = {
    "box": _box, "half drum": _half_drum, "bar": _bar, "globe": _globe, "cone": _cone,
}  # fmt: skip
