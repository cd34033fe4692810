"""Runs: stretches of neighbouring pixels in a row that show the same record."""

import numpy as np

from siturec_gym.renderers.embedded.jit import inlined
from siturec_gym.renderers.embedded.layout import Index, Integers
from siturec_gym.renderers.embedded.vectors import all_four_equal

_ONE, _TWO, _FOUR, _SIXTEEN = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(16)


@inlined
def run_end(records: Integers, first: Index) -> Index:
    """One past the last pixel of the run that begins at pixel ``first`` of a row of records."""
    width, record = np.uint64(len(records)), records[first]
    x = first + _ONE
    address = np.uint64(records.ctypes.data) + (x << _TWO)
    while x + _FOUR <= width and all_four_equal(address, record):
        x += _FOUR
        address += _SIXTEEN
    while x < width and records[x] == record:
        x += _ONE
    return x
