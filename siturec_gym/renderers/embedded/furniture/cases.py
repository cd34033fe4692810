"""Bookshelves, cabinets, chests and baskets."""

import numpy as np

from siturec_gym.renderers.embedded.furniture.legs import legs
from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, bar, block, disc, ellipse, fitted, mirrored, tilted
from siturec_gym.renderers.embedded.mesh import Range, quad, side_corners
from siturec_gym.renderers.embedded.round import Band, Ring, stack

_BOARD_M = 0.025
_CLOSED_BACKS = ("closed", "hutch")
_BOOKS = ("#7a2f2c", "#2f4a6a", "#3f6a4a", "#b8923f", "#5a4a6e", "#c8c0ae", "#9a5a3a", "#30343c")
_LEGS_M = {
    "plinth": 0.08,
    "four": 0.14,
    "turned": 0.14,
    "castors": 0.06,
    "metal frame": 0.0,
    "leaning": 0.0,
    "none": 0.0,
}


def case(look: Look) -> Part:
    """A carcass of boards with shelves, doors or drawers, and what stands in it."""
    half_x, half_y, kind = look.depth / 2, look.width / 2, str(look.shape["legs"])
    lift, top = chosen(_LEGS_M, kind, "legs"), look.height - (0.06 if look.shape.get("cornice") else 0.0)
    parts: Part = []
    if kind in ("metal frame", "leaning"):
        parts += legs(kind, half_x, half_y, look.height, look.frame)
    elif kind != "none":
        parts += legs(kind, half_x, half_y, lift, look.frame)
    parts += _carcass(look, lift, top) if kind not in ("metal frame", "leaning") else []
    parts += _boards(look, lift, top) + _fronts(look, lift, top)
    if look.shape.get("filled"):
        parts += _contents(look, lift, top)
    if look.shape.get("cornice"):
        parts += block((-half_x, half_x + 0.03), (-half_y - 0.03, half_y + 0.03), (top, look.height), look.frame, "")
    return fitted(parts, look.size)


def _levels(look: Look, lift: float, top: float) -> list[float]:
    """Heights of the shelf boards' upper faces, the bottom board first."""
    count = max(1, int(look.shape["shelves"]))
    return [lift + _BOARD_M + k * (top - lift - _BOARD_M) / count for k in range(count)]


def _carcass(look: Look, lift: float, top: float) -> Part:
    half_x, half_y = look.depth / 2, look.width / 2
    side = block((-half_x, half_x), (half_y - _BOARD_M, half_y), (lift, top), look.body)
    part = mirrored(side) + block((-half_x, half_x), (-half_y, half_y), (top - _BOARD_M, top), look.body, "")
    if look.shape["back"] in _CLOSED_BACKS:
        part += block((-half_x, -half_x + 0.012), (-half_y, half_y), (lift, top), look.accent)
    columns = int(look.shape["columns"])
    for k in range(1, columns):
        y = -half_y + k * 2 * half_y / columns
        part += block((-half_x, half_x - 0.005), (y - 0.012, y + 0.012), (lift, top), look.body)
    return part


def _boards(look: Look, lift: float, top: float) -> Part:
    half_x, half_y, part = look.depth / 2, look.width / 2, []
    hidden = "back left right" if look.shape["back"] in _CLOSED_BACKS else ""
    for number, z in enumerate(_levels(look, lift, top)):
        x = -half_x + 0.01, half_x - 0.005
        if look.shape["legs"] == "leaning":  # the boards get deeper towards the floor
            x = -half_x + 0.02 * number, half_x - number * 1.3 * half_x / max(1, int(look.shape["shelves"]))
        shelf = block(x, (-half_y + 0.01, half_y - 0.01), (z - _BOARD_M, z), look.body, hidden)
        part += tilted(shelf, -20.0, (0.0, z)) if look.shape["back"] == "sloped" else shelf
    return part


def _fronts(look: Look, lift: float, top: float) -> Part:
    """Doors, drawers or a lid."""
    doors, drawers, columns = look.shape["doors"], int(look.shape["drawers"]), int(look.shape["columns"])
    half_x, half_y = look.depth / 2, look.width / 2
    if doors == "lid":
        body = block((half_x - 0.01, half_x), (-half_y, half_y), (lift, top - 0.06), look.body)
        return body + block((-half_x, half_x + 0.01), (-half_y, half_y), (top - 0.05, top), look.accent, "")
    rows = drawers // columns if drawers else 1
    if not drawers and doors == "none":
        return []
    part: Part = []
    ceiling = top - _BOARD_M if look.shape["back"] != "hutch" else lift + 0.55 * (top - lift)
    step_y, step_z = 2 * half_y / columns, (ceiling - lift) / rows
    for column in range(columns):
        for row in range(rows):
            y = -half_y + column * step_y + 0.012, -half_y + (column + 1) * step_y - 0.012
            z = lift + row * step_z + 0.012, lift + (row + 1) * step_z - 0.008
            part += _glass_door(look, y, z) if doors == "glass" else _panel(look, y, z, bool(drawers))
    return part


def _panel(look: Look, y: Range, z: Range, drawer: bool) -> Part:
    """A door with its handle at the side, or a drawer with it in the middle."""
    x, finish = look.depth / 2, look.accent if drawer else look.body
    part = block((x, x + 0.015), y, z, finish, "back")
    middle_y, middle_z = (sum(y) / 2, sum(z) / 2) if drawer else (y[1] - 0.04, sum(z) / 2)
    long_y, long_z = (0.05, 0.008) if drawer else (0.008, 0.06)
    knob = (middle_y - long_y, middle_y + long_y), (middle_z - long_z, middle_z + long_z)
    return part + block((x + 0.015, x + 0.035), *knob, look.paint("metal", 2), "back")


def _glass_door(look: Look, y: Range, z: Range) -> Part:
    """A frame of four bars; the pane is clear."""
    x = look.depth / 2
    frame = 0.035
    part = block((x, x + 0.015), (y[0], y[0] + frame), z, look.frame, "back")
    part += block((x, x + 0.015), (y[1] - frame, y[1]), z, look.frame, "back")
    for edge in ((z[0], z[0] + frame), (z[1] - frame, z[1])):
        part += block((x, x + 0.015), (y[0] + frame, y[1] - frame), edge, look.frame, "back")
    return part


def _contents(look: Look, lift: float, top: float) -> Part:
    """Books, porcelain or what a toy kitchen has."""
    kind = str(look.shape["filled"])
    if kind == "hob, oven and tap":
        return _kitchen(look, lift, top)
    levels = _levels(look, lift, top)
    rng = np.random.default_rng(int(look.product_id[1:]))
    half_y, part = look.width / 2 - 0.04, []
    room = (levels[1] - levels[0] if len(levels) > 1 else top - levels[0]) - _BOARD_M
    if kind == "picture books":
        for number, z in enumerate(levels):
            for k in range(3):
                y = (k - 1) * half_y * 0.62
                cover = _BOOKS[(number * 3 + k) % len(_BOOKS)]
                book = block((0.0, 0.012), (y - 0.08, y + 0.08), (z, z + min(0.2, room)), f"finish|plain|{cover}", "")
                part += tilted(book, 16.0, (0.0, z))
        return part
    for number, z in enumerate(levels):
        start = -half_y
        end = half_y if kind != "few books" else half_y * float(rng.uniform(-0.6, 0.1))
        while start < end - 0.05:
            width = float(rng.uniform(0.05, 0.16))
            finish = f"finish|plain|{_BOOKS[int(rng.integers(len(_BOOKS)))]}"
            if kind == "porcelain":
                finish, width = ("finish|glaze|#e9eef2", "finish|glaze|#8fa9c9")[number % 2], 0.11
            tall = room * float(rng.uniform(0.55, 0.82))
            stop = min(start + width, end)
            x = -look.depth / 2 + 0.03, look.depth / 2 - 0.08
            part += block(x, (start, stop - 0.004), (z, z + tall), finish, "bottom back left right")
            start = stop + (0.12 if kind == "porcelain" else float(rng.choice((0.0, 0.0, 0.03))))
    return part


def _kitchen(look: Look, lift: float, top: float) -> Part:
    """Hob plates, an oven window and a tap."""
    half_x, half_y, counter = look.depth / 2, look.width / 2, lift + 0.56 * (top - lift)
    part = block((-half_x, half_x), (-half_y, half_y), (counter, counter + 0.025), look.paint("wood", 2), "")
    for y in (-half_y * 0.62, -half_y * 0.22):
        part += disc((counter + 0.025, counter + 0.032), 0.07, "finish|plain|#26272b", 8, (0.0, y, 0.0))
    window = side_corners((0.0, half_x + 0.02), (-half_y * 0.8, -half_y * 0.2), (lift + 0.12, lift + 0.3), "front")
    part.append(quad(window, "finish|glass|#3a4048"))
    tap = bar(
        (-half_x * 0.4, half_y * 0.5, counter),
        (-half_x * 0.4, half_y * 0.5, counter + 0.16),
        0.02,
        "finish|metal|#b8bcc0",
    )
    return part + tap


def basket(look: Look) -> Part:
    """A woven container, open or with a lid."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    if look.shape["form"] == "box":
        wall = 0.012
        part = mirrored(block((-half_x, half_x), (half_y - wall, half_y), (0.0, height), look.body))
        for x in ((-half_x, -half_x + wall), (half_x - wall, half_x)):
            part += block(x, (-half_y, half_y), (0.0, height), look.body)
        part += block((-half_x, half_x), (-half_y, half_y), (0.0, 0.02), look.accent)
        handle = block((half_x, half_x + 0.012), (-0.05, 0.05), (height * 0.6, height * 0.72), look.frame, "back")
        lid = block((-half_x, half_x), (-half_y, half_y), (height - 0.03, height), look.accent, "")
        return fitted(part + handle + (lid if look.shape["lid"] else []), look.size)
    rings = [
        Ring(0.0, half_x * 0.86, half_y * 0.86),
        Ring(height * 0.5, half_x, half_y),
        Ring(height, half_x * 0.94, half_y * 0.94),
    ]
    part = stack(rings, (Band(look.body), Band(look.body)), 12)
    if look.shape["lid"]:
        return fitted(part + ellipse((height, height + 0.03), half_x, half_y, look.accent, 12), look.size)
    inside = [Ring(height, half_x * 0.9, half_y * 0.9), Ring(0.05, half_x * 0.82, half_y * 0.82)]
    part += stack(inside, (Band(look.accent),), 12)
    part += ellipse((0.02, 0.05), half_x * 0.84, half_y * 0.84, look.accent, 12)
    grip = bar((0.0, half_y, height * 0.75), (0.0, half_y + 0.02, height * 0.9), 0.03, look.frame)
    return fitted(part + mirrored(grip), look.size)
