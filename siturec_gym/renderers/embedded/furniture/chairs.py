"""Chairs: a seat, a back, perhaps arms, and legs."""

from siturec_gym.renderers.embedded.furniture.chair_backs import BACKS, PIPE_M
from siturec_gym.renderers.embedded.furniture.legs import legs
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, bar, cushion, fitted, mirrored, moved, tilted, turned
from siturec_gym.renderers.embedded.mesh import Range

_LEAN_DEG = 12.0


def chair(look: Look) -> Part:
    """A seat, a back, perhaps arms, and legs."""
    half_x, half_y, seat = look.depth / 2, look.width / 2, float(look.shape["seat_m"])
    arms, back = str(look.shape["arms"]), str(look.shape["back"])
    pad = 0.05 if back in _BARE_BACKS else 0.14 if arms in _UPHOLSTERED else 0.1
    inset = _arm_width(look) if arms != "none" else 0.0
    plan = (-half_x + 0.08, half_x), (-half_y + inset, half_y - inset)
    base = seat - pad
    parts = legs(str(look.shape["legs"]), half_x * 0.94, half_y * 0.94, base, look.frame)
    parts += cushion(*plan, (base, seat), _seat_finish(look), 0.02 if pad < 0.08 else 0.04)
    if look.shape.get("piping"):
        parts += _piping(plan, seat - 0.05, look.paint("plain", 1))
    if look.shape.get("footrest"):
        parts += tilted(cushion((half_x, half_x + 0.14), plan[1], (0.1, base), look.body), -12.0, (half_x, base))
    parts += _back(back, look, seat, (half_y - inset))
    parts += _arms(arms, look, seat)
    return fitted(parts, look.size)


_BARE_BACKS = ("spindle", "cane", "balloon", "shell", "bear ears", "spindle pad", "none")


_UPHOLSTERED = ("rolled", "track", "tub")


def _arm_width(look: Look) -> float:
    arms = look.shape["arms"]
    return {"open wood": 0.05, "t-arms": 0.06}.get(str(arms), min(0.16, 0.17 * look.width))


def _seat_finish(look: Look) -> str:
    """Chairs of wood with a coloured pad show the pad; mesh chairs have a cloth seat."""
    return look.paint("cloth") if look.shape["back"] == "mesh" else look.body


def _piping(plan: tuple[Range, Range], z: float, finish: str) -> Part:
    """A dark cord around the seat's edge."""
    (x0, x1), (y0, y1) = plan
    front = bar((x1, y0, z), (x1, y1, z), PIPE_M, finish)
    return front + mirrored(bar((x0, y1, z), (x1, y1, z), PIPE_M, finish))


def _back(kind: str, look: Look, seat: float, half_y: float) -> Part:
    """The back of that kind, leaning a little, its foot at the rear of the seat."""
    if kind == "none":
        return []
    foot = -look.depth / 2 + 0.1
    return tilted(chosen(BACKS, kind, "back")(look, seat, half_y, foot), _LEAN_DEG, (foot, seat))


def _arms(kind: str, look: Look, seat: float) -> Part:
    half_x, half_y, width = look.depth / 2, look.width / 2, _arm_width(look)
    rest = seat + min(0.22, 0.55 * (look.height - seat))
    y = half_y - width, half_y
    if kind == "none":
        return []
    if kind in ("open wood", "t-arms"):
        middle = half_y - width / 2
        arm = bar((-half_x + 0.06, middle, rest + 0.02), (half_x - 0.02, middle, rest), width, look.frame)
        front = half_x - 0.06 if kind == "open wood" else 0.0
        foot = 0.1 if kind == "open wood" else seat - 0.05
        return mirrored(arm + bar((front, middle, foot), (front - 0.02, middle, rest), 0.04, look.frame))
    base = 0.1 if kind != "tub" else seat - 0.2
    arm = cushion((-half_x + 0.05, half_x - 0.02), y, (base, rest), look.body, 0.045)
    if kind == "rolled":
        roll = tilted(turned(((-half_x + 0.04, width * 0.62), (half_x, width * 0.62)), look.body, 8), -90.0)
        arm += moved(roll, (0.0, half_y - width / 2, rest))
    return mirrored(arm)
