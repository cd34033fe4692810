"""How a shopper words needs, and which needs contradict each other: ``needs.json`` of a scene.

A label's words complete "something ..." when it is wanted and "nothing ..." when it is not; a category's words are
what a person asks for ("some milk"); a use completes "for ..." ("my morning coffee").
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from siturec_gym import assets
from siturec_gym.catalog import Product
from siturec_gym.core.errors import DataError

_T = TypeVar("_T")
_SEPARATOR = ": "


def attribute_of(label: str) -> str:
    """The attribute that a label such as "colour: gray" gives a value of; "" for a category or a tag."""
    name, separator, _ = label.partition(_SEPARATOR)
    return name if separator else ""


@dataclass(frozen=True)
class LabelWords:
    """The words for one label.

    Attributes:
        wanted: Phrases for a shopper who asks for it; empty when nobody would.
        avoided: Phrases for a shopper who does not want it; empty when nobody would say so.
        kind: diet (never let go), quality, taste, form or look.
        requires: A fact of the shopper's life without which the label makes no sense ("" for none).
    """

    wanted: tuple[str, ...]
    avoided: tuple[str, ...]
    kind: str
    requires: str


@dataclass(frozen=True)
class Use:
    """What a category is bought for.

    Attributes:
        requires: A fact of the shopper's life ("" for none).
        with_labels: Labels a product needs to serve this use.
        without_labels: Labels with which it does not.
    """

    text: str
    requires: str
    with_labels: tuple[str, ...]
    without_labels: tuple[str, ...]

    def suits(self, product: Product) -> bool:
        """Whether ``product`` serves this use."""
        return product.labels.issuperset(self.with_labels) and product.labels.isdisjoint(self.without_labels)


@dataclass(frozen=True)
class CategoryWords:
    """What a shopper calls a category, its kind (food or another), the fact it requires, and its uses."""

    words: str
    kind: str
    requires: str
    uses: tuple[Use, ...]


@dataclass(frozen=True)
class Diet:
    """What a shopper never eats. A product that carries ``label`` is allowed whatever else it is."""

    label: str
    forbidden_categories: frozenset[str]
    forbidden_flavours: frozenset[str]
    forbidden_allergens: frozenset[str]

    def allows(self, product: Product) -> bool:
        """Whether the shopper can eat ``product``."""
        if self.label in product.labels:
            return True
        return (
            product.category not in self.forbidden_categories
            and product.details["flavour"] not in self.forbidden_flavours
            and self.forbidden_allergens.isdisjoint(product.details["allergens"])
        )


@dataclass(frozen=True)
class Bulk:
    """What a small storage has no room for: products with one of the labels, or kept in one of the storages."""

    labels: frozenset[str]
    storages: frozenset[str]

    def includes(self, product: Product) -> bool:
        """Whether ``product`` is that bulky."""
        return product.details.get("storage") in self.storages or not self.labels.isdisjoint(product.labels)


@dataclass(frozen=True)
class Lexicon:
    """Everything in ``needs.json``.

    Attributes:
        requests: Form of the opening ("both", "category", "use") -> sentences with {words} and {use}.
        labels: Words for tags.
        attributes: Words with {value} for labels such as "colour: gray", by what stands before the colon.
        small_storages: Storage conditions that have no room for what is bulky.
        opposites: Pairs of labels that no shopper asks for together.
    """

    requests: Mapping[str, tuple[str, ...]]
    categories: Mapping[str, CategoryWords]
    labels: Mapping[str, LabelWords]
    attributes: Mapping[str, LabelWords]
    diets: Mapping[str, Diet]
    opposites: tuple[frozenset[str], ...]
    small_storages: tuple[str, ...]
    bulk: Bulk

    def label(self, label: str) -> LabelWords | None:
        """The words for a tag or a label such as "colour: gray"; None for a label that nobody speaks of."""
        words = self.attributes.get(attribute_of(label))
        if words is None or label in self.labels:
            return self.labels.get(label)
        value = label.partition(_SEPARATOR)[2]
        wanted, avoided = (
            tuple(phrase.format(value=value) for phrase in phrases) for phrases in (words.wanted, words.avoided)
        )
        return replace(words, wanted=wanted, avoided=avoided)

    def allows(self, diet: str, product: Product) -> bool:
        """Whether a shopper on ``diet`` ("" for none) can use ``product``; only food is judged."""
        if not diet or self.categories[product.category].kind != "food":
            return True
        return self.diets[diet].allows(product)

    def opposed(self, labels: tuple[str, ...]) -> frozenset[str] | None:
        """A pair of opposites among ``labels``, if there is one."""
        chosen = frozenset(labels)
        return next((pair for pair in self.opposites if pair <= chosen), None)


def load_lexicon(scene: str | Path) -> Lexicon:
    """The shopper's words for a shipped scene, or for one of your own that lies in a folder.

    Raises:
        DataError: The file is missing, changed or malformed.
    """
    return parsed(scene, "needs.json", _lexicon)


def parsed(scene: str | Path, name: str, build: Callable[[Any], _T]) -> _T:
    """``build`` of a scene file's JSON; what a malformed one makes it raise becomes a DataError that names the file."""
    content = assets.read_scene_file(scene, name)
    try:
        return build(json.loads(content))
    except KeyError as error:
        raise DataError(f"{scene}/{name}: the key {error} is missing") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise DataError(f"{scene}/{name}: malformed: {error}") from error


def _lexicon(raw: Mapping[str, Any]) -> Lexicon:
    return Lexicon(
        requests={form: tuple(sentences) for form, sentences in raw["requests"].items()},
        categories={name: _category(entry) for name, entry in raw["categories"].items()},
        labels={name: _label(entry) for name, entry in raw["labels"].items()},
        attributes={name: _label(entry) for name, entry in raw["attributes"].items()},
        diets={name: _diet(entry) for name, entry in raw["diets"].items()},
        opposites=tuple(frozenset(pair) for pair in raw["opposites"]),
        small_storages=tuple(raw["small_storages"]),
        bulk=Bulk(frozenset(raw["bulk"]["labels"]), frozenset(raw["bulk"]["storages"])),
    )


def _label(raw: Mapping[str, Any]) -> LabelWords:
    return LabelWords(tuple(raw["wanted"]), tuple(raw["avoided"]), raw["kind"], raw["requires"])


def _category(raw: Mapping[str, Any]) -> CategoryWords:
    uses = tuple(
        Use(use["text"], use["requires"], tuple(use["with_labels"]), tuple(use["without_labels"]))
        for use in raw["uses"]
    )
    return CategoryWords(raw["words"], raw["kind"], raw["requires"], uses)


def _diet(raw: Mapping[str, Any]) -> Diet:
    forbidden = (frozenset(raw[f"forbidden_{what}"]) for what in ("categories", "flavours", "allergens"))
    return Diet(raw["label"], *forbidden)
