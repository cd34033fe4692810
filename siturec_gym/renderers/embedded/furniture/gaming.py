"""Game consoles and what players hold and wear."""

import math
from collections.abc import Callable
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.finishes import finish
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    ball,
    bar,
    block,
    disc,
    fitted,
    glowing,
    leaned,
    mirrored,
    moved,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import box, quad

_BLACK = finish("plain", "#1c1d20")


def console(look: Look) -> Part:
    """A console or a piece of gaming gear."""
    return fitted(chosen(_GEAR, look.shape["what"], "gaming gear")(look), look.size)


def _upright(look: Look) -> Part:
    """Two pale shells around a dark core, with a line of light."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    core = block((-half_x * 0.9, half_x * 0.9), (-0.05, 0.05), (0.0, height * 0.94), look.paint("plain", 1))
    shell = block((-half_x, half_x), (0.05, 0.075), (0.02, height), look.paint("plain"), "")
    strip = glowing(
        block((half_x * 0.88, half_x * 0.93), (0.04, 0.052), (0.03, height * 0.9), look.paint("plain", 2)), 0.9
    )
    slot = block((half_x * 0.9, half_x * 0.91), (-0.02, 0.02), (height * 0.3, height * 0.7), _BLACK, "back")
    pad = moved(_pad_body(look.paint("plain"), look.paint("plain", 1)), (half_x * 0.6, half_y * 0.66, 0.03))
    return core + mirrored(shell + strip) + slot + pad


def _pad_body(paint: str, dark: str) -> Part:
    """A game pad lying flat: two grips, two sticks, buttons."""
    body = block((-0.03, 0.03), (-0.05, 0.05), (-0.02, 0.01), paint, "")
    grip = bar((0.0, 0.045, -0.005), (0.045, 0.07, -0.015), 0.035, paint, 0.025)
    stick = disc((0.01, 0.022), 0.012, dark, 6, (0.01, 0.025, 0.0))
    buttons = [
        f
        for k, c in enumerate(("#d94f3d", "#3f7fc1", "#f0c23c"))
        for f in disc((0.01, 0.014), 0.006, finish("plain", c), 5, (-0.012, 0.025 + 0.012 * (k - 1), 0.0))
    ]
    return body + mirrored(grip + stick) + buttons


def _flat(look: Look) -> Part:
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    body = block((-half_x, half_x), (-half_y, half_y), (0.006, height), look.paint("plain"), "")
    band = block(
        (half_x, half_x + 0.002),
        (-half_y * 0.9, half_y * 0.9),
        (height * 0.45, height * 0.55),
        look.paint("plain", 1),
        "back",
    )
    light = glowing(
        block(
            (half_x + 0.001, half_x + 0.004),
            (half_y * 0.5, half_y * 0.62),
            (height * 0.44, height * 0.6),
            look.paint("plain", 2),
            "back",
        ),
        1.0,
    )
    grille = quad(
        [
            (-half_x * 0.8, -half_y * 0.8, height + 0.001),
            (half_x * 0.8, -half_y * 0.8, height + 0.001),
            (half_x * 0.8, 0.0, height + 0.001),
            (-half_x * 0.8, 0.0, height + 0.001),
        ],
        look.paint("mesh", 1),
    )
    return [*body, *band, *light, grille]


def _handheld(look: Look) -> Part:
    """A screen between a red and a blue grip, leaning on its stand."""
    half_y, height, thick = look.width / 2, look.height, 0.016
    screen = quad(
        [
            (thick + 0.001, -half_y * 0.62, height * 0.92),
            (thick + 0.001, -half_y * 0.62, height * 0.08),
            (thick + 0.001, half_y * 0.62, height * 0.08),
            (thick + 0.001, half_y * 0.62, height * 0.92),
        ],
        pattern("screen", look.colors),
    )
    middle = block((0.0, thick), (-half_y * 0.7, half_y * 0.7), (0.0, height), look.paint("plain", 1), "")
    left = block((0.0, thick + 0.006), (-half_y, -half_y * 0.7), (0.0, height), look.paint("plain"), "")
    right = block((0.0, thick + 0.006), (half_y * 0.7, half_y), (0.0, height), look.paint("plain", 2), "")
    stick = moved(tilted(disc((0.0, 0.012), 0.014, _BLACK, 6), -90.0), (thick + 0.006, -half_y * 0.85, height * 0.7))
    other = moved(tilted(disc((0.0, 0.012), 0.014, _BLACK, 6), -90.0), (thick + 0.006, half_y * 0.85, height * 0.35))
    return tilted([*middle, screen, *left, *right, *stick, *other], 20.0)


def _retro(look: Look) -> Part:
    """A grey box with a cartridge in its slot and two red buttons."""
    half_x, half_y = look.depth / 2, look.width / 2
    base = block((-half_x, half_x), (-half_y, half_y), (0.0, 0.055), look.paint("plain"), "")
    deck = block((-half_x * 0.9, half_x * 0.3), (-half_y * 0.7, half_y * 0.7), (0.055, 0.07), look.paint("plain", 2))
    cartridge = block(
        (-half_x * 0.4, -half_x * 0.1), (-half_y * 0.45, half_y * 0.45), (0.07, look.height), look.paint("plain", 2)
    )
    label = block(
        (-half_x * 0.1, -half_x * 0.09),
        (-half_y * 0.36, half_y * 0.36),
        (0.075, look.height - 0.005),
        pattern("screen", look.colors),
        "back",
    )
    buttons = [
        f
        for y in (-0.07, 0.07)
        for f in block((half_x * 0.5, half_x * 0.7), (y - 0.02, y + 0.02), (0.055, 0.066), look.paint("plain", 1))
    ]
    return base + deck + cartridge + label + buttons


def _arcade(look: Look) -> Part:
    """A small cabinet: marquee, screen, a stick and buttons."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    body = block((-half_x, half_x * 0.35), (-half_y, half_y), (0.0, height), look.paint("plain"), "")
    deck = block((half_x * 0.3, half_x), (-half_y, half_y), (0.0, 0.3 * height), look.paint("plain"), "")
    front = half_x * 0.35 + 0.002
    screen = quad(
        [
            (front, -half_y * 0.8, 0.8 * height),
            (front, -half_y * 0.8, 0.36 * height),
            (front, half_y * 0.8, 0.36 * height),
            (front, half_y * 0.8, 0.8 * height),
        ],
        pattern("screen", look.colors),
        glow=0.4,
    )
    marquee = glowing(
        block((front, front + 0.03), (-half_y, half_y), (0.84 * height, height), look.paint("plain", 1), "back"), 0.5
    )
    stick = bar(
        (half_x * 0.7, -half_y * 0.45, 0.3 * height), (half_x * 0.7, -half_y * 0.45, 0.38 * height), 0.012, _BLACK
    )
    stick += ball((half_x * 0.7, -half_y * 0.45, 0.4 * height), 0.018, finish("plain", "#c8281f"), 6)
    buttons = [
        f
        for k in range(3)
        for f in disc(
            (0.3 * height, 0.32 * height),
            0.016,
            look.paint("plain", 1),
            6,
            (half_x * 0.7, half_y * (0.05 + 0.3 * k), 0.0),
        )
    ]
    return [*body, *deck, screen, *marquee, *stick, *buttons]


def _headset(look: Look) -> Part:
    """Two ear cups and a bow on a stand, with a microphone."""
    height, radius, paint = look.height, look.width * 0.42, look.paint("plain")
    stand = disc((0.0, 0.012), 0.055, look.paint("plain", 2), 8) + bar(
        (-0.02, 0.0, 0.01), (-0.02, 0.0, height * 0.93), 0.02, look.paint("plain", 2)
    )
    middle = height - radius
    arc = [(radius * math.cos(a), middle + radius * math.sin(a)) for a in [k * math.pi / 6 for k in range(7)]]
    bow: Part = []
    for (y0, z0), (y1, z1) in pairwise(arc):
        bow += bar((0.0, y0, z0), (0.0, y1, z1), 0.024, paint)
    cup = moved(
        leaned(disc((-0.02, 0.02), 0.045, paint, 8, top=look.paint("plain", 1)), 90.0),
        (0.0, radius - 0.005, middle - 0.03),
    )
    mic = bar((0.0, -radius, middle - 0.05), (0.07, -radius * 0.6, middle - 0.09), 0.01, look.paint("plain", 1))
    return stand + bow + mirrored(cup) + mic


def _keyboard(look: Look) -> Part:
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    slab = box(
        (-half_x, half_x),
        (-half_y, half_y),
        (0.0, 0.03),
        look.paint("plain"),
        "bottom",
        printed={"top": pattern("keys", look.colors)},
    )
    lean = tilted(slab, -12.0, (half_x, 0.0))
    return [*lean, *block((-half_x, -half_x + 0.02), (-half_y * 0.9, half_y * 0.9), (0.0, height * 0.5), _BLACK)]


def _controller(look: Look) -> Part:
    """A game pad upright on a small stand."""
    pad = moved(tilted(_pad_body(look.paint("plain"), look.paint("plain", 2)), -60.0), (0.0, 0.0, 0.08))
    return (
        pad
        + block((-0.05, 0.02), (-0.04, 0.04), (0.0, 0.015), look.paint("plain", 1))
        + bar((-0.03, 0.0, 0.015), (-0.01, 0.0, 0.06), 0.03, look.paint("plain", 1))
    )


def _racing_wheel(look: Look) -> Part:
    """A steering wheel on its base; pedals before it."""
    height, radius = look.height, 0.14
    base = block((-0.14, 0.0), (-0.1, 0.1), (0.0, 0.14), look.paint("plain"))
    middle = height - radius - 0.01
    rim = [(radius * math.cos(a), middle + radius * math.sin(a)) for a in [k * math.pi / 5 for k in range(11)]]
    wheel: Part = []
    for (y0, z0), (y1, z1) in pairwise(rim):
        wheel += bar((0.05, y0, z0), (0.05, y1, z1), 0.03, look.paint("leather"))
    spokes = bar((0.05, -radius, middle), (0.05, radius, middle), 0.035, look.paint("metal", 2)) + bar(
        (0.05, 0.0, middle), (0.05, 0.0, middle - radius), 0.035, look.paint("metal", 2)
    )
    hub = moved(tilted(disc((0.0, 0.02), 0.04, look.paint("plain", 1), 8), -90.0), (0.05, 0.0, middle))
    mark = block(
        (0.04, 0.068), (-0.012, 0.012), (middle + radius - 0.016, middle + radius + 0.016), look.paint("plain", 1)
    )
    pedals = [
        f
        for y in (-0.17, -0.13, 0.15)
        for f in tilted(
            block((0.12, 0.135), (y - 0.016, y + 0.016), (0.01, 0.1), look.paint("metal", 2), ""), 20.0, (0.12, 0.0)
        )
    ]
    return (
        base
        + wheel
        + spokes
        + hub
        + mark
        + pedals
        + bar((-0.02, 0.0, 0.12), (0.05, 0.0, middle), 0.04, look.paint("plain"))
    )


def _goggles(look: Look) -> Part:
    """A visor with a strap around a stand's head."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    visor = block((0.01, half_x), (-half_y, half_y), (height * 0.35, height * 0.95), look.paint("plain"), "")
    lens = block(
        (half_x, half_x + 0.003),
        (-half_y * 0.8, half_y * 0.8),
        (height * 0.45, height * 0.85),
        finish("glass", "#1d2126"),
        "back",
    )
    strap = mirrored(
        block((-half_x, 0.01), (half_y - 0.01, half_y), (height * 0.5, height * 0.8), look.paint("cloth", 1), "")
    )
    rear = block(
        (-half_x, -half_x + 0.01), (-half_y, half_y), (height * 0.45, height * 0.85), look.paint("cloth", 1), ""
    )
    stand = turned(((0.0, 0.06), (0.015, 0.06), (0.02, 0.02), (height * 0.6, 0.02)), look.paint("plain", 2), 8)
    return visor + lens + strap + rear + stand


_GEAR: dict[str, Callable[[Look], Part]] = {
    "upright console": _upright, "flat console": _flat, "handheld": _handheld, "cartridge console": _retro,
    "tabletop arcade": _arcade, "headset on a stand": _headset, "keyboard": _keyboard,
    "controller on a stand": _controller, "racing wheel": _racing_wheel, "goggles": _goggles,
}  # fmt: skip
