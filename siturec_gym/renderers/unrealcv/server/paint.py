"""The one loop of the server that numpy is too slow for, compiled."""

from numba import njit


@njit(cache=True)
def ids_to_pixels(ids, table, out):  # type: ignore[no-untyped-def]
    """Look every id up: ``out[y, x] = table[ids[y, x]]``.

    Args:
        ids: (height, width) uint16.
        table: (65536,) uint32 pixels.
        out: (height, width) uint32, filled.
    """
    for y in range(ids.shape[0]):
        source, target = ids[y], out[y]
        for x in range(ids.shape[1]):
            target[x] = table[source[x]]
