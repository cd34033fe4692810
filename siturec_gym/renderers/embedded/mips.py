"""Pack images into the mip-mapped strip of texels that the kernels read."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siturec_gym.renderers.embedded.layout import Textures

MOST_LEVELS = 8
_OPAQUE = np.uint32(0xFF000000)


def pack_textures(images: Sequence[NDArray[np.uint8]]) -> Textures:
    """Mip chains of (height, width, 3) images, whose sides must be powers of two.

    Raises:
        ValueError: A side is not a power of two.
    """
    groups: dict[tuple[int, ...], list[int]] = {}
    for number, image in enumerate(images):
        groups.setdefault(image.shape, []).append(number)
    level_start = np.zeros((len(images), MOST_LEVELS), np.int64)
    log2_size = np.zeros((len(images), 2), np.int32)
    levels = np.zeros(len(images), np.int32)
    strips, used = [], 0
    for (height, width, _), members in groups.items():
        log2_size[members] = _log2(width), _log2(height)
        chain = _chain(np.stack([images[number] for number in members]))
        levels[members] = len(chain)
        ends = np.cumsum([part.shape[1] for part in chain])
        for position, number in enumerate(members):
            level_start[number, : len(chain)] = used + position * ends[-1] + np.concatenate(((0,), ends[:-1]))
        strips.append(np.concatenate(chain, axis=1).reshape(-1))
        used += len(members) * int(ends[-1])
    return Textures(np.concatenate(strips), level_start, log2_size, levels)


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
