"""Step 2 of the task builder: four targets per role, covering categories, uses and locations (SituRecBench, A.3)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from siturec_gym.catalog import Catalog, Product
from siturec_gym.core.errors import DataError
from siturec_gym.tasks.labels import Need, Wish, is_describable
from siturec_gym.tasks.lexicon import Lexicon, Use
from siturec_gym.tasks.records import Profile
from siturec_gym.tasks.roles import Role

TARGETS_PER_ROLE = 4
# How strongly a repetition speaks against a candidate, and a favoured label for it.
_COST_OF_CATEGORY = 3.0
_COST_OF_SAME_PLACE = 3.0
_COST_OF_PLACE = 1.0
_COST_OF_PRODUCT = 2.0
_GAIN_OF_FAVOURED = 0.4
_SPREAD = 2.0


@dataclass(frozen=True)
class Materials:
    """What tasks are built from.

    Attributes:
        places: Product id -> ids of the places where it stands.
        taken: Needs that must not be used again.
    """

    scene: str
    catalog: Catalog
    places: Mapping[str, tuple[str, ...]]
    lexicon: Lexicon
    roles: tuple[Role, ...]
    taken: frozenset[Need] = frozenset()

    def wish(self, role: Role, target: Product, use: Use) -> Wish:
        """What labels are chosen for."""
        shelf = self.catalog.by_category[target.category]
        return Wish(role, target, use, shelf, self.lexicon, self.taken)


@dataclass
class Coverage:
    """How often a bank under construction has used each category, place, product and use."""

    categories: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    products: Counter[str] = field(default_factory=Counter)
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, product: Product, use: Use, place: str) -> None:
        """Count one chosen target."""
        self.categories[product.category] += 1
        self.places[place] += 1
        self.products[product.id] += 1
        self.uses[product.category, use.text] += 1


def select_targets(
    role: Role, profile: Profile, materials: Materials, coverage: Coverage, rng: np.random.Generator
) -> list[tuple[Product, Use]]:
    """Four targets in four categories, each with its use; places as different as the role's categories allow.

    Raises:
        DataError: The role has targets in fewer than four categories.
    """
    pool = [product for product in materials.catalog if is_possible(role, profile, product, materials.lexicon)]
    chosen: list[tuple[Product, Use]] = []
    for _ in range(TARGETS_PER_ROLE):
        taken = {product.category for product, _ in chosen}
        visited = {place_of(product, materials) for product, _ in chosen}
        target = _next_target(
            role, [product for product in pool if product.category not in taken], visited, materials, coverage, rng
        )
        if target is None:
            raise DataError(f"role {role.name!r} offers targets in only {len(taken)} categories; four are needed")
        coverage.add(*target, place_of(target[0], materials))
        chosen.append(target)
    return chosen


def is_possible(role: Role, profile: Profile, product: Product, lexicon: Lexicon) -> bool:
    """Whether this shopper could come for ``product``: life, diet and storage allow it, and it has a use."""
    return (
        product.category in role.categories
        and life_allows(role, product, lexicon)
        and lexicon.allows(role.diet, product)
        and storage_allows(profile.context.get("storage", ""), product, lexicon)
        and bool(uses_of(role, product, lexicon))
    )


def life_allows(role: Role, product: Product, lexicon: Lexicon) -> bool:
    """Whether the facts that the product's category and labels require are facts of this role."""
    required = {lexicon.categories[product.category].requires}
    required.update(words.requires for label in product.labels if (words := lexicon.label(label)))
    return required - {""} <= role.facts


def storage_allows(storage: str, product: Product, lexicon: Lexicon) -> bool:
    """Whether the shopper can store the product: small storages take nothing that is bulky."""
    return storage not in lexicon.small_storages or not lexicon.bulk.includes(product)


def uses_of(role: Role, product: Product, lexicon: Lexicon) -> list[Use]:
    """The uses that the product serves in this role's life."""
    uses = lexicon.categories[product.category].uses
    return [use for use in uses if use.suits(product) and (not use.requires or use.requires in role.facts)]


def place_of(product: Product, materials: Materials) -> str:
    """The first place where the product stands."""
    return materials.places[product.id][0]


def _next_target(
    role: Role,
    pool: Sequence[Product],
    visited: set[str],
    materials: Materials,
    coverage: Coverage,
    rng: np.random.Generator,
) -> tuple[Product, Use] | None:
    """The cheapest candidate that labels can describe, with its least used use; None if there is none."""
    costs = [
        _cost(product, role, place_of(product, materials), visited, coverage) + _SPREAD * rng.random()
        for product in pool
    ]
    for index in np.argsort(costs, kind="stable"):
        product = pool[int(index)]
        uses = [
            use
            for use in uses_of(role, product, materials.lexicon)
            if is_describable(materials.wish(role, product, use))
        ]
        if uses:
            return product, _choose_use(uses, product, coverage, rng)
    return None


def _cost(product: Product, role: Role, place: str, visited: set[str], coverage: Coverage) -> float:
    repeated = (
        _COST_OF_CATEGORY * coverage.categories[product.category]
        + _COST_OF_PLACE * coverage.places[place]
        + _COST_OF_PRODUCT * coverage.products[product.id]
        + _COST_OF_SAME_PLACE * (place in visited)
    )
    return repeated - _GAIN_OF_FAVOURED * len(role.favoured & product.labels)


def _choose_use(uses: Sequence[Use], product: Product, coverage: Coverage, rng: np.random.Generator) -> Use:
    costs = [coverage.uses[product.category, use.text] + rng.random() for use in uses]
    return uses[int(np.argmin(costs))]
