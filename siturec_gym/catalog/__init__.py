"""Products, catalogs and label filters."""

from siturec_gym.catalog.catalog import Catalog, matching
from siturec_gym.catalog.loading import load_products, parse_catalog
from siturec_gym.catalog.product import Appearance, Nutrition, Product

__all__ = ["Appearance", "Catalog", "Nutrition", "Product", "load_products", "matching", "parse_catalog"]
