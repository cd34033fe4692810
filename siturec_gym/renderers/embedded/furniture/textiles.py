"""Rugs and cushions."""

import numpy as np

from siturec_gym.renderers.embedded.furniture.look import Look
from siturec_gym.renderers.embedded.furniture.parts import Part, fitted, tilted
from siturec_gym.renderers.embedded.furniture.patterns import pattern
from siturec_gym.renderers.embedded.mesh import Face, box


def rug(look: Look) -> Part:
    """A flat thing on the floor, its pattern the right way up for who stands before it."""
    half_x, half_y, height = look.depth / 2, look.width / 2, look.height
    printed = {"top": pattern(str(look.shape["pattern"]), look.colors)}
    return box((-half_x, half_x), (-half_y, half_y), (0.0, height), look.accent, "bottom", printed=printed)


_SEAM = ((-1.0, -1.0), (0.0, -0.9), (1.0, -1.0), (0.9, 0.0), (1.0, 1.0), (0.0, 0.9), (-1.0, 1.0), (-0.9, 0.0))
_CREST = ((-0.4, -0.4), (0.0, -0.5), (0.4, -0.4), (0.5, 0.0), (0.4, 0.4), (0.0, 0.5), (-0.4, 0.4), (-0.5, 0.0))


def pillow(look: Look) -> Part:
    """A cushion that leans back: drawn out to its corners, full in the middle, thin at the seams."""
    half_y, half_z, thick = look.width / 2, look.height / 2, look.depth / 2
    kind = str(look.shape["pattern"])
    cover = look.body if kind == "plain" else pattern(kind, look.colors)
    seam = [(0.0, y * half_y, (1.0 + z) * half_z) for y, z in _SEAM]
    crest = [(thick, y * half_y, (1.0 + z) * half_z) for y, z in _CREST]
    front = [_mapped(crest, cover, half_y, look.height)]
    for k in range(len(seam)):
        front.append(_mapped([seam[k - 1], seam[k], crest[k]], cover, half_y, look.height))
        front.append(_mapped([seam[k - 1], crest[k], crest[k - 1]], cover, half_y, look.height))
    flip = np.array((-1.0, 1.0, 1.0))
    back = [Face((face.corners * flip)[::-1], face.uv[::-1], look.body, True) for face in front]
    return fitted(tilted(front + back, 12.0), look.size)


def _mapped(corners: list[tuple[float, float, float]], texture: str, half_y: float, height: float) -> Face:
    """A face of an upright picture: y and z give the place in it."""
    points = np.array(corners, np.float64)
    uv = np.stack(((points[:, 1] + half_y) / (2 * half_y), 1.0 - points[:, 2] / height), axis=1)
    return Face(points, uv, texture, texture.startswith("finish"))
