"""Step 3 of the task builder: the labels of a need, chosen so that several products meet them but not all.

A choice is weighted by how many products it leaves, then by what the role favours and dislikes.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

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
    options = _Options.of(wish)
    rows, columns = options.allowed.nonzero()
    if not len(rows):
        raise DataError(f"no labels describe {wish.target.id} for the role {wish.role.name!r}")
    weights, sizes = options.weights(wish.role, wish.lexicon)[rows, columns], options.sizes[rows, columns]
    for size in np.unique(sizes).tolist():
        same = sizes == size
        weights[same] *= _WEIGHT_OF_SIZE.get(size, _WEIGHT_OF_LARGER) / weights[same].sum()
    index = int(rng.choice(len(rows), p=weights / weights.sum()))
    row, column = rows[index], columns[index]
    return LabelChoice(options.extras[row], options.unwanted[column], int(sizes[index]))


def is_describable(wish: Wish) -> bool:
    """Whether some choice of labels leaves only products that the role can put to that use."""
    return bool(_Options.of(wish).allowed.any())


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


@dataclass(frozen=True)
class _Options:
    """Everything that could be asked for (rows) and refused (columns) for a wish.

    Attributes:
        extras: Sets of labels that a product must carry beside the category.
        unwanted: Sets of labels that it must not carry.
        sizes: (rows, columns) how many products each pair leaves.
        allowed: (rows, columns) whether it leaves usable products only, and is neither a quarrel nor taken.
    """

    extras: list[tuple[str, ...]]
    unwanted: list[tuple[str, ...]]
    sizes: NDArray[np.int64]
    allowed: NDArray[np.bool_]

    @classmethod
    def of(cls, wish: Wish) -> "_Options":
        """All options of a wish, in a fixed order."""
        role, target, shelf, lexicon = wish.role, wish.target, wish.shelf, wish.lexicon
        wanted = [label for label in wanted_candidates(target, shelf, lexicon) if label not in role.disliked]
        extras = [labels for count in range(1, MAX_EXTRA_LABELS + 1) for labels in combinations(wanted, count)]
        unwanted = list(_unwanted_sets(unwanted_candidates(role, target, shelf, lexicon), lexicon))
        usable = np.array([wish.use.suits(product) and lexicon.allows(role.diet, product) for product in shelf])
        carried = _table([[product.labels.issuperset(labels) for product in shelf] for labels in extras], len(shelf))
        refused = _table(
            [[not product.labels.isdisjoint(labels) for product in shelf] for labels in unwanted], len(shelf)
        )
        left = carried[:, None, :] & ~refused[None, :, :]
        allowed = ~(left & ~usable).any(axis=2) & ~_quarrels(extras, unwanted)
        _strike_taken(allowed, wish, extras, unwanted)
        return cls(extras, unwanted, left.sum(axis=2), allowed)

    def weights(self, role: Role, lexicon: Lexicon) -> NDArray[np.float64]:
        """(rows, columns) how readily such a shopper would put the need this way."""
        diets = {diet.label for diet in lexicon.diets.values()} - role.favoured
        by_extras = [
            _WEIGHT_OF_EXTRAS[len(labels)]
            * _WEIGHT_OF_OTHER_DIET ** len(diets.intersection(labels))
            * _WEIGHT_OF_FAVOURED ** len(role.favoured.intersection(labels))
            for labels in self.extras
        ]
        disliked = [_WEIGHT_OF_DISLIKED ** len(role.disliked.intersection(labels)) for labels in self.unwanted]
        brevity = [(1 + len(labels)) ** 1.5 for labels in self.unwanted]
        redundant = np.array([_WEIGHT_OF_REDUNDANT**count for count in range(MAX_EXTRA_LABELS * MAX_UNWANTED + 1)])
        weights = np.array(by_extras)[:, None] * np.array(disliked)[None, :]
        result: NDArray[np.float64] = (
            weights * redundant[_opposed(self.extras, self.unwanted, lexicon)] / np.array(brevity)
        )
        return result


def _table(rows: list[list[bool]], columns: int) -> NDArray[np.bool_]:
    return np.array(rows, np.bool_).reshape(-1, columns)


def _unwanted_sets(candidates: Sequence[str], lexicon: Lexicon) -> Iterator[tuple[str, ...]]:
    for count in range(MAX_UNWANTED + 1):
        for labels in combinations(candidates, count):
            attributes = _attributes(labels)
            if lexicon.opposed(labels) is None and len(set(attributes)) == len(attributes):
                yield labels


def _quarrels(extras: Sequence[Sequence[str]], unwanted: Sequence[Sequence[str]]) -> NDArray[np.bool_]:
    """Where a value of an attribute is refused although another one is asked for, which nobody says."""
    names = sorted({name for group in (extras, unwanted) for labels in group for name in _attributes(labels)})
    bits = {name: 1 << number for number, name in enumerate(names)}
    asked, refused = (
        np.array([sum(bits[name] for name in set(_attributes(labels))) for labels in group], np.int64)
        for group in (extras, unwanted)
    )
    clash: NDArray[np.bool_] = (asked[:, None] & refused[None, :]) != 0
    return clash


def _attributes(labels: Iterable[str]) -> list[str]:
    """The attributes that labels give values of, tags left out."""
    return [attribute for label in labels if (attribute := attribute_of(label))]


def _strike_taken(
    allowed: NDArray[np.bool_], wish: Wish, extras: Sequence[tuple[str, ...]], unwanted: Sequence[tuple[str, ...]]
) -> None:
    """Disallow needs that must not be used again."""
    for target, required, refused in wish.taken:
        if target == wish.target.id:
            rows = [row for row, labels in enumerate(extras) if required == {wish.target.category, *labels}]
            columns = [column for column, labels in enumerate(unwanted) if refused == set(labels)]
            allowed[np.ix_(rows, columns)] = False


def _opposed(extras: Sequence[Sequence[str]], unwanted: Sequence[Sequence[str]], lexicon: Lexicon) -> NDArray[np.int64]:
    """(rows, columns) how many refusals say no more than the opposite that is asked for."""
    asked, refused = (sorted({label for labels in group for label in labels}) for group in (extras, unwanted))
    pairs = np.array([[lexicon.opposed((one, other)) is not None for other in refused] for one in asked], np.int64)
    in_extras = np.array([[label in labels for label in asked] for labels in extras], np.int64)
    in_unwanted = np.array([[label in labels for label in refused] for labels in unwanted], np.int64)
    counts: NDArray[np.int64] = (
        in_extras @ pairs.reshape(len(asked), len(refused)) @ in_unwanted.reshape(len(unwanted), -1).T
    )
    return counts
