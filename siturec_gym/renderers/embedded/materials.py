"""Textures of the store itself: floor, walls, metal, wood, enamel, lamps."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
_SIZE = 64


def material(name: str) -> Image:
    """A (64 or 128, ., 3) repeating texture.

    Raises:
        ValueError: There is no such material.
    """
    if name in _PLAIN:
        color, grain = _PLAIN[name]
        return _grained(color, grain, name)
    if name in _PATTERNS:
        return _PATTERNS[name]().clip(0, 255).astype(np.uint8)
    raise ValueError(f"no material {name!r}; there are {', '.join((*_PLAIN, *_PATTERNS))}")


# name: colour and strength of its grain
_PLAIN: dict[str, tuple[tuple[int, int, int], int]] = {
    "wall": ((226, 224, 216), 4),
    "pillar": ((205, 205, 200), 4),
    "board": ((206, 209, 212), 4),
    "edge": ((236, 237, 236), 2),
    "upright": ((120, 126, 134), 4),
    "plinth": ((72, 76, 84), 4),
    "enamel": ((240, 243, 246), 2),
    "liner": ((216, 228, 238), 2),
    "frame": ((70, 76, 86), 3),
    "bumper": ((44, 92, 150), 3),
    "trim": ((176, 34, 40), 3),
    "handle": ((190, 194, 200), 3),
    "lamp": ((255, 255, 255), 0),
    "rod": ((110, 112, 116), 2),
    "belt": ((40, 42, 46), 4),
    "counter": ((186, 190, 194), 4),
    "screen": ((30, 40, 56), 2),
    "mat": ((70, 120, 60), 14),
}


def _grained(color: tuple[int, int, int], grain: int, name: str) -> Image:
    seed = int.from_bytes(name.encode()[:8].ljust(8, b"."), "big")
    noise = np.random.default_rng(seed).integers(-grain, grain + 1, (_SIZE, _SIZE, 1))
    return _image(np.array(color) + noise)


def _image(values: ArrayLike) -> Image:
    return np.clip(np.asarray(values, np.float64), 0.0, 255.0).astype(np.uint8)


def _floor() -> Image:
    """Four speckled tiles with grout between."""
    generator = np.random.default_rng(1)
    rows, columns = np.mgrid[:128, :128]
    tone = np.where((rows // 64 + columns // 64) % 2 == 0, 206, 196)
    speckles = np.where(generator.random((128, 128)) < 0.06, -22, generator.integers(-4, 5, (128, 128)))
    grout = np.where((rows % 64 < 1) | (columns % 64 < 1), -46, 0)
    grey = (tone + speckles + grout)[..., None]
    return _image(grey + np.array((4, 2, -6)))


def _ceiling() -> Image:
    """Mineral fibre panels in a grid."""
    generator = np.random.default_rng(2)
    rows, columns = np.mgrid[:_SIZE, :_SIZE]
    holes = np.where(generator.random((_SIZE, _SIZE)) < 0.08, -14, 0)
    grid = np.where((rows < 2) | (columns < 2), -40, 0)
    return _image(np.repeat((226 + holes + grid)[..., None], 3, axis=2))


def _pegboard() -> Image:
    """The perforated back of a shelf."""
    rows, columns = np.mgrid[:_SIZE, :_SIZE]
    hole = ((rows % 16 - 8) ** 2 + (columns % 16 - 8) ** 2) < 5
    return _image(np.where(hole[..., None], np.array((132, 136, 142)), np.array((212, 214, 214))))


def _wood() -> Image:
    """Planks with grain along them."""
    generator = np.random.default_rng(3)
    rows, columns = np.mgrid[:_SIZE, :_SIZE]
    grain = 10 * np.sin(rows * 1.7 + 1.3 * np.sin(columns / 9.0)) + generator.integers(-5, 6, (_SIZE, 1))
    gap = np.where(rows % 16 < 1, -60, 0)
    tone = (generator.integers(-10, 11, 4)[rows // 16] + grain + gap)[..., None]
    return _image(np.array((172, 124, 76)) + tone)


def _grille() -> Image:
    """Dark slots of a cooler's air intake."""
    rows, _ = np.mgrid[:_SIZE, :_SIZE]
    return _image(np.repeat(np.where(rows % 8 < 4, 50, 120)[..., None], 3, axis=2))


def _glass_door() -> Image:
    """The entrance: two panes, the street beyond."""
    rows, columns = np.mgrid[:128, :128]
    sky = np.stack((150 + rows // 4, 185 + rows // 6, 215 + rows // 16), axis=2)
    street = np.where((rows > 84)[..., None], np.array((128, 132, 130)), sky)
    frame = (rows < 5) | (rows > 122) | (columns % 64 < 3) | (columns % 64 > 60)
    return _image(np.where(frame[..., None], np.array((88, 94, 100)), street))


_PATTERNS = {
    "floor": _floor,
    "ceiling": _ceiling,
    "pegboard": _pegboard,
    "wood": _wood,
    "grille": _grille,
    "glass door": _glass_door,
}
