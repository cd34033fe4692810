"""Random streams derived from a seed and a name, the same in every process."""

import zlib

import numpy as np

SeedPart = int | str


def generator(seed: int, *names: SeedPart) -> np.random.Generator:
    """A generator that depends on ``seed`` and ``names`` alone.

    Policies keep no hidden memory, so they draw from ``generator(state.seed, "purpose", turn)`` instead of carrying
    a generator from step to step.
    """
    words = [zlib.crc32(name.encode()) if isinstance(name, str) else name for name in names]
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, *words])))


def role_seed(seed: int, role: str) -> int:
    """The seed of a role's policy in the episode seeded with ``seed``, so that no two streams of it are the same."""
    return int(generator(seed, role).integers(2**31))
