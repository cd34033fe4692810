"""A token that may be a handle, and how patterns look at what stands before and after it."""

import re
from dataclasses import dataclass
from enum import Enum, auto

_LOOK_BACK = 40


class Verdict(Enum):
    """What a token's own surroundings say about it. In doubt, it goes with a token it is joined to."""

    NO = auto()
    DOUBT = auto()
    YES = auto()


@dataclass(slots=True)
class Token:
    """A token of the form of a handle.

    Attributes:
        handle: The handle it would be.
        known: Whether that handle stands for something now.
    """

    text: str
    start: int
    end: int
    handle: str
    known: bool
    verdict: Verdict = Verdict.DOUBT

    @property
    def said(self) -> str:
        """The token as it was said."""
        return self.text[self.start : self.end]

    def follows(self, cue: re.Pattern[str]) -> bool:
        """Whether the text before it ends with ``cue``, made by ``before``."""
        return cue.search(self.text[max(0, self.start - _LOOK_BACK) : self.start]) is not None

    def precedes(self, cue: re.Pattern[str]) -> bool:
        """Whether the text after it begins with ``cue``, made by ``after``."""
        return cue.match(self.text, self.end) is not None


def before(pattern: str) -> re.Pattern[str]:
    """A cue that ends where the token begins, an opening quote or bracket between."""
    return re.compile(rf"(?:{pattern})[\"'(\[]?$", re.IGNORECASE)


def after(pattern: str) -> re.Pattern[str]:
    """A cue that begins where the token ends, a closing quote or bracket between."""
    return re.compile(rf"[\"')\]]?(?:{pattern})", re.IGNORECASE)


CLOSED = after(r"\s*(?:[.,;:?!)\]]|$)")
SENTENCE_START = before(r"(?:^|[.!?;:\n]\s*)")
IN_BRACKETS = re.compile(r"[(\[\"']$")
OUT_OF_BRACKETS = re.compile(r"[)\]\"']")
COUNTED = after(
    r"\s*(?:%|percent\b|dollars?\b|bucks?\b|cents?\b|usd\b|eur\w*\b|met(?:er|re)s?\b|[cmk]?m\b|steps?\b|deg(?:rees?)?\b"
    r"|[mk]?g\b|gr\b|grams?\b|[mc]?l\b|lit(?:er|re)s?\b|oz\b|lbs?\b|kcal\b|calories\b|x\b|k\b|[ap]m\b|o'clock\b|minutes?\b"
    r"|hours?\b|days?\b|years?\b|people\b|persons?\b|adults?\b|kids\b|children\b|packs?\b|bottles?\b|pieces?\b|rolls?\b"
    r"|bags?\b|boxes\b|cans?\b|jars?\b|servings?\b|portions?\b|times\b|out of\b|of\b|or (?:more|less|so)\b|more\b"
    r"|at (?:home|most|least)\b|max\b|to \d)"
)
