"""Products, catalogs and label filters."""

from siturec_gym.catalog.catalog import Catalog, matching
from siturec_gym.catalog.product import Appearance, Nutrition, Product

__all__ = ["Appearance", "Catalog", "Nutrition", "Product", "matching"]
