"""Pixels and boxes of each object in an id pass, without writing an id image."""

import numpy as np

from siturec_gym.renderers.embedded.jit import kernel
from siturec_gym.renderers.embedded.layout import BODY, Canvas, Geometry, Index, Integers, Scratch
from siturec_gym.renderers.embedded.runs import run_end

_ONE = np.uint64(1)


@kernel
def tally(
    canvas: Canvas, geometry: Geometry, scratch: Scratch, records: Index, found: Integers, objects: Integers
) -> None:
    """Count pixels and bound them, by object.

    Args:
        canvas: A rasterised canvas.
        geometry: The store.
        scratch: The records of the same frame.
        records: Number of records.
        found: (polygons + 1, 5) work space, by record: pixels, x0, y0, x1, y1 (last pixel included).
        objects: (objects, 5) the same by position in the ascending list of object ids; pixels 0 where unseen.
    """
    height, width = canvas.record.shape
    for drawn in range(records + 1):
        found[drawn, 0] = 0
        found[drawn, 1], found[drawn, 2] = width, height
        found[drawn, 3], found[drawn, 4] = -1, -1
    for y in range(height):
        row = canvas.record[y]
        x = np.uint64(0)
        while x < np.uint64(width):
            record, first = np.uint64(row[x]), x
            x = run_end(row, x)
            seen = found[record]
            seen[0] += np.int32(x - first)
            seen[1] = min(seen[1], np.int32(first))
            seen[2] = min(seen[2], np.int32(y))
            seen[3] = max(seen[3], np.int32(x - _ONE))
            seen[4] = np.int32(y)
    objects[:, 0] = 0
    for drawn in range(1, records + 1):
        if found[drawn, 0] == 0:
            continue
        target: Index = geometry.objects[scratch.sources[drawn, BODY]]
        if objects[target, 0] == 0:
            for column in range(5):
                objects[target, column] = found[drawn, column]
            continue
        objects[target, 0] += found[drawn, 0]
        objects[target, 1] = min(objects[target, 1], found[drawn, 1])
        objects[target, 2] = min(objects[target, 2], found[drawn, 2])
        objects[target, 3] = max(objects[target, 3], found[drawn, 3])
        objects[target, 4] = max(objects[target, 4], found[drawn, 4])
