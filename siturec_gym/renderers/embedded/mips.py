"""Pack images into the mip-mapped strip of texels that the kernels read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.embedded.layout import LEVELS, LOG2_HEIGHT, LOG2_WIDTH, Textures

MOST_LEVELS = 8
_OPAQUE = np.uint32(0xFF000000)


def pack_textures(images: Sequence[NDArray[np.uint8]]) -> Textures:
    """Mip chains of (height, width, 3) images, whose sides must be powers of two.

    Coarse levels of all textures lie together: a far view reads them all and little else.

    Raises:
        ValueError: A side is not a power of two.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, image in enumerate(images):
        groups.setdefault(image.shape, []).append(number)
    table = np.zeros((len(images), MOST_LEVELS + 3), np.int64)
    strips: dict[int, list[tuple[int, list[int], NDArray[np.uint32]]]] = {}
    for (height, width, _), members in groups.items():
        chain = _chain(np.stack([images[number] for number in members]))
        table[members, LOG2_WIDTH], table[members, LOG2_HEIGHT] = _log2(width), _log2(height)
        table[members, LEVELS] = len(chain)
        for level, words in enumerate(chain):
            strips.setdefault(words.shape[1], []).append((level, members, words))
    used, ordered = 0, []
    for size in sorted(strips):
        for level, members, words in strips[size]:
            table[members, level] = used + words.shape[1] * np.arange(len(members))
            ordered.append(words.reshape(-1))
            used += words.size
    return Textures(np.concatenate(ordered), table)


def _log2(side: int) -> int:
    exponent = side.bit_length() - 1
    if side != 1 << exponent:
        raise ValueError(f"a texture's sides must be powers of two, received {side}")
    return exponent


def _chain(images: NDArray[np.uint8]) -> list[NDArray[np.uint32]]:
    """(images, words) of each level; every level padded by its first row and column."""
    chain = []
    level = images.astype(np.uint16)
    for _ in range(MOST_LEVELS):
        words = level[..., 0] | level[..., 1].astype(np.uint32) << 8 | level[..., 2].astype(np.uint32) << 16 | _OPAQUE
        padded = np.concatenate((words, words[:, :1]), axis=1)
        padded = np.concatenate((padded, padded[:, :, :1]), axis=2)
        chain.append(padded.reshape(len(images), -1))
        if min(level.shape[1:3]) == 1:
            break
        level = (level[:, ::2, ::2] + level[:, 1::2, ::2] + level[:, ::2, 1::2] + level[:, 1::2, 1::2] + 2) >> 2
    return chain
