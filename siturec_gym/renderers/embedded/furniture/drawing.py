"""What drawers of patterns share."""

from PIL import ImageDraw

Draw = ImageDraw.ImageDraw
Color = tuple[int, int, int]
Colors = tuple[Color, Color, Color]
SIDE = 128  # pixels of a pattern, across and down


def mixed(first: Color, second: Color, share: float) -> Color:
    """``first`` with ``share`` of ``second``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
