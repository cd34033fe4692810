"""Printed and woven pictures: rugs, cushions, wall pictures, dials, playing fields, keys.

A texture's name is "pattern|NAME|#rrggbb|#rrggbb|#rrggbb" with the product's three colours; the image follows from the
name alone.
"""

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from siturec_gym.renderers.embedded.furniture.drawing import SIDE, Color
from siturec_gym.renderers.embedded.furniture.game_prints import GAME_PRINTS
from siturec_gym.renderers.embedded.furniture.wall_art import WALL_ART
from siturec_gym.renderers.embedded.furniture.weaves import WEAVES

PATTERNS = {**WEAVES, **WALL_ART, **GAME_PRINTS}


def pattern(name: str, colors: tuple[str, str, str]) -> str:
    """The texture name of a pattern in a product's colours."""
    return f"pattern|{name}|{'|'.join(colors)}"


def is_pattern(name: str) -> bool:
    """Whether a texture name is one of these."""
    return name.startswith("pattern|")


def pattern_image(name: str) -> NDArray[np.uint8]:
    """The (128, 128, 3) image of a pattern.

    Raises:
        ValueError: There is no such pattern.
    """
    _, kind, *colors = name.split("|")
    if kind not in PATTERNS:
        raise ValueError(f"no pattern {kind!r}; there are {', '.join(PATTERNS)}")
    body, accent, frame = (_rgb(color) for color in colors)
    image = Image.new("RGB", (SIDE, SIDE), body)
    PATTERNS[kind](ImageDraw.Draw(image), (body, accent, frame))
    return np.asarray(image)


def _rgb(color: str) -> Color:
    red, green, blue = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return red, green, blue
