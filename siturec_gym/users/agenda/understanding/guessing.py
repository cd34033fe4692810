"""Guesses what a sentence does from its words alone, where no phrase of the lexicon is found in it.

Weights of words, pairs of words and pairs with one word between are learnt from labelled turns
(``benchmarks/understanding_guesses.py`` writes ``lexicon/guesses.json``): log odds, as in naive Bayes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from siturec_gym.users.agenda.understanding.clauses import Clause
from siturec_gym.users.agenda.understanding.meaning import Act, Context, Heading, Kind, Slot
from siturec_gym.users.agenda.understanding.mentions import PLACE, PRODUCT
from siturec_gym.users.agenda.understanding.reading import find_matches

_FILE = Path(__file__).parent / "lexicon" / "guesses.json"
_SURE = 100  # hundredths of a nat between the best guess and the next
_FEWEST = 3
_PLAIN = frozenset({Kind.GREET, Kind.APOLOGISE, Kind.GOODBYE, Kind.REJECT_ACK})
_OF_PRODUCTS = frozenset({Kind.RECOMMEND, Kind.INFORM, Kind.PICK_UP, Kind.PUT_BACK, Kind.ADD_TO_CART})


@dataclass(frozen=True)
class Weights:
    """What words tell.

    Attributes:
        classes: An act kind, with ":slot" or ":direction" behind ask and move.
        prior: Of each class, hundredths of a nat.
        absent: Of each class, the weight of a sign that was never seen with it.
        words: Sign -> number of a class and weight, in turn, for the classes that it was seen with.
    """

    classes: tuple[str, ...]
    prior: tuple[int, ...]
    absent: tuple[int, ...]
    words: Mapping[str, Sequence[int]]


@lru_cache(maxsize=1)
def load_weights() -> Weights:
    """The learnt weights."""
    raw = json.loads(_FILE.read_text("utf-8"))
    return Weights(tuple(raw["classes"]), tuple(raw["prior"]), tuple(raw["absent"]), raw["words"])


def signs(words: Sequence[str]) -> Iterator[str]:
    """Words, pairs and pairs with one word between, each once; amounts are all alike."""
    said = [word for word in words if word[0].isalnum() or word[0] in "@?$"]
    plain = ["#" if word[0].isdigit() or word[0] == "$" else word for word in said]
    framed = ["^", *plain, "$"]
    found = dict.fromkeys(plain)
    found |= dict.fromkeys(f"{first} {second}" for first, second in pairwise(framed))
    found |= dict.fromkeys(f"{first} _ {third}" for first, third in zip(framed, framed[2:], strict=False))
    return iter(found)


def guess(words: Sequence[str]) -> str | None:
    """The class that the words tell of; None where it is unsure."""
    weights = load_weights()
    totals = list(weights.prior)
    for sign in signs(words):
        told = weights.words.get(sign)
        if told is None:
            continue
        totals = [total + absent for total, absent in zip(totals, weights.absent, strict=True)]
        for number, weight in zip(told[::2], told[1::2], strict=True):
            totals[number] += weight - weights.absent[number]
    ranked = sorted(range(len(totals)), key=lambda number: -totals[number])
    sure = totals[ranked[0]] - totals[ranked[1]] > _SURE
    return weights.classes[ranked[0]] if sure else None


def guessed_acts(parts: Sequence[Clause], context: Context) -> list[Act]:
    """An act for each sentence of which the words tell enough."""
    acts: list[Act] = []
    for number in dict.fromkeys(part.sentence for part in parts):
        sentence = [part for part in parts if part.sentence == number]
        words = [word for part in sentence for word in part.words]
        idle = any({"other", "aside"} & find_matches(part).keys() for part in sentence)
        said = None if idle or (len(words) < _FEWEST and words[-1] != "?") else guess(words)
        act = None if said is None else _act(said, sentence, context)
        acts.extend([] if act is None or act in acts else [act])
    return acts


def _act(said: str, sentence: Sequence[Clause], context: Context) -> Act | None:
    """The act of a class, with the names it needs; None where they are missing."""
    kind, _, detail = said.partition(":")
    products = [name for part in sentence for name in part.named(PRODUCT)]
    places = [name for part in sentence for name in part.named(PLACE)]
    if kind == Kind.ASK:
        return Act(Kind.ASK, slot=Slot(detail))
    if kind == Kind.MOVE:
        return Act(Kind.MOVE, direction=Heading(detail)) if detail else None
    if kind in _PLAIN or (kind == Kind.CONFIRM_PURCHASE and context.held is not None):
        return Act(Kind(kind))
    if kind == Kind.NAVIGATE_PLACE:
        return Act(Kind.NAVIGATE_PLACE, place=places[0]) if places else None
    in_mind = context.held or next(iter(context.mentioned[::-1]), None)
    product = next(iter(products), None if kind == Kind.RECOMMEND else in_mind)
    usable = product is not None and (kind not in {Kind.PUT_BACK, Kind.ADD_TO_CART} or context.held is not None)
    return Act(Kind(kind), product=product) if kind in _OF_PRODUCTS | {Kind.LOOK} and usable else None
