"""Step 3 of the task builder: the labels of a need, chosen so that several products meet them but not all.

A choice is weighted by how many products it leaves, then by what the role favours and dislikes.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_

import numpy as np

from siturec_gym.catalog import Product
from siturec_gym.core.errors import DataError
from siturec_gym.tasks.lexicon import Lexicon, Use, attribute_of
from siturec_gym.tasks.roles import Role

MAX_EXTRA_LABELS = 3
MAX_UNWANTED = 2
# Weight of a choice by the number of products it leaves; a choice that leaves more is hardly a need.
_WEIGHT_OF_SIZE = {1: 0.3, 2: 3.0, 3: 8.0, 4: 3.0}
_WEIGHT_OF_LARGER = 0.1
_WEIGHT_OF_FAVOURED = 3.0
_WEIGHT_OF_DISLIKED = 4.0
_WEIGHT_OF_REDUNDANT = 0.3
_WEIGHT_OF_EXTRAS = {1: 0.4, 2: 1.5, 3: 1.3}
# Labels of a diet are seldom asked for by a shopper who does not keep it.
_WEIGHT_OF_OTHER_DIET = 0.15


# Target, required labels, unwanted labels: what makes two tasks the same need.
Need = tuple[str, frozenset[str], frozenset[str]]


@dataclass(frozen=True)
class Wish:
    """A target that needs labels.

    Attributes:
        shelf: The products of the target's category.
        taken: Needs that must not be used again.
    """

    role: Role
    target: Product
    use: Use
    shelf: Sequence[Product]
    lexicon: Lexicon
    taken: Collection[Need] = ()


@dataclass(frozen=True)
class LabelChoice:
    """Labels beside the category that a product must carry, labels it must not, and how many products that leaves."""

    extras: tuple[str, ...]
    unwanted: tuple[str, ...]
    size: int


def choose_labels(wish: Wish, rng: np.random.Generator) -> LabelChoice:
    """Labels for the target of ``wish``.

    Raises:
        DataError: No choice of labels leaves only products that the role can put to that use.
    """
    choices = list(_choices(wish))
    if not choices:
        raise DataError(f"no labels describe {wish.target.id} for the role {wish.role.name!r}")
    weights = np.array([_weight(choice, wish.role, wish.lexicon) for choice in choices])
    for size in {choice.size for choice in choices}:
        same = np.array([choice.size == size for choice in choices])
        weights[same] *= _WEIGHT_OF_SIZE.get(size, _WEIGHT_OF_LARGER) / weights[same].sum()
    return choices[int(rng.choice(len(choices), p=weights / weights.sum()))]


def is_describable(wish: Wish) -> bool:
    """Whether some choice of labels leaves only products that the role can put to that use."""
    return next(_choices(wish), None) is not None


def need_of(target: Product, choice: LabelChoice) -> Need:
    """The need that a choice of labels makes of a target."""
    return target.id, frozenset((target.category, *choice.extras)), frozenset(choice.unwanted)


def wanted_candidates(target: Product, shelf: Sequence[Product], lexicon: Lexicon) -> list[str]:
    """Labels of the target that somebody would ask for and that not every product of the shelf carries, sorted."""
    return [
        label
        for label in sorted(target.labels - {target.category})
        if (words := lexicon.label(label)) and words.wanted and not all(label in other.labels for other in shelf)
    ]


def unwanted_candidates(role: Role, target: Product, shelf: Sequence[Product], lexicon: Lexicon) -> list[str]:
    """Labels of other products of the shelf that this shopper might refuse and the target lacks, sorted."""
    others = {label for other in shelf for label in other.labels} - target.labels - role.favoured
    return [label for label in sorted(others) if (words := lexicon.label(label)) and words.avoided]


def _choices(wish: Wish) -> Iterator[LabelChoice]:
    """Every choice that leaves usable products only and is not taken."""
    return (choice for choice in _usable_choices(wish) if need_of(wish.target, choice) not in wish.taken)


def _usable_choices(wish: Wish) -> Iterator[LabelChoice]:
    """Sets of products are bit masks over the shelf."""
    role, target, shelf, lexicon = wish.role, wish.target, wish.shelf, wish.lexicon
    usable = _mask(wish.use.suits(product) and lexicon.allows(role.diet, product) for product in shelf)
    wanted = [label for label in wanted_candidates(target, shelf, lexicon) if label not in role.disliked]
    carrying = {label: _mask(label in product.labels for product in shelf) for label in wanted}
    refused = [
        (unwanted, _mask(not product.labels.isdisjoint(unwanted) for product in shelf))
        for unwanted in _unwanted_sets(unwanted_candidates(role, target, shelf, lexicon), lexicon)
    ]
    for count in range(1, MAX_EXTRA_LABELS + 1):
        for extras in combinations(wanted, count):
            carried = reduce(and_, (carrying[label] for label in extras))
            for unwanted, refused_products in refused:
                left = carried & ~refused_products
                if not left & ~usable and not _quarrel(extras, unwanted):
                    yield LabelChoice(extras, unwanted, left.bit_count())


def _mask(flags: Iterable[bool]) -> int:
    return sum(1 << index for index, flag in enumerate(flags) if flag)


def _unwanted_sets(candidates: Sequence[str], lexicon: Lexicon) -> Iterator[tuple[str, ...]]:
    for count in range(MAX_UNWANTED + 1):
        for labels in combinations(candidates, count):
            attributes = _attributes(labels)
            if lexicon.opposed(labels) is None and len(set(attributes)) == len(attributes):
                yield labels


def _quarrel(extras: Sequence[str], unwanted: Sequence[str]) -> bool:
    """Whether a value of an attribute is refused although another one is asked for, which nobody says."""
    return not set(_attributes(extras)).isdisjoint(_attributes(unwanted))


def _attributes(labels: Iterable[str]) -> list[str]:
    """The attributes that labels give values of, tags left out."""
    return [attribute for label in labels if (attribute := attribute_of(label))]


def _weight(choice: LabelChoice, role: Role, lexicon: Lexicon) -> float:
    redundant = sum(lexicon.opposed((extra, label)) is not None for extra in choice.extras for label in choice.unwanted)
    diets = {diet.label for diet in lexicon.diets.values()} - role.favoured
    weight: float = (
        _WEIGHT_OF_EXTRAS[len(choice.extras)]
        * _WEIGHT_OF_OTHER_DIET ** len(diets.intersection(choice.extras))
        * _WEIGHT_OF_FAVOURED ** len(role.favoured.intersection(choice.extras))
        * _WEIGHT_OF_DISLIKED ** len(role.disliked.intersection(choice.unwanted))
        * _WEIGHT_OF_REDUNDANT**redundant
        / (1 + len(choice.unwanted)) ** 1.5
    )
    return weight
