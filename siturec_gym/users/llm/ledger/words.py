"""The ledger's word lists (``words.json``), stemmed once."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from siturec_gym.policies.heuristic import cues
from siturec_gym.policies.heuristic.vocabulary import stem

_FILE = Path(__file__).parent / "words.json"


@cache
def word_lists() -> Mapping[str, frozenset[str]]:
    """Lists of single stemmed words by name.

    ``leading`` words may stand before what counts in a phrase, ``function`` words count in none, ``vague`` ones tell
    nothing by themselves; ``wishes``, ``refusals`` and ``pointers`` show how something is meant; ``money`` words make a
    question one about the budget.
    """
    lists = {name: frozenset(map(stem, words)) for name, words in _content()["lists"].items()}
    return lists | {"refusals": lists["refusals"] | cues.NEGATORS}


def more_words(label: str) -> tuple[str, ...]:
    """Further everyday words for a label."""
    return tuple(_content()["labels"].get(label, ()))


@cache
def _content() -> Mapping[str, Mapping[str, list[str]]]:
    content: Mapping[str, Mapping[str, list[str]]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content
