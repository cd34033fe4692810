"""The catalog of a scene and label filters over it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from siturec_gym.catalog.product import Product
from siturec_gym.core.errors import DataError


class Catalog(Sequence[Product]):
    """An immutable, ordered set of products.

    Raises:
        DataError: Two products share an id, a name or a segmentation colour.
    """

    def __init__(self, products: Iterable[Product]) -> None:
        self._products = tuple(products)
        for what in ("id", "name", "segmentation_color"):
            values = [getattr(product, what) for product in self._products]
            if len(set(values)) != len(values):
                twice = next(value for value in values if values.count(value) > 1)
                raise DataError(f"two products share the {what} {twice!r}")

    def __len__(self) -> int:
        return len(self._products)

    def __iter__(self) -> Iterator[Product]:
        return iter(self._products)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self._products[index]

    @cached_property
    def by_id(self) -> dict[str, Product]:
        """Products by id, in catalog order."""
        return {product.id: product for product in self._products}

    @cached_property
    def by_category(self) -> dict[str, tuple[Product, ...]]:
        """Products by category; categories and products in catalog order."""
        groups: dict[str, list[Product]] = {}
        for product in self._products:
            groups.setdefault(product.category, []).append(product)
        return {category: tuple(group) for category, group in groups.items()}

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """Every label that a filter over this catalog can match, sorted."""
        return tuple(sorted({label for product in self._products for label in product.labels}))


def matching(
    products: Iterable[Product], required: Iterable[str], unwanted: Iterable[str], budget: float | None = None
) -> list[Product]:
    """Products that carry every required label, none of the unwanted, and cost at most ``budget``."""
    need, avoid = frozenset(required), frozenset(unwanted)
    return [
        product
        for product in products
        if need <= product.labels and not (avoid & product.labels) and (budget is None or product.price <= budget)
    ]
