"""Mirrors and pictures in their frames."""

import math

import numpy as np

from siturec_gym.renderers.embedded.furniture.look import Look, chosen
from siturec_gym.renderers.embedded.furniture.parts import Part, ball, block, fitted, mirrored, turned
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import Face, quad

_RIMS_M = {"none": 0.0, "thin": 0.02, "ornate": 0.09, "on a foot": 0.02}


def framed(look: Look) -> Part:
    """A mirror or a picture: a sheet of some outline in a frame."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    kind, outline = str(look.shape["content"]), str(look.shape["outline"])
    sheet = pattern(kind, look.colors)
    rim = chosen(_RIMS_M, look.shape["frame"], "frame")
    if outline == "rect":
        return fitted(_rect_frame(look, sheet, rim), look.size)
    base = 0.25 * height if look.shape["frame"] == "on a foot" else 0.0
    outer = _outline(outline, half_y, base, height)
    inner = [
        (
            y * (1 - rim / half_y),
            base + (height - base) / 2 + (z - base - (height - base) / 2) * (1 - 2 * rim / (height - base)),
        )
        for y, z in outer
    ]
    parts = [
        _fan_face(outer, half_x * 0.6, look.frame, half_y, base, height),
        _fan_face(inner, half_x, sheet, half_y, base, height),
    ]
    for (y0, z0), (y1, z1) in zip(outer, outer[1:] + outer[:1], strict=True):
        parts.append(
            quad([(half_x * 0.6, y0, z0), (-half_x, y0, z0), (-half_x, y1, z1), (half_x * 0.6, y1, z1)], look.frame)
        )
    if base:
        parts += turned(((0.0, 0.06), (0.02, 0.05), (0.04, 0.012), (base + 0.02, 0.012)), look.frame, 8)
    return fitted(parts, look.size)


def _outline(kind: str, half_y: float, base: float, height: float) -> list[tuple[float, float]]:
    """Corners of an oval, a circle or an arch, counter-clockwise as seen from the front."""
    if kind == "arch":
        spring = height - half_y
        bow = [(half_y * math.cos(math.pi * k / 8), spring + half_y * math.sin(math.pi * k / 8)) for k in range(9)]
        return [(-half_y, base), (half_y, base), *bow]
    middle, half_z = (base + height) / 2, (height - base) / 2
    return [
        (half_y * math.cos(2 * math.pi * k / 16), middle + half_z * math.sin(2 * math.pi * k / 16)) for k in range(16)
    ]


def _fan_face(
    outline: list[tuple[float, float]], x: float, texture: str, half_y: float, base: float, height: float
) -> Face:
    points = np.array([(x, y, z) for y, z in outline])
    uv = np.stack(((points[:, 1] + half_y) / (2 * half_y), 1.0 - (points[:, 2] - base) / (height - base)), axis=1)
    return Face(points, uv, texture, texture.startswith("finish"))


def _rect_frame(look: Look, sheet: str, rim: float) -> Part:
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    back = block((-half_x, half_x * 0.4), (-half_y, half_y), (0.0, height), look.frame, "back")
    front, y, low, high = half_x * 0.42, half_y - rim, rim, height - rim
    picture = [quad([(front, -y, high), (front, -y, low), (front, y, low), (front, y, high)], sheet)]
    if not rim:
        return [*back, *_face_rect(half_x, half_y, height, sheet)]
    bars = [
        ((-half_y, half_y), (0.0, rim)),
        ((-half_y, half_y), (high, height)),
        ((-half_y, -y), (low, high)),
        ((y, half_y), (low, high)),
    ]
    frame = [face for across, up in bars for face in block((0.0, half_x), across, up, look.frame, "back")]
    if look.shape["frame"] == "ornate":
        for corner in ((y, low), (y, high)):
            frame += mirrored(ball((half_x * 0.6, *corner), rim * 0.5, look.frame, 6))
    return back + picture + frame


def _face_rect(x: float, half_y: float, height: float, texture: str) -> Part:
    return [quad([(x, -half_y, height), (x, -half_y, 0.0), (x, half_y, 0.0), (x, half_y, height)], texture)]
