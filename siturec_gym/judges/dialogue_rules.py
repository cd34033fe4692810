"""Offline rules that look at the wording and course of a dialogue. Each gives 1 to 5 (docs/judges.md)."""

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from siturec_gym.core.actions import Tool
from siturec_gym.core.records import TurnRecord
from siturec_gym.judges.mentions import amounts
from siturec_gym.judges.transcript import Transcript

SHARES = (0.25, 0.5, 0.7, 0.9)
"""A share of turns below the first is 1, below the second 2, and so on; from the last on it is 5."""
REPEATED = 92.0
"""Similarity, in percent, from which on an utterance counts as said before."""
_REPEATS = (0.0, 0.1, 0.25, 0.5)
_LONGEST = 70
_OPENING_WORDS = 5
_JARGON = re.compile(
    r"\b[A-Z]\d{2,4}\b|\b[a-z]+_[a-z_]+\b|\b(?:json|tool calls?|annotation|handle \w{1,3}\b|bounding box|observation)\b"
    r"|[{}\[\]<>]"
)
_DIRECTIONS = re.compile(
    r"\b(?:left|right|ahead|behind|straight|forward|back|around|degrees|met(?:er|re)s?|steps?|aisle|shel(?:f|ves)|front)\b",
    re.I,
)
_REQUESTS = re.compile(
    r"\b(?:turn|walk|go|head|step|move|look|pick|take|grab|check|try|follow|add|put|come|see|compare|choose)\b", re.I
)


def graded(share: float, steps: Sequence[float] = SHARES) -> int:
    """1 to 5: one more than the number of steps that ``share`` reaches."""
    return 1 + sum(share >= step for step in steps)


def informativeness(transcript: Transcript) -> int:
    """Share of turns, the first left out, that name a product, a place, a price or a direction."""
    turns = transcript.episode.turns[1:] or transcript.episode.turns
    return graded(_share(_is_specific(transcript, turn.assistant.utterance) for turn in turns))


def naturalness(transcript: Transcript) -> int:
    """Share of turns that read like speech: some words but at most 70, no codes or inner workings, not shouted, and
    not begun with the same five words as the turn before."""
    said = [turn.assistant.utterance for turn in transcript.episode.turns]
    before = ["", *said[:-1]]
    return graded(_share(_is_natural(text, earlier) for text, earlier in zip(said, before, strict=True)))


def proactiveness(transcript: Transcript) -> int:
    """Share of turns in which the assistant asks, directs or suggests something, and the shopper does not stand still
    in silence."""
    return graded(_share(_moves_on(transcript, turn) for turn in transcript.episode.turns))


def non_repetition(transcript: Transcript) -> int:
    """Share of utterances that were said before (similarity 92% or more): none is 5, at most 10% 4, 25% 3, 50% 2."""
    said = [turn.assistant.utterance.lower() for turn in transcript.episode.turns]
    repeats = _share(_was_said(text, said[:index]) for index, text in enumerate(said))
    return 5 - sum(repeats > step for step in _REPEATS)


def _is_specific(transcript: Transcript, text: str) -> bool:
    index = transcript.index
    return bool(index.products(text) or index.places(text) or amounts(text) or _DIRECTIONS.search(text))


def _is_natural(text: str, earlier: str) -> bool:
    words = text.split()
    shouted = text.isupper() and len(words) > 2
    same_opening = len(words) >= _OPENING_WORDS and words[:_OPENING_WORDS] == earlier.split()[:_OPENING_WORDS]
    return 0 < len(words) <= _LONGEST and not shouted and not same_opening and not _JARGON.search(text)


def _moves_on(transcript: Transcript, turn: TurnRecord) -> bool:
    text = turn.assistant.utterance
    named = transcript.index.products(text) or transcript.index.places(text)
    leads = "?" in text or bool(_REQUESTS.search(text)) or bool(named)
    stands_still = turn.user.tool_executed.tool == Tool.IDLE and not turn.user.utterance.strip()
    return leads and not stands_still and turn.user.refusal is None


def _was_said(text: str, earlier: Sequence[str]) -> bool:
    return any(fuzz.ratio(text, other) >= REPEATED for other in earlier)


def _share(holds: Iterable[bool]) -> float:
    outcomes = list(holds)
    return sum(outcomes) / len(outcomes) if outcomes else 0.0
