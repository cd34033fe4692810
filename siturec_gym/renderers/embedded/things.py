"""The faces of any product: packages of the Supermarket, furniture and ornaments of the home store."""

from siturec_gym.catalog import Product
from siturec_gym.renderers.embedded.furniture.build import furniture_faces, shapes
from siturec_gym.renderers.embedded.mesh import Face
from siturec_gym.renderers.embedded.packages import PACKAGES, package_faces


def faces_of(product: Product) -> list[Face]:
    """What a product looks like, in its own axes.

    Raises:
        ValueError: The catalog names a shape that does not exist.
    """
    shape = product.appearance.shape
    if shape in PACKAGES:
        return package_faces(product)
    if shape in shapes():
        return furniture_faces(product)
    known = ", ".join((*PACKAGES, *shapes()))
    raise ValueError(f"product {product.id} has the shape {shape!r}; shapes are {known}")
