"""Legs of chairs, sofas and tables: from the floor to a height, set in from the corners of a plan."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from siturec_gym.renderers.embedded.furniture.look import chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, bar, block, disc, mirrored, moved, spun, turned

_SLIM_M, _STOUT_M, _BUN_FOOT_M = 0.035, 0.06, 0.2


def legs(kind: str, half_x: float, half_y: float, top_m: float, finish: str) -> Part:
    """The legs of that kind under a plan of 2 ``half_x`` by 2 ``half_y``.

    Raises:
        ValueError: There is no such kind.
    """
    return chosen(_KINDS, kind, "legs")(half_x, half_y, top_m, finish)


def _four(half_x: float, half_y: float, top: float, finish: str) -> Part:
    x, y = half_x - 0.03, half_y - 0.03
    return mirrored([face for sx in (x, -x) for face in bar((sx, y, 0.0), (sx, y, top), _SLIM_M, finish)])


def _stout(half_x: float, half_y: float, top: float, finish: str) -> Part:
    x, y = half_x - 0.06, half_y - 0.06
    return mirrored([face for sx in (x, -x) for face in bar((sx, y, 0.0), (sx, y, top), _STOUT_M, finish)])


def _splayed(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """Slanting outwards to the floor, tapered."""
    part: Part = []
    for sign in (1.0, -1.0):
        foot = sign * (half_x - 0.02), half_y - 0.02, 0.0
        part += bar(foot, (sign * (half_x - 0.07), half_y - 0.07, top), 0.024, finish, 0.045)
    return mirrored(part)


def _cabriole(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """Curved: a knee that leans out over a foot that leans in."""
    part: Part = []
    for sign in (1.0, -1.0):
        knee = (sign * (half_x - 0.02), half_y - 0.02, 0.62 * top)
        ankle = (sign * (half_x - 0.06), half_y - 0.06, 0.14 * top)
        part += bar(ankle, knee, 0.024, finish, 0.055)
        part += bar(knee, (sign * (half_x - 0.045), half_y - 0.045, top), 0.055, finish, 0.05)
        part += bar((sign * (half_x - 0.02), half_y - 0.02, 0.0), ankle, 0.04, finish, 0.024)
    return mirrored(part)


def _turned_legs(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """Vase-shaped; short ones are bun feet."""
    profile: Sequence[tuple[float, float]] = ((0.0, 0.022), (0.5 * top, 0.036), (top, 0.026))
    if top > _BUN_FOOT_M:
        profile = ((0.0, 0.016), (0.12 * top, 0.03), (0.3 * top, 0.018), (0.75 * top, 0.032), (top, 0.03))
    x, y = half_x - 0.05, half_y - 0.05
    return mirrored([face for sx in (x, -x) for face in turned(profile, finish, 5, (sx, y, 0.0))[:-1]])


def _sled(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """A bent tube on either side: down, along the floor, up."""
    x, y, thick = half_x - 0.02, half_y - 0.02, 0.025
    part = bar((x, y, thick / 2), (-x, y, thick / 2), thick, finish)
    part += bar((x, y, 0.0), (x, y, top), thick, finish)
    return mirrored(part + bar((-x, y, 0.0), (-x, y, top), thick, finish))


def _rockers(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """Four legs on two curved runners."""
    y, lift = half_y - 0.04, 0.05
    points = [(half_x, lift + 0.05), (half_x * 0.5, 0.02), (-half_x * 0.5, 0.02), (-half_x, lift + 0.07)]
    part: Part = []
    for (x0, z0), (x1, z1) in pairwise(points):
        part += bar((x0, y, z0), (x1, y, z1), 0.04, finish)
    for x in (half_x * 0.55, -half_x * 0.55):
        part += bar((x, y, 0.03), (x * 0.85, y, top), 0.032, finish)
    return mirrored(part)


def _castors(_: float, half_y: float, top: float, finish: str) -> Part:
    """A gas column on a star of five feet with wheels."""
    reach = half_y * 0.92
    part = turned(((0.1, 0.03), (top, 0.024)), finish, 6)
    for k in range(5):
        foot = [
            *bar((0.0, 0.0, 0.1), (reach, 0.0, 0.065), 0.05, finish, 0.03),
            *disc((0.0, 0.05), 0.028, finish, 6, (reach, 0.0, 0.0)),
        ]
        part += spun(foot, 72.0 * k + 36.0)
    return part


def _disc(_: float, half_y: float, top: float, finish: str) -> Part:
    return disc((0.0, 0.025), half_y * 0.72, finish, 12) + turned(((0.025, 0.035), (top, 0.035)), finish, 6)


def _none(_x: float, _y: float, _top: float, _finish: str) -> Part:
    return []


def _plinth(half_x: float, half_y: float, top: float, finish: str) -> Part:
    return block((-half_x + 0.03, half_x - 0.03), (-half_y + 0.02, half_y - 0.02), (0.0, top), finish, "bottom top")


def _t_legs(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """A foot and a column on either side."""
    y = half_y - 0.2
    foot = block((-half_x + 0.03, half_x - 0.03), (y - 0.035, y + 0.035), (0.0, 0.04), finish)
    return mirrored(foot + block((-0.05, 0.05), (y - 0.03, y + 0.03), (0.04, top), finish, "bottom top"))


def _frame(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """A cage of thin bars."""
    x, y, thick = half_x - 0.02, half_y - 0.02, 0.028
    part: Part = []
    for sx in (x, -x):
        part += bar((sx, y, 0.0), (sx, y, top), thick, finish)
    part += bar((x, y, 0.03), (-x, y, 0.03), thick, finish)
    return mirrored(part) + bar((-x, -y, 0.03), (-x, y, 0.03), thick, finish)


def _pedestal(half_x: float, half_y: float, top: float, finish: str) -> Part:
    radius = 0.42 * min(half_x, half_y)
    return turned(
        ((0.0, radius * 1.5), (0.06 * top, radius * 1.4), (0.2 * top, radius * 0.6), (top, radius)), finish, 10
    )


def _claw(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """A turned column on three curved feet."""
    reach = 0.62 * min(half_x, half_y)
    part = turned(((0.2 * top, 0.06), (0.45 * top, 0.085), (0.65 * top, 0.045), (top, 0.07)), finish, 8)
    for k in range(3):
        foot = bar((0.0, 0.0, 0.34 * top), (reach * 0.6, 0.0, 0.2 * top), 0.06, finish, 0.05)
        foot += bar((reach * 0.6, 0.0, 0.2 * top), (reach, 0.0, 0.025), 0.05, finish, 0.06)
        part += spun(foot, 120.0 * k)
    return part


def circle(count: int, radius: float) -> list[tuple[float, float]]:
    """Points spread evenly on a circle, the first ahead."""
    return [
        (radius * math.cos(2.0 * math.pi * k / count), radius * math.sin(2.0 * math.pi * k / count))
        for k in range(count)
    ]


def leaning_pair(half_x: float, half_y: float, top: float, finish: str) -> Part:
    """Two rails that lean against a wall, their feet in front."""
    y = half_y - 0.02
    return mirrored(moved(bar((half_x - 0.02, 0.0, 0.0), (-half_x + 0.02, 0.0, top), 0.035, finish), (0.0, y, 0.0)))


_KINDS: dict[str, Callable[[float, float, float, str], Part]] = {
    "four": _four, "short": _four, "block": _stout, "block legs": _stout, "splayed": _splayed, "cabriole": _cabriole,
    "turned": _turned_legs, "metal sled": _sled, "rockers": _rockers, "five castors": _castors, "castors": _four,
    "disc": _disc, "none": _none, "plinth": _plinth, "t-legs": _t_legs, "metal frame": _frame, "pedestal": _pedestal,
    "claw pedestal": _claw, "leaning": leaning_pair,
}  # fmt: skip
