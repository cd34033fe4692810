"""The shopper's language as data: ``lexicon/acts.txt`` (phrases), ``groups.txt`` (named groups), ``words.json``."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from siturec_gym.core.errors import DataError
from siturec_gym.users.agenda.understanding.patterns import Pattern, PatternIndex, compile_pattern, literal_words, stems

_FOLDER = Path(__file__).parent / "lexicon"


@dataclass(frozen=True)
class Words:
    """Word lists.

    Attributes:
        spellings: Chat spellings and regional variants -> the plain words.
        takes_is: Words after which 's is short for is.
        everyday: Words that are no name, even where a sentence opens with them: ``common`` and all of the lexicon.
        common: Words that name no product by themselves.
        place_words: Words that tell which part of a store is meant.
        place_heads: Nouns that end the name of a place in a store.
        vague_places: Words that do not tell which shelf or aisle is meant.
        glue: Words that may stand inside a name without belonging to it.
        units: Words of amounts inside names.
        labels: Everyday words that describe a product, one or more words each.
        packages: Kinds of packaging.
        opening_words: Words that open a new clause after a comma or "and".
        numbers: Number words -> value.
        vocabulary: All words of the lexicon, which misspelled words are mended to.
        spelled_right: Words that are left as they are: the vocabulary and the commonest others.
        stems: Beginnings of words that the phrases know.
        gerunds: Verbs in -ing that may stand for a command -> the plain verb.
        hedges: First word -> what people say before what they mean, word by word, the longest first.
    """

    spellings: Mapping[str, str]
    takes_is: frozenset[str]
    everyday: frozenset[str]
    common: frozenset[str]
    place_words: frozenset[str]
    place_heads: frozenset[str]
    vague_places: frozenset[str]
    glue: frozenset[str]
    units: frozenset[str]
    labels: tuple[str, ...]
    packages: frozenset[str]
    opening_words: frozenset[str]
    numbers: Mapping[str, float]
    vocabulary: frozenset[str]
    spelled_right: frozenset[str]
    stems: tuple[str, ...]
    gerunds: Mapping[str, str]
    hedges: Mapping[str, tuple[tuple[str, ...], ...]]


def _sections(name: str) -> Iterator[tuple[str, str]]:
    """(section, line) of a lexicon file; # starts a comment."""
    section = ""
    for raw in (_FOLDER / name).read_text("utf-8").splitlines():
        line = raw.split("#")[0].strip()
        if line.startswith("[") and line.endswith("]") and " " not in line and "|" not in line:
            section = line[1:-1]
        elif line:
            yield section, line


@lru_cache(maxsize=1)
def load_groups() -> dict[str, str]:
    """Named groups of alternatives."""
    groups: dict[str, str] = {}
    for section, line in _sections("groups.txt"):
        groups[section] = f"{groups[section]}|{line}" if section in groups else line
    return groups


@lru_cache(maxsize=1)
def load_patterns() -> PatternIndex:
    """All phrases of ``acts.txt``.

    Raises:
        DataError: A line is not a pattern.
    """
    return PatternIndex([_pattern(section, line) for section, line in _sections("acts.txt")])


def _pattern(section: str, line: str) -> Pattern:
    try:
        return compile_pattern(section, line, load_groups())
    except (ValueError, KeyError) as error:
        raise DataError(f"lexicon/acts.txt, section {section!r}: {error}") from error


@lru_cache(maxsize=1)
def load_words() -> Words:
    """The word lists."""
    raw = json.loads((_FOLDER / "words.json").read_text("utf-8"))
    spelled = {
        word for name in ("acts.txt", "groups.txt") for _, line in _sections(name) for word in literal_words(line)
    }
    begun = {stem for _, line in _sections("acts.txt") for stem in stems(line)}
    everyday = frozenset(raw["everyday"].split()) | spelled
    labels = tuple(raw["labels"])
    vocabulary = everyday | {word for label in labels for word in label.split()} | frozenset(raw["numbers"])
    vocabulary |= frozenset().union(*_cues().values())
    for key in ("place_words", "place_heads", "vague_places", "packages", "opening_words"):
        vocabulary |= frozenset(raw[key].split())
    return Words(
        spellings=raw["spellings"],
        takes_is=frozenset(raw["takes_is"].split()),
        everyday=everyday,
        common=frozenset(raw["everyday"].split()) | frozenset(raw["packages"].split()),
        place_words=frozenset(raw["place_words"].split()),
        place_heads=frozenset(raw["place_heads"].split()),
        vague_places=frozenset(raw["vague_places"].split()),
        glue=frozenset(raw["glue"].split()),
        units=frozenset(raw["units"].split()),
        labels=labels,
        packages=frozenset(raw["packages"].split()),
        opening_words=frozenset(raw["opening_words"].split()),
        numbers=raw["numbers"],
        vocabulary=frozenset(vocabulary),
        spelled_right=frozenset(vocabulary) | frozenset(raw["spelled_right"].split()),
        stems=tuple(sorted(begun)),
        gerunds=raw["gerunds"],
        hedges=_by_first_word(raw["hedges"]),
    )


def _by_first_word(phrases: Iterable[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    table: dict[str, tuple[tuple[str, ...], ...]] = {}
    for phrase in sorted(phrases, key=lambda phrase: (-len(phrase.split()), phrase)):
        words = tuple(phrase.split())
        table[words[0]] = (*table.get(words[0], ()), words)
    return table


@lru_cache(maxsize=1)
def _cues() -> dict[str, frozenset[str]]:
    raw = json.loads((_FOLDER / "cues.json").read_text("utf-8"))
    return {name: frozenset(words.split()) for name, words in raw.items()}


def cue(name: str) -> frozenset[str]:
    """The words of ``cues.json`` under a name, such as "turns"; none where the file has no such name."""
    return _cues().get(name, frozenset())
