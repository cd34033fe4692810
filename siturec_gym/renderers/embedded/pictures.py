"""What a package shows of its contents: one simple drawing for each kind of food or article."""

import math
from collections.abc import Callable

import numpy as np
from PIL import ImageDraw

from siturec_gym.renderers.embedded.lettering import Box, Color, mixed

_WHITE, _BLACK = (255, 255, 255), (0, 0, 0)
Draw = ImageDraw.ImageDraw


def picture(draw: Draw, category: str, box: Box, color: Color) -> None:
    """Draw the contents of a package of ``category`` into ``box``."""
    for motif, categories in _MOTIFS.items():
        if category in categories:
            motif(draw, box, color)
            return
    _drop(draw, box, color)


def _middle(box: Box) -> tuple[float, float, float]:
    """Centre and largest radius of a circle in ``box``."""
    x0, y0, x1, y1 = box
    return (x0 + x1) / 2, (y0 + y1) / 2, min(x1 - x0, y1 - y0) / 2


def _ball(draw: Draw, x: float, y: float, radius: float, color: Color) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color, outline=mixed(color, _BLACK, 0.35))
    shine = radius * 0.35
    draw.ellipse(
        (x - radius * 0.5, y - radius * 0.6, x - radius * 0.5 + shine, y - radius * 0.6 + shine),
        fill=mixed(color, _WHITE, 0.6),
    )


def _heap(draw: Draw, box: Box, color: Color) -> None:
    """Many small round things."""
    x0, y0, x1, y1 = box
    radius = min(x1 - x0, y1 - y0) / 7
    generator = np.random.default_rng(4)
    rows = max(2, int((y1 - y0) / (radius * 1.5)))
    for row in range(rows):
        y = y0 + (row + 0.7) * (y1 - y0) / (rows + 0.4)
        count = max(2, int((x1 - x0) * (0.45 + 0.55 * row / rows) / (radius * 1.8)))
        for column in range(count):
            x = (x0 + x1) / 2 + (column - (count - 1) / 2) * radius * 1.9 + float(generator.normal()) * radius * 0.15
            _ball(draw, x, y, radius, mixed(color, _BLACK, 0.12 * ((row + column) % 2)))


def _pair(draw: Draw, box: Box, color: Color) -> None:
    """Two large round things with leaves."""
    x, y, radius = _middle(box)
    for side in (-1, 1):
        _ball(draw, x + side * radius * 0.75, y + radius * 0.15, radius * 0.72, color)
    draw.ellipse((x - radius * 0.25, y - radius, x + radius * 0.55, y - radius * 0.55), fill=(70, 140, 60))


def _sticks(draw: Draw, box: Box, color: Color) -> None:
    """Fries, noodles, fingers."""
    x0, y0, x1, y1 = box
    generator = np.random.default_rng(5)
    count = max(5, int((x1 - x0) / 8))
    width = max(2, int((x1 - x0) / count * 0.7))
    for k in range(count):
        x = x0 + (k + 0.5) * (x1 - x0) / count
        top = y0 + float(generator.uniform(0.0, 0.3)) * (y1 - y0)
        lean = float(generator.uniform(-0.1, 0.1)) * (y1 - y0)
        draw.line((x + lean, top, x, y1), fill=mixed(color, _BLACK, 0.18 * (k % 2)), width=width)


def _disc(draw: Draw, box: Box, color: Color) -> None:
    """Pizza, pie, waffle, cookie: a round with toppings."""
    x, y, radius = _middle(box)
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=mixed(color, _BLACK, 0.25))
    inner = radius * 0.86
    draw.ellipse((x - inner, y - inner, x + inner, y + inner), fill=color)
    for k in range(7):
        angle, away = k * 2.4, radius * (0.25 + 0.08 * k)
        spot = (x + away * math.cos(angle), y + away * math.sin(angle))
        tone = ((176, 42, 34), (72, 120, 50), (250, 236, 200))[k % 3]
        size = radius * 0.14
        draw.ellipse((spot[0] - size, spot[1] - size, spot[0] + size, spot[1] + size), fill=tone)


def _fish(draw: Draw, box: Box, color: Color) -> None:
    x, y, _ = _middle(box)
    half, tall = (box[2] - box[0]) / 2 * 0.9, (box[3] - box[1]) / 2 * 0.7
    draw.polygon([(x + half * 0.45, y), (x + half, y - tall), (x + half, y + tall)], fill=mixed(color, _BLACK, 0.25))
    draw.ellipse((x - half, y - tall, x + half * 0.6, y + tall), fill=color, outline=mixed(color, _BLACK, 0.45))
    draw.ellipse((x - half * 0.7, y - tall * 0.3, x - half * 0.58, y), fill=(20, 20, 20))


def _drop(draw: Draw, box: Box, color: Color) -> None:
    """Milk, oil, juice, soap."""
    x, y, radius = _middle(box)
    edge = mixed(color, _BLACK, 0.4)
    low = y + radius * 0.35
    draw.polygon([(x, y - radius), (x - radius * 0.56, low), (x + radius * 0.56, low)], fill=color, outline=edge)
    draw.ellipse((x - radius * 0.62, low - radius * 0.62, x + radius * 0.62, low + radius * 0.62), fill=color)
    draw.ellipse(
        (x - radius * 0.35, low - radius * 0.1, x - radius * 0.1, low + radius * 0.25), fill=mixed(color, _WHITE, 0.6)
    )


def _leaves(draw: Draw, box: Box, color: Color) -> None:
    """Salad, tea, herbs."""
    x, y, radius = _middle(box)
    for k in range(6):
        angle = math.pi * (k + 0.5) / 6
        tip = (x - radius * math.cos(angle) * 1.2, y + radius * 0.6 - radius * 1.5 * math.sin(angle))
        waist = radius * 0.3
        tone = mixed(color, _BLACK if k % 2 else _WHITE, 0.15)
        foot = (x, y + radius * 0.9)
        middle = ((tip[0] + foot[0]) / 2, (tip[1] + foot[1]) / 2)
        draw.polygon([foot, (middle[0] - waist, middle[1]), tip, (middle[0] + waist, middle[1])], fill=tone)


def _bowl(draw: Draw, box: Box, color: Color) -> None:
    """Soup, cereal, rice, stew: a bowl filled with it."""
    x, y, _ = _middle(box)
    half, tall = (box[2] - box[0]) / 2 * 0.9, (box[3] - box[1]) / 2 * 0.9
    draw.pieslice((x - half, y - tall * 1.1, x + half, y + tall), 0, 180, fill=(244, 244, 240), outline=(120, 120, 120))
    draw.ellipse((x - half, y - tall * 0.45, x + half, y + tall * 0.35), fill=color, outline=(230, 230, 226))
    for k in range(5):
        spot = x + half * (k - 2) * 0.32
        draw.ellipse(
            (spot - 2, y - tall * 0.2 + (k % 2) * 3, spot + 3, y + (k % 2) * 3), fill=mixed(color, _WHITE, 0.45)
        )


def _block(draw: Draw, box: Box, color: Color) -> None:
    """Cheese, butter, tofu, chocolate, bread: a block with a cut face."""
    x0, y0, x1, y1 = box
    rise = (y1 - y0) * 0.28
    front = (x0 + (x1 - x0) * 0.08, y0 + rise, x1 - (x1 - x0) * 0.2, y1 - 2)
    shift = (x1 - x0) * 0.14
    top = [(front[0], front[1]), (front[0] + shift, y0), (front[2] + shift, y0), (front[2], front[1])]
    side = [(front[2], front[1]), (front[2] + shift, y0), (front[2] + shift, y1 - rise), (front[2], front[3])]
    draw.polygon(top, fill=mixed(color, _WHITE, 0.35))
    draw.polygon(side, fill=mixed(color, _BLACK, 0.3))
    draw.rectangle(front, fill=color)
    for k in range(1, 4):
        x = front[0] + (front[2] - front[0]) * k / 4
        draw.line((x, front[1], x, front[3]), fill=mixed(color, _BLACK, 0.18), width=1)


def _eggs(draw: Draw, box: Box, color: Color) -> None:
    x0, y0, x1, y1 = box
    width = (x1 - x0) / 3
    for k in range(3):
        left = x0 + k * width
        draw.ellipse((left + 2, y0, left + width - 2, y1), fill=color, outline=mixed(color, _BLACK, 0.35))


def _rolls(draw: Draw, box: Box, color: Color) -> None:
    """Rolls of paper seen from their ends."""
    x0, y0, x1, y1 = box
    count = max(2, round((x1 - x0) / (y1 - y0)))
    width = (x1 - x0) / count
    for k in range(count):
        x, y, radius = x0 + (k + 0.5) * width, (y0 + y1) / 2, min(width, y1 - y0) * 0.46
        draw.ellipse(
            (x - radius, y - radius, x + radius, y + radius), fill=mixed(color, _WHITE, 0.5), outline=(150, 150, 155)
        )
        draw.ellipse((x - radius * 0.3, y - radius * 0.3, x + radius * 0.3, y + radius * 0.3), fill=(150, 130, 110))


def _paw(draw: Draw, box: Box, color: Color) -> None:
    """Food for cats and dogs."""
    x, y, radius = _middle(box)
    draw.ellipse((x - radius * 0.55, y, x + radius * 0.55, y + radius * 0.85), fill=color)
    for k in range(4):
        toe_x, toe_y = x + radius * (k - 1.5) * 0.48, y - radius * (0.35 + 0.25 * (k in {1, 2}))
        size = radius * 0.24
        draw.ellipse((toe_x - size, toe_y - size * 1.3, toe_x + size, toe_y + size * 1.3), fill=color)


def _face(draw: Draw, box: Box, color: Color) -> None:
    """A baby's face."""
    x, y, radius = _middle(box)
    skin = (244, 208, 178)
    draw.ellipse(
        (x - radius * 0.9, y - radius * 0.9, x + radius * 0.9, y + radius * 0.9), fill=skin, outline=color, width=3
    )
    for side in (-1, 1):
        spot = x + side * radius * 0.34
        draw.ellipse((spot - 2, y - radius * 0.2, spot + 2, y - radius * 0.2 + 4), fill=(50, 40, 36))
    draw.arc(
        (x - radius * 0.4, y - radius * 0.1, x + radius * 0.4, y + radius * 0.5), 20, 160, fill=(170, 60, 60), width=2
    )


def _cone(draw: Draw, box: Box, color: Color) -> None:
    """Scoops of ice cream in a cone."""
    x, y, radius = _middle(box)
    draw.polygon([(x - radius * 0.5, y), (x + radius * 0.5, y), (x, y + radius)], fill=(206, 150, 90))
    for dx, dy in ((-0.3, -0.15), (0.3, -0.15), (0.0, -0.55)):
        _ball(draw, x + dx * radius, y + dy * radius, radius * 0.38, color)


def _cup(draw: Draw, box: Box, color: Color) -> None:
    """A cup of coffee or tea."""
    x, y, radius = _middle(box)
    draw.ellipse(
        (x + radius * 0.3, y - radius * 0.25, x + radius * 0.95, y + radius * 0.4), outline=(240, 240, 236), width=3
    )
    draw.rectangle((x - radius * 0.7, y - radius * 0.4, x + radius * 0.6, y + radius * 0.7), fill=(244, 244, 240))
    draw.ellipse(
        (x - radius * 0.7, y - radius * 0.6, x + radius * 0.6, y - radius * 0.2), fill=color, outline=(225, 225, 220)
    )


_MOTIFS: dict[Callable[[Draw, Box, Color], None], frozenset[str]] = {
    _heap: frozenset({"nuts", "frozen vegetables", "frozen fruit", "frozen dumplings", "canned beans", "potatoes"}),
    _pair: frozenset({"apples", "citrus fruit", "tomatoes"}),
    _sticks: frozenset({"frozen fries", "pasta"}),
    _disc: frozenset(
        {"frozen pizza", "cookies", "crackers", "frozen breakfast", "potato chips", "frozen desserts", "deli meat"}
    ),
    _fish: frozenset({"canned fish", "frozen fish"}),
    _leaves: frozenset({"salad greens"}),
    _bowl: frozenset(
        {"soup", "breakfast cereal", "rice", "frozen meals", "dips", "pasta sauce", "spreads", "frozen chicken"}
    ),
    _block: frozenset({"cheese", "butter", "tofu", "chocolate", "bread", "flour"}),
    _eggs: frozenset({"eggs"}),
    _rolls: frozenset({"toilet paper"}),
    _paw: frozenset({"cat food", "dog food"}),
    _face: frozenset({"diapers", "baby food"}),
    _cone: frozenset({"ice cream"}),
    _cup: frozenset({"coffee", "tea"}),
}
