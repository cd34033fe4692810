"""Shapes of products by packaging, in the size the catalog states: width along y, depth along x, height along z."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from siturec_gym.catalog import Product
from siturec_gym.renderers.embedded.mesh import Face, box, quad, side_corners
from siturec_gym.renderers.embedded.round import Band, Ring, lid, stack

_CAN_SIDES, _BOTTLE_SIDES, _FRUIT_SIDES = 8, 8, 6
_FIN_M = 0.004


def package_faces(product: Product) -> list[Face]:
    """The package of a product; texture names are "<product id>/front", "/side" and "/top"."""
    return PACKAGES[product.appearance.shape](product)


def is_bare(product: Product) -> bool:
    """Whether a fruit or vegetable is seen itself, not a printed bag of it."""
    return product.appearance.shape == "produce" and product.details.get("packaging") != "pre-packed bag"


def _textures(product: Product) -> tuple[str, str, str]:
    return f"{product.id}/front", f"{product.id}/side", f"{product.id}/top"


def _carton(product: Product) -> list[Face]:
    width, depth, height = product.appearance.size_m
    if height > 1.7 * max(width, depth) and depth > 0.6 * width:
        return _gable_top(product)
    front, side, top = _textures(product)
    printed = {"front": front, "back": front, "left": side, "right": side, "top": top}
    return box((-depth / 2, depth / 2), (-width / 2, width / 2), (0.0, height), front, "bottom", printed=printed)


def _gable_top(product: Product) -> list[Face]:
    """A drink carton: box, two slopes with gables at the sides, and a fin along the ridge."""
    width, depth, height = product.appearance.size_m
    front, side, top = _textures(product)
    x, y, eaves, ridge = depth / 2, width / 2, 0.8 * height, 0.95 * height
    printed = {"front": front, "back": front, "left": side, "right": side}
    faces = box((-x, x), (-y, y), (0.0, eaves), front, "bottom top", printed=printed)
    for sign in (1.0, -1.0):
        fin, slope, left, right = sign * _FIN_M, sign * x, -sign * y, sign * y
        faces.append(quad(((fin, left, ridge), (slope, left, eaves), (slope, right, eaves), (fin, right, ridge)), top))
        faces.append(quad(((fin, left, height), (fin, left, ridge), (fin, right, ridge), (fin, right, height)), top))
        gable = ((fin, right, ridge), (slope, right, eaves), (-slope, right, eaves), (-fin, right, ridge))
        faces.append(quad(gable, top, (0.0, 0.0, 1.0, 1.0)))
    return faces


def _can(product: Product) -> list[Face]:
    width, depth, height = product.appearance.size_m
    front, _, top = _textures(product)
    rim = Ring(height, depth / 2, width / 2)
    rings = (Ring(0.0, depth / 2, width / 2), rim)
    return [*stack(rings, (Band(front),), _CAN_SIDES), lid(rim, top, _CAN_SIDES)]


def _bottle(product: Product) -> list[Face]:
    return _round(product, ((0.0, 1.0), (0.66, 1.0), (0.86, 0.42), (1.0, 0.38)), _BOTTLE_SIDES)


def _jar(product: Product) -> list[Face]:
    return _round(product, ((0.0, 1.0), (0.74, 1.0), (0.82, 0.86), (1.0, 0.86)), _CAN_SIDES)


def _round(product: Product, outline: Sequence[tuple[float, float]], sides: int) -> list[Face]:
    """A round body with a label, a shoulder and a neck.

    Args:
        product: What is in it.
        outline: Height and width of its four rings, bottom first, as parts of the package's.
        sides: Sides of its polygon.
    """
    width, depth, height = product.appearance.size_m
    front, side, top = _textures(product)
    rings = [Ring(z * height, part * depth / 2, part * width / 2) for z, part in outline]
    bands = (Band(front), Band(side, 0.5, 1.0), Band(side, 0.0, 0.45))
    return [*stack(rings, bands, sides), lid(rings[-1], top, sides)]


def _bag(product: Product) -> list[Face]:
    """A stand-up pouch: widest below its middle, drawn together to a flat seam."""
    width, depth, height = product.appearance.size_m
    front, side, _ = _textures(product)
    waist, seam = 0.42 * height, 0.006
    foot_x, foot_y, waist_x, waist_y, seam_y = 0.42 * depth, 0.46 * width, depth / 2, width / 2, 0.47 * width
    levels = ((0.0, foot_x, foot_y, 1.0), (waist, waist_x, waist_y, 0.58), (height, seam, seam_y, 0.0))
    faces: list[Face] = []
    for (z0, x0, y0, v0), (z1, x1, y1, v1) in pairwise(levels):
        window = (0.0, v1, 1.0, v0)
        for sign in (1.0, -1.0):
            a, b = (sign * x1, -sign * y1, z1), (sign * x0, -sign * y0, z0)
            c, d = (sign * x0, sign * y0, z0), (sign * x1, sign * y1, z1)
            e, f = (-sign * x0, sign * y0, z0), (-sign * x1, sign * y1, z1)
            faces += [quad((a, b, c, d), front, window), quad((d, c, e, f), side, window)]
    fold = side_corners((-seam, seam), (-seam_y, seam_y), (0.0, height), "top")
    return [*faces, quad(fold, side)]


def _tray(product: Product) -> list[Face]:
    """A shallow tray under film: sides slope outward, contents and label on top."""
    width, depth, height = product.appearance.size_m
    front, side, top = _textures(product)
    low_x, low_y, x, y = 0.46 * depth, 0.46 * width, depth / 2, width / 2
    faces = [quad(side_corners((-x, x), (-y, y), (0.0, height), "top"), top)]
    for sign in (1.0, -1.0):
        a, b = (sign * x, -sign * y, height), (sign * low_x, -sign * low_y, 0.0)
        c, d = (sign * low_x, sign * low_y, 0.0), (sign * x, sign * y, height)
        e, f = (-sign * low_x, sign * low_y, 0.0), (-sign * x, sign * y, height)
        faces += [quad((a, b, c, d), front), quad((d, c, e, f), side)]
    return faces


def _tub(product: Product) -> list[Face]:
    front, side, top = _textures(product)
    rings = _rings(product, ((0.0, 0.8), (0.86, 0.95), (0.86, 1.0), (1.0, 1.0)))
    body = stack(rings[:2], (Band(front),), _CAN_SIDES)
    return [*body, *stack(rings[2:], (Band(side, 0.0, 0.45),), _CAN_SIDES), lid(rings[3], top, _CAN_SIDES)]


def _rings(product: Product, profile: Sequence[tuple[float, float]]) -> list[Ring]:
    """Ovals at shares of the product's height, each as wide and deep as a share of the whole."""
    width, depth, height = product.appearance.size_m
    return [Ring(z * height, part * depth / 2, part * width / 2) for z, part in profile]


def _produce(product: Product) -> list[Face]:
    if not is_bare(product):
        return _bag(product)
    front, _, top = _textures(product)
    rings = _rings(product, ((0.0, 0.5), (0.28, 0.95), (0.6, 1.0), (0.9, 0.62), (1.0, 0.25)))
    bands = (Band(front, 0.72, 1.0), Band(front, 0.4, 0.72), Band(front, 0.1, 0.4), Band(front, 0.0, 0.1))
    return [*stack(rings, bands, _FRUIT_SIDES), lid(rings[-1], top, _FRUIT_SIDES)]


PACKAGES: dict[str, Callable[[Product], list[Face]]] = {
    "carton": _carton,
    "can": _can,
    "bottle": _bottle,
    "jar": _jar,
    "bag": _bag,
    "tray": _tray,
    "tub": _tub,
    "produce": _produce,
}
