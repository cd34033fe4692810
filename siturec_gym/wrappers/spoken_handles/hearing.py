"""Finding the handles that a role says, and masking them.

Handles look like what people say all the time: "A" and "I" are words, "2" is a quantity, "5" a price. So a token of the
form of a handle is judged by its surroundings, and one that leaves doubt goes with the token it is joined to: in
"between C and D" both are handles, in "4 or 5 dollars" neither is.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

from siturec_gym.wrappers.spoken_handles import letters, numbers
from siturec_gym.wrappers.spoken_handles.naming import labels, named
from siturec_gym.wrappers.spoken_handles.token import Token, Verdict

MASK = "[handle]"
_NUMBERS_TO_TWENTY = """one two three four five six seven eight nine ten
eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"""
_NUMBER_OF = {word: str(number) for number, word in enumerate(_NUMBERS_TO_TWENTY.split(), start=1)}
_END = r"(?![\w%&/+-]|[.,:]\d|'(?!s\b)\w)"
# The first character leads, so that the search skips what begins no token; what stands before it is looked at next.
_CANDIDATE = re.compile(r"[A-Z\d](?<![\w.$%&/'+-][A-Z\d])(?:(?<=\d)\d{0,2}[A-Za-z]?|(?<=[A-Z])[A-Z]?\d{0,2})" + _END)
_IN_SMALL = re.compile(rf"[a-z](?<![\w.$%&/'+-][a-z])(?:[a-z]?\d{{0,2}}|{'|'.join(w[1:] for w in _NUMBER_OF)})" + _END)
_CATALOG_ID = re.compile(r"[A-Z](?<!\w[A-Z])\d{3,4}\b")
_JOIN = re.compile(
    r"[\"')\]]?(?:\s*,\s*(?:(?:and|or|then|and then)\s+)?|\s+(?:and|or|vs\.?|versus|nor|and not|or maybe|and then)\s+)"
    r"[\"'(\[]?"
)
_COMPARED = re.compile(r"\b(?:than|with|to|against|over|as)\s+$")
_FORMS = {
    "assistant": re.compile(r"[A-Z]{1,2}|\d{1,2}[a-z]?"),
    "user": re.compile(r"\d{1,3}|[A-Z]{2}|[A-Z]\d{1,2}"),
}


@dataclass(frozen=True, slots=True)
class Mention:
    """A handle in a text: where it stands and what was said."""

    start: int
    end: int
    said: str


class SpokenHandles:
    """Finds what one role may not say.

    Args:
        role: "assistant" or "user".
        catalog_ids: Ids that are the role's to use but not to say.

    Raises:
        ValueError: An unknown role.
    """

    def __init__(self, role: str, catalog_ids: Collection[str] = ()) -> None:
        if role not in _FORMS:
            raise ValueError(f"role: expected one of {', '.join(_FORMS)}, got {role!r}")
        self._form = _FORMS[role]
        self._letters = letters.judge_product if role == "assistant" else letters.judge_place
        self._numbers = numbers.judge_place if role == "assistant" else numbers.judge_product
        self._catalog_ids = frozenset(catalog_ids)

    def heard(self, text: str, known: Callable[[str], bool]) -> tuple[Mention, ...]:
        """The handles said in ``text``, in order.

        Args:
            text: An utterance.
            known: Tells whether a text is a handle of the role now.
        """
        found = [*_CANDIDATE.finditer(text), *(_IN_SMALL.finditer(text) if labels(text) else ())]
        found.sort(key=re.Match.start)
        tokens = [token for candidate in found if (token := self._token(text, candidate, known))]
        mentions = [Mention(token.start, token.end, token.said) for token in _agreed(text, tokens)]
        for candidate in _CATALOG_ID.finditer(text) if self._catalog_ids else ():
            if candidate[0] in self._catalog_ids:
                mentions.append(Mention(*candidate.span(), candidate[0]))
        return tuple(sorted(mentions, key=lambda mention: mention.start))

    def masked(self, text: str, known: Callable[[str], bool], limit: int) -> str:
        """The text with every handle in it replaced, cut to ``limit`` if that made it too long."""
        mentions = self.heard(text, known)
        if not mentions:
            return text
        ends = [0, *(mention.end for mention in mentions)]
        starts = [*(mention.start for mention in mentions), len(text)]
        kept = MASK.join(text[end:start] for end, start in zip(ends, starts, strict=True))
        return kept[: max(limit, len(text))]

    def _token(self, text: str, found: re.Match[str], known: Callable[[str], bool]) -> Token | None:
        said = found[0]
        handle = _as_handle(said)
        stands = known(handle)
        if not self._form.fullmatch(handle) or not (
            stands or len(said) == 1 or not said.isalpha() or said in _NUMBER_OF
        ):
            return None  # such as the word "or"
        token = Token(text, *found.span(), handle, stands)
        if named(token):
            token.verdict = Verdict.YES
        elif stands and said == handle:
            token.verdict = self._judge(token)
        else:
            return None
        return token

    def _judge(self, token: Token) -> Verdict:
        if token.handle.isdigit():
            return self._numbers(token)
        return self._letters(token) if token.handle.isalpha() else letters.judge_area(token)


def _as_handle(said: str) -> str:
    """The handle that a token may stand for: number words in digits, letters as handles are written."""
    if said in _NUMBER_OF:
        return _NUMBER_OF[said]
    return said.lower() if said[0].isdigit() else said.upper()


def _agreed(text: str, tokens: list[Token]) -> list[Token]:
    """The tokens that are handles once joined ones agree: a rejection spreads first, then an acceptance."""
    if all(token.verdict is not Verdict.DOUBT for token in tokens):
        return [token for token in tokens if token.verdict is Verdict.YES]
    for verdict in (Verdict.NO, Verdict.YES):
        for order in (1, -1):
            for at in range(len(tokens))[::order]:
                beside = at - order
                if 0 <= beside < len(tokens) and _follows_suit(text, tokens[at], tokens[beside], verdict):
                    tokens[at].verdict = verdict
    return [token for token in tokens if token.verdict is Verdict.YES]


def _follows_suit(text: str, token: Token, beside: Token, verdict: Verdict) -> bool:
    """Whether a token in doubt goes the way of the one beside it."""
    if token.verdict is not Verdict.DOUBT or beside.verdict is not verdict:
        return False
    first, second = sorted((token, beside), key=lambda one: one.start)
    between = text[first.end : second.start]
    if verdict is Verdict.YES and token is second and _COMPARED.search(between) and "." not in between:
        return True
    return _JOIN.fullmatch(between) is not None
