"""The instances of a view gathered by product, compiled: it runs once for every turn that looks somewhere new."""

import math

import numpy as np
from numba import njit

COLUMNS = 9


@njit(cache=True)
def gather_products(ids, pixels, boxes, xy, product_of, n_products, least_pixels, x, y, yaw_deg):  # type: ignore[no-untyped-def]
    """Sum what shows of each product, seen from (x, y) with heading ``yaw_deg``.

    Args:
        ids: (n,) uint16 object ids of the instances in view, ascending.
        pixels: (n,) pixel counts.
        boxes: (n, 4) x0, y0, x1, y1.
        xy: (instances, 2) position of each instance; row = object id - 1.
        product_of: (instances,) catalog row of each instance's product.
        n_products: Products in the catalog.
        least_pixels: Products with fewer pixels in all are left out.
        x: The user's position, metres.
        y: The user's position, metres.
        yaw_deg: The user's heading.

    Returns:
        (products in view, 9) float64, in catalog order: product row, row of the nearest instance (ties by id), pixels,
        distance and bearing of that instance, and the box around all instances.
    """
    table = np.zeros((n_products, COLUMNS))
    table[:, 3] = math.inf
    for i in range(len(ids)):
        row = np.int64(ids[i]) - 1
        entry, box = table[product_of[row]], boxes[i]
        first = entry[2] == 0.0
        entry[2] += pixels[i]
        for low, high in ((0, 2), (1, 3)):
            entry[5 + low] = box[low] if first else min(entry[5 + low], box[low])
            entry[5 + high] = box[high] if first else max(entry[5 + high], box[high])
        dx, dy = xy[row, 0] - x, xy[row, 1] - y
        distance = math.sqrt(dx * dx + dy * dy)
        if distance < entry[3]:
            entry[0], entry[1], entry[3] = product_of[row], row, distance
            entry[4] = (math.degrees(math.atan2(dy, dx)) - yaw_deg + 180.0) % 360.0 - 180.0
    return table[table[:, 2] >= least_pixels]
