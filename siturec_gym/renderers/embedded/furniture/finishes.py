"""What furniture is covered with: cloth, leather, wood, metal and the like, in the colours that the catalog states.

A texture's name is "finish|KIND|#rrggbb"; the image follows from the name alone.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Values = NDArray[np.float64]
_SIZE = 64

KIND_OF_MATERIAL = {
    "fabric": "cloth", "linen": "cloth", "cotton": "cloth", "canvas": "cloth", "polyester": "cloth", "felt": "cloth",
    "polyamide": "cloth", "polypropylene": "cloth", "cowhide": "cloth",
    "wool": "knit", "boucle": "boucle", "plush": "boucle", "velvet": "velvet",
    "leather": "leather", "vegan leather": "leather", "mesh": "mesh",
    "oak": "wood", "birch": "wood", "walnut": "wood", "mahogany": "wood", "pine": "wood", "ash": "wood",
    "beech": "wood", "bamboo": "wood", "plywood": "wood", "cedar": "wood", "maple": "wood", "limewood": "wood",
    "wood": "wood", "cork": "cork", "lacquered wood": "plain",
    "steel": "metal", "aluminum": "metal", "brass": "metal", "bronze": "metal", "iron": "metal", "metal": "metal",
    "silver plate": "metal",
    "marble": "marble", "concrete": "stone", "stoneware": "stone", "terracotta": "stone", "resin": "stone",
    "glass": "glass", "stained glass": "stained", "ceramic": "glaze", "porcelain": "glaze",
    "rattan": "rattan", "seagrass": "rattan", "paper": "paper",
    "plastic": "plain", "silicone": "plain", "rubber": "plain",
}  # fmt: skip


def finish(kind: str, color: str) -> str:
    """The texture name of a kind of surface in a colour "#rrggbb"."""
    return f"finish|{kind}|{color}"


def is_finish(name: str) -> bool:
    """Whether a texture name is one of these."""
    return name.startswith("finish|")


def finish_image(name: str) -> Image:
    """The (64, 64, 3) repeating image of a finish.

    Raises:
        ValueError: The name is none of a finish.
    """
    _, kind, color = name.split("|")
    if kind not in _KINDS:
        raise ValueError(f"no finish {kind!r}; there are {', '.join(_KINDS)}")
    base = np.array([int(color[k : k + 2], 16) for k in (1, 3, 5)], np.float64)
    seed = int.from_bytes(f"{kind}{color}".encode()[:12].ljust(12, b"."), "big")
    values = _KINDS[kind](base, np.random.default_rng(seed))
    return np.clip(values, 0.0, 255.0).astype(np.uint8)


def _grid() -> tuple[Values, Values]:
    rows, columns = np.mgrid[:_SIZE, :_SIZE].astype(np.float64)
    return rows, columns


def _plain(base: Values, rng: np.random.Generator) -> Values:
    return base + rng.integers(-3, 4, (_SIZE, _SIZE, 1))


def _cloth(base: Values, rng: np.random.Generator) -> Values:
    """A plain weave."""
    rows, columns = _grid()
    weave = 7.0 * np.where((rows // 2 + columns // 2) % 2 == 0, 1.0, -1.0)
    return base + weave[..., None] + rng.integers(-6, 7, (_SIZE, _SIZE, 1))


def _knit(base: Values, rng: np.random.Generator) -> Values:
    """Rows of stitches."""
    rows, columns = _grid()
    stitch = 14.0 * np.sin((columns + 4.0 * np.abs((rows % 8.0) - 4.0)) * np.pi / 4.0)
    return base + stitch[..., None] + rng.integers(-5, 6, (_SIZE, _SIZE, 1))


def _boucle(base: Values, rng: np.random.Generator) -> Values:
    """Loops of all sizes."""
    noise = rng.normal(0.0, 1.0, (_SIZE, _SIZE))
    soft = np.sum([np.roll(noise, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)], axis=0) / 3.0
    return np.asarray(base + 12.0 * soft[..., None])


def _velvet(base: Values, rng: np.random.Generator) -> Values:
    """Nap that catches the light in broad stripes."""
    rows, columns = _grid()
    nap = 4.0 * np.sin((columns + 0.5 * rows) * 2.0 * np.pi / _SIZE)
    return base + nap[..., None] + rng.integers(-4, 5, (_SIZE, _SIZE, 1))


def _leather(base: Values, rng: np.random.Generator) -> Values:
    """Grain and creases, with a slight shine."""
    noise = rng.normal(0.0, 1.0, (_SIZE, _SIZE))
    grain = noise - (np.roll(noise, 1, 0) + np.roll(noise, 1, 1)) / 2.0
    rows, columns = _grid()
    sheen = 3.0 * np.sin(rows * 2.0 * np.pi / _SIZE + 2.0 * np.sin(columns * 2.0 * np.pi / _SIZE))
    return np.asarray(base + 4.0 * grain[..., None] + sheen[..., None])


def _mesh(base: Values, rng: np.random.Generator) -> Values:
    rows, columns = _grid()
    hole = (rows % 4 < 2) & (columns % 4 < 2)
    return np.where(hole[..., None], base * 0.45, base + rng.integers(-4, 5, (_SIZE, _SIZE, 1)))


def _wood(base: Values, rng: np.random.Generator) -> Values:
    """Grain along the rows, with a knot line here and there."""
    rows, columns = _grid()
    wave = rows + 1.2 * np.sin(columns * 2.0 * np.pi / _SIZE)
    grain = 5.0 * np.sin(wave * 2.0 * np.pi / 8.0) + 5.0 * np.sin(wave * 2.0 * np.pi * 3.0 / _SIZE)
    return base + grain[..., None] + rng.integers(-4, 5, (_SIZE, 1, 1))


def _cork(base: Values, rng: np.random.Generator) -> Values:
    return base + np.where(rng.random((_SIZE, _SIZE, 1)) < 0.2, -40.0, 6.0)


def _metal(base: Values, rng: np.random.Generator) -> Values:
    """Brushed along the rows, with a band of shine."""
    rows, _ = _grid()
    shine = 26.0 * np.sin(rows * 2.0 * np.pi / _SIZE)
    return base + shine[..., None] + rng.integers(-6, 7, (_SIZE, 1, 1))


def _marble(base: Values, rng: np.random.Generator) -> Values:
    """Veins."""
    rows, columns = _grid()
    phase = float(rng.random()) * 6.0
    angle = (rows + 0.6 * columns) * 2.0 * np.pi / _SIZE
    vein = np.abs(np.sin(angle * 2.0 + phase + 1.6 * np.sin(columns * 2.0 * np.pi / _SIZE)))
    return np.where((vein < 0.1)[..., None], base - 54.0, base + rng.integers(-3, 4, (_SIZE, _SIZE, 1)))


def _stone(base: Values, rng: np.random.Generator) -> Values:
    specks = np.where(rng.random((_SIZE, _SIZE, 1)) < 0.08, -26.0, 0.0)
    return base + specks + rng.integers(-5, 6, (_SIZE, _SIZE, 1))


def _glass(base: Values, _: np.random.Generator) -> Values:
    """A reflection of the room across it."""
    rows, columns = _grid()
    slant = (rows + columns) % _SIZE
    band = 40.0 * (slant < 14) + 26.0 * ((slant > 40) & (slant < 45))
    return np.asarray(base + band[..., None])


def _stained(base: Values, rng: np.random.Generator) -> Values:
    """Coloured panes between dark lines."""
    panes = rng.integers(0, 4, (8, 8))
    hues = np.array((base, (46, 120, 90), (222, 178, 72), (150, 60, 60)), np.float64)
    image = hues[panes].repeat(8, 0).repeat(8, 1)
    rows, columns = _grid()
    lead = (rows % 8 < 1) | (columns % 8 < 1)
    return np.asarray(np.where(lead[..., None], 40.0, image))


def _glaze(base: Values, _: np.random.Generator) -> Values:
    """Smooth, with a highlight."""
    rows, columns = _grid()
    spot = np.exp(-((rows - 18.0) ** 2 + (columns - 20.0) ** 2) / 60.0)
    return base + 70.0 * spot[..., None] - 14.0 * (rows / _SIZE)[..., None]


def _rattan(base: Values, rng: np.random.Generator) -> Values:
    """Basket weave."""
    rows, columns = _grid()
    over = (rows // 8 + columns // 8) % 2 == 0
    strand = np.where(over, rows % 8, columns % 8)
    shade = 26.0 * np.sin((strand + 0.5) * np.pi / 8.0) - 18.0
    return base + shade[..., None] + rng.integers(-5, 6, (_SIZE, _SIZE, 1))


def _paper(base: Values, rng: np.random.Generator) -> Values:
    rows, _ = _grid()
    rib = np.where(rows % 12 < 1, -24.0, 0.0)
    return base + rib[..., None] + rng.integers(-3, 4, (_SIZE, _SIZE, 1))


def _leaf(base: Values, rng: np.random.Generator) -> Values:
    """A blade with its midrib and veins."""
    rows, columns = _grid()
    middle = np.abs(columns - _SIZE / 2)
    vein = (middle < 2) | ((rows + middle) % 12 < 1.5)
    return np.where(vein[..., None], base + 34.0, base + rng.integers(-8, 9, (_SIZE, _SIZE, 1)))


_KINDS: dict[str, Callable[[Values, np.random.Generator], Values]] = {
    "plain": _plain, "cloth": _cloth, "knit": _knit, "boucle": _boucle, "velvet": _velvet, "leather": _leather,
    "mesh": _mesh, "wood": _wood, "cork": _cork, "metal": _metal, "marble": _marble, "stone": _stone, "glass": _glass,
    "stained": _stained, "glaze": _glaze, "rattan": _rattan, "paper": _paper, "leaf": _leaf,
}  # fmt: skip
