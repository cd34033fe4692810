"""How a simulated shopper speaks out of turn: of its own settings, as staff, or not as a person (``conduct.json``)."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.core.text import normalise

_FILE = Path(__file__).parent / "conduct.json"
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n")
_WORD = re.compile(r"[a-z0-9]+")
_COPIED = 6
"""So many words in a row that are those of a private text are no chance."""


def leaks_profile(utterance: str, profile: Mapping[str, Any], goal: Mapping[str, Any]) -> bool:
    """Whether the words speak of settings, traits or policies, quote a private field, or are raw data.

    Args:
        utterance: What the shopper says.
        profile: The private profile, as the observation has it.
        goal: The private goal.
    """
    text = normalise(utterance, None).lower()
    if _found("leaks", text) or any(name in text for name in _field_names(profile, goal)):
        return True
    return any(label in text for label in _valued_labels(goal)) or _copies(text, str(profile.get("persona", "")))


def speaks_as_staff(utterance: str) -> bool:
    """Whether the words offer help, recommend, guide, or ask what an assistant asks."""
    text = normalise(utterance, None).lower()
    return any(
        _found("inversions", sentence) and not _found("own", sentence) for sentence in _SENTENCES.split(text.strip())
    )


def refuses_to_play(utterance: str) -> bool:
    """Whether the words are a model's refusal to answer, not a shopper's."""
    return _found("refusals", normalise(utterance, None).lower())


def _found(name: str, text: str) -> bool:
    return any(pattern.search(text) for pattern in _patterns(name))


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    content: dict[str, list[str]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(re.compile(pattern) for pattern in content[name])


def _field_names(*records: Mapping[str, Any]) -> Iterator[str]:
    """Names of private fields that no one would say by chance ("budget_tier")."""
    for record in records:
        for name, value in record.items():
            if "_" in name:
                yield name
            if isinstance(value, Mapping):
                yield from (inner for inner in value if "_" in inner)


def _valued_labels(goal: Mapping[str, Any]) -> Iterable[str]:
    """Labels in the catalogue's own form ("material: plastic")."""
    labels = (*goal["required_labels"], *goal["unwanted_labels"], *goal["soft_labels"])
    return [label.lower() for label in labels if ": " in label]


def _copies(text: str, private: str) -> bool:
    said = f" {' '.join(_WORD.findall(text))} "
    return any(f" {run} " in said for run in _runs(private.lower()))


@lru_cache(maxsize=512)
def _runs(text: str) -> tuple[str, ...]:
    words = _WORD.findall(text)
    return tuple(" ".join(words[start : start + _COPIED]) for start in range(len(words) - _COPIED + 1))
