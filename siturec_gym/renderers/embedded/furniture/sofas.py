"""Sofas and ottomans."""

from siturec_gym.renderers.embedded.furniture.chair_backs import button
from siturec_gym.renderers.embedded.furniture.legs import legs
from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import (
    Part,
    back_cushion,
    bar,
    block,
    cushion,
    fitted,
    mirrored,
    moved,
    tilted,
    turned,
)
from siturec_gym.renderers.embedded.mesh import Range


def sofa(look: Look) -> Part:
    """A base, seat cushions, a back and arms."""
    half_x, half_y, seat = look.depth / 2, look.width / 2, float(look.shape["seat_m"])
    arms = str(look.shape["arms"])
    inset = 0.0 if arms == "none" else 0.06 if arms == "open wood" else 0.15
    left = -half_y + (0.2 if arms == "corner back" else inset)
    right = half_y - (0.0 if arms == "corner back" else inset)
    foot = 0.12
    parts = legs(str(look.shape["legs"]), half_x - 0.03, half_y - 0.03, foot, look.frame)
    parts += block(
        (-half_x, half_x - 0.02), (-half_y if inset == 0 else left, right), (foot, seat - 0.14), look.body, ""
    )
    seats = look.shape["seats"]
    count = max(1, round((right - left) / 0.62)) if seats == "by width" else int(seats)
    step = (right - left) / count
    for k in range(count):
        y = left + k * step + 0.006, left + (k + 1) * step - 0.006
        parts += cushion((-half_x + 0.2, half_x), y, (seat - 0.14, seat), look.body, 0.04)
    parts += _sofa_back(look, seat, (left, right), count)
    return fitted(parts + _sofa_arms(arms, look, seat, inset), look.size)


def _sofa_back(look: Look, seat: float, y: Range, count: int) -> Part:
    half_x, kind, top = look.depth / 2, look.shape["back"], look.height
    if kind == "camel":
        low = block((-half_x, -half_x + 0.16), y, (seat - 0.2, top - 0.18), look.body)
        hump = y[0] + 0.22 * (y[1] - y[0]), y[1] - 0.22 * (y[1] - y[0])
        return low + cushion((-half_x, -half_x + 0.16), hump, (top - 0.2, top), look.body, 0.06)
    part = block((-half_x, -half_x + 0.14), y, (seat - 0.2, top - 0.06), look.body)
    step = (y[1] - y[0]) / count
    for k in range(count):
        ends = y[0] + k * step + 0.008, y[0] + (k + 1) * step - 0.008
        pad = back_cushion(
            (-half_x + 0.13, -half_x + 0.28), ends, (seat, top), look.body, crown_m=0.0 if kind == "tufted" else 0.018
        )
        if kind == "tufted":
            for j in (-1, 0, 1):
                middle = -half_x + 0.282, sum(ends) / 2 + j * step * 0.28, seat + 0.6 * (top - seat)
                pad += button(middle, look.accent)
        part += pad
    return part


def _sofa_arms(kind: str, look: Look, seat: float, inset: float) -> Part:
    half_x, half_y = look.depth / 2, look.width / 2
    if kind == "none":
        return []
    if kind == "corner back":
        return back_cushion((-half_x, half_x), (-half_y, -half_y + 0.18), (0.12, look.height), look.body)
    if kind == "open wood":
        rest, y = seat + 0.2, half_y - inset / 2
        arm = bar((-half_x + 0.05, y, rest), (half_x - 0.03, y, rest), 0.05, look.frame)
        return mirrored(arm + bar((half_x - 0.06, y, 0.1), (half_x - 0.06, y, rest), 0.05, look.frame))
    rest = seat + (0.2 if kind == "track" else 0.24)
    arm = cushion((-half_x, half_x - 0.01), (half_y - inset, half_y), (0.12, rest), look.body, 0.03)
    if kind == "rolled":
        roll = tilted(turned(((-half_x, 0.1), (half_x, 0.1)), look.body, 8), -90.0)
        arm += moved(roll, (0.0, half_y - inset / 2, rest))
    return mirrored(arm)


def ottoman(look: Look) -> Part:
    """Round, box-shaped, a pouf or a bean bag."""
    half_x, half_y, form = look.depth / 2, look.width / 2, str(look.shape["form"])
    radius, height = look.width / 2, look.height
    if form == "pouf":
        rings = ((0.0, radius * 0.7), (0.25 * height, radius), (0.75 * height, radius), (height, radius * 0.62))
        return fitted(turned(rings, look.body, 10), look.size)
    if form == "bag":
        shares = ((0.0, 0.8), (0.22, 1.0), (0.5, 0.86), (0.8, 0.45), (1.0, 0.12))
        return fitted(turned([(z * height, r * radius) for z, r in shares], look.body, 9), look.size)
    lift = 0.1 if look.shape["legs"] != "none" else 0.0
    parts = legs(str(look.shape["legs"]), half_x * 0.8, half_y * 0.9, lift or 0.001, look.frame) if lift else []
    if form == "round":
        return fitted(
            parts + turned(((lift, radius), (height - 0.04, radius), (height, radius - 0.04)), look.body, 12), look.size
        )
    parts += block((-half_x, half_x), (-half_y, half_y), (lift, height - 0.1), look.body)
    top = look.paint("wood", 1) if form == "box with lid" else look.body
    return fitted(parts + cushion((-half_x, half_x), (-half_y, half_y), (height - 0.1, height), top), look.size)
