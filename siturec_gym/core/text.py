"""Text as it may cross the environment's boundary: one fixed charset, accents folded."""

import json
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

UTTERANCE_LIMIT = 512
NAME_LIMIT = 128
REASON_LIMIT = 256
CHARSET = "".join(map(chr, range(0x20, 0x7F))) + "\n"
_ALLOWED = frozenset(CHARSET)
_ENCODER = json.JSONEncoder(separators=(",", ":"))
_PARSED_LIMIT = 1 << 14
_PARSED: dict[str, dict[str, Any]] = {}
_PUNCTUATION = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2026": "...",
        "\u00a0": " ", "\t": " ", "\r": " ", "\u00d7": "x", "\u20ac": "EUR", "\u00df": "ss", "\u00e6": "ae",
        "\u00f8": "o", "\u00c6": "AE", "\u00d8": "O",
    }
)  # fmt: skip


def normalise(text: str, limit: int | None = UTTERANCE_LIMIT) -> str:
    """Fold ``text`` to the charset (accents dropped, other characters become "?") and cut it to ``limit``."""
    if text.isascii() and text.isprintable():  # printable ASCII is the charset without the line break
        return text if limit is None else text[:limit]
    if not text.isascii() or "\t" in text or "\r" in text:
        text = unicodedata.normalize("NFKD", text.translate(_PUNCTUATION))
        text = "".join(c for c in text if not unicodedata.combining(c))
    if not _ALLOWED.issuperset(text):
        text = "".join(c if c in _ALLOWED else "?" for c in text)
    return text if limit is None else text[:limit]


def dump_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """One JSON object a line, as Text observations hold them."""
    return "\n".join(map(_ENCODER.encode, records))


@lru_cache(maxsize=4096)
def parse_line(line: str) -> dict[str, Any]:
    """The JSON object of one line, such as a line of the history, which both roles read every turn; read-only."""
    parsed: dict[str, Any] = json.loads(line)
    return parsed


@lru_cache(maxsize=512)
def parse_lines(text: str) -> tuple[dict[str, Any], ...]:
    """The JSON objects of a Text observation. Each line is parsed once; treat the result as read-only.

    A history grows by a line a move, so lines are remembered; lines not met before are parsed together.
    """
    lines = [line for line in text.split("\n") if line]
    found = {line: _PARSED.get(line) for line in lines}  # one look at what threads share: it may be cleared meanwhile
    new = [line for line, record in found.items() if record is None]
    if new:
        parsed = dict(zip(new, json.loads(f"[{','.join(new)}]"), strict=True))
        if len(_PARSED) + len(new) > _PARSED_LIMIT:
            _PARSED.clear()
        _PARSED.update(parsed)
        found |= parsed
    return tuple([record for record in map(found.get, lines) if record is not None])
