"""Pack images into the mip-mapped strip of texels that the kernels read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.embedded.layout import LEVELS, LOG2_HEIGHT, LOG2_WIDTH, Textures

MOST_LEVELS = 8
_TOGETHER = 8  # images halved in one step: few enough to stay in the processor's cache
Size = tuple[int, int]


def pack_textures(images: Sequence[NDArray[np.uint8]]) -> Textures:
    """Mip chains of (height, width, 3) images, whose sides must be powers of two.

    Coarse levels of all textures lie together: a far view reads them all and little else.

    Raises:
        ValueError: A side is not a power of two.
    """
    groups: dict[Size, list[int]] = {}
    for number, image in enumerate(images):
        groups.setdefault((image.shape[0], image.shape[1]), []).append(number)
    strips = sorted((_words(size, level), size, level) for size in groups for level in range(_levels(size)))
    texels = np.empty(sum(words * len(groups[size]) for words, size, _ in strips), np.uint32)
    table = np.zeros((len(images), MOST_LEVELS + 3), np.int64)
    starts, used = {}, 0
    for words, size, level in strips:
        members = groups[size]
        starts[size, level] = used
        table[members, level] = used + words * np.arange(len(members))
        used += words * len(members)
    for size, members in groups.items():
        table[members, LOG2_HEIGHT], table[members, LOG2_WIDTH] = _log2(size[0]), _log2(size[1])
        table[members, LEVELS] = _levels(size)
        for first in range(0, len(members), _TOGETHER):
            pictures = np.stack([images[number] for number in members[first : first + _TOGETHER]])
            for level in range(_levels(size)):
                pictures = pictures if level == 0 else _halved(pictures)
                words = _words(size, level)
                start = starts[size, level] + words * first
                _write(texels[start : start + words * len(pictures)], pictures)
    return Textures(texels, table)


def _levels(size: Size) -> int:
    return min(MOST_LEVELS, _log2(min(size)) + 1)


def _words(size: Size, level: int) -> int:
    """Texels of one image at a level, with the extra row and column."""
    return ((size[0] >> level) + 1) * ((size[1] >> level) + 1)


def _log2(side: int) -> int:
    exponent = side.bit_length() - 1
    if side != 1 << exponent:
        raise ValueError(f"a texture's sides must be powers of two, received {side}")
    return exponent


def _write(strip: NDArray[np.uint32], pictures: NDArray[np.uint8]) -> None:
    """Lay (images, height, width, 3) pictures into a strip, each padded by its first row and column."""
    count, height, width, _ = pictures.shape
    target = strip.view(np.uint8).reshape(count, height + 1, width + 1, 4)
    target[:, :height, :width, :3] = pictures
    target[..., 3] = 255
    target[:, height, :width] = target[:, 0, :width]
    target[:, :, width] = target[:, :, 0]


def _halved(pictures: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Means of 2x2 pixels."""
    wide = pictures.astype(np.uint16)
    rows = wide[:, ::2] + wide[:, 1::2]
    return ((rows[:, :, ::2] + rows[:, :, 1::2] + np.uint16(2)) >> np.uint16(2)).astype(np.uint8)
