"""Letters as handles: products of the assistant, fixtures and stores of the user, areas of both."""

import re

from siturec_gym.wrappers.spoken_handles.token import (
    CLOSED,
    IN_BRACKETS,
    OUT_OF_BRACKETS,
    SENTENCE_START,
    Token,
    Verdict,
    after,
    before,
)

_THING = (
    r"(?:is|isn't|has|costs|contains|looks|seems|fits|was|comes|weighs|tastes|doesn't|does|sounds|feels|works|would)\b"
)
_DESCRIBED = after(r"\s+" + _THING)
_BESIDE_LETTER = after(r",?\s+(?-i:(?:(?:and|or)\s+)?[B-HJ-Z]\b(?!'))")
_LINKED = after(
    r"\s+(?:and|or|for|if|in|on|with|instead|to|because|then|please|first|now|but|at|by|will|could|should|might|too|again"
    r"|next)\b"
)
_VITAMINS = before(r"\bvitamins?\s+(?:[A-Z]\d{0,2}(?:,?\s+and\s+|,\s*))+")
_GRADE = before(
    r"\b(?:an?|the|vitamins?|grade|plan|class|size|type|hepatitis|group|from|team|brand|category|series|model|score"
    r"|options?|choices?|name is|name's|rated|scored?|graded"
    r"|there|good|no|any|some)\s+|\d\s*"
)
_GRADED = after(r"\s+(?:vitamins?|numbers?|batter\w+|positive|negative|units?|degrees?|cream|to Z)\b|\s+\d")
_CHATTED = after(
    r"\s+(?:can|could|should|may|might|r|want|need|like|have|will|would|are|do|don't|get|take|know|got)\b|\s*[,!]"
)
_CHAT = frozenset("KORUY")
_ABBREVIATIONS = frozenset(("AC", "AD", "AI", "AM", "AV", "BA", "BB"))
_ADDRESS = before(
    r"\b(?:to|at|by|near|from|into?|of|between|towards?|around|past|behind|beside|opposite|reach|see|visit|mean|is|it's"
    r"|is it|was it"
    r"|that's|enter|find|via|says?|does|was|called|are|not|leav(?:e|ing)|left|approach(?:ing)?|pass(?:ed|ing)?|reached|visited|entered|(?:in|out)side"
    r"|fac(?:e|ing)|before|after|try|check|about)\s+"
)
_WHERE = after(r"\s+(?:on (?:my|the|your)|ahead|in front|to (?:my|the) (?:left|right)|behind|next|nearby|over there)\b")
_PICKED = before(r"\b(?:pick up|take|grab|try|choose|check|mean|recommend|suggest|about|putting|holding)\s+")
_ITEMISED = after(r"\)")
_BRACKET = re.compile(r"\([^)]*$")
_OTHER_CODE = before(
    r"\b(?:an?|flat|apartment|unit|house|room|suite|seat|gate|model|size|vitamins?|format|type)\s+(?:number\s+)?"
)
_OTHER_THING = after(r"\s+(?:paper|sheets?|size|format|sockets?|batter\w+|vitamins?|pencils?|prints?|of\b)")


def judge_product(token: Token) -> Verdict:
    """A known letter or two, in capitals, said by the assistant."""
    if token.said == "I":
        if token.follows(_PICKED) and token.precedes(CLOSED):
            return Verdict.YES
        return Verdict.DOUBT if token.precedes(CLOSED) or token.precedes(_DESCRIBED) else Verdict.NO
    if _something_else(token):
        return Verdict.NO
    if token.said in _CHAT and token.precedes(_CHATTED) and token.follows(SENTENCE_START):
        return Verdict.NO
    if token.said == "A" and not _named_a(token):
        return Verdict.NO
    if token.said in _ABBREVIATIONS and not token.follows(_ADDRESS):
        return Verdict.DOUBT
    return Verdict.YES


def judge_place(token: Token) -> Verdict:
    """Two known letters, in capitals, said by the user."""
    if _something_else(token):
        return Verdict.NO
    opens = token.follows(SENTENCE_START) and token.precedes(_DESCRIBED)
    bracketed = token.follows(IN_BRACKETS) and token.precedes(OUT_OF_BRACKETS)
    placed = token.follows(_ADDRESS) or token.precedes(_WHERE)
    return Verdict.YES if opens or bracketed or placed else Verdict.DOUBT


def judge_area(token: Token) -> Verdict:
    """A known area, written as its handle."""
    other = token.follows(_OTHER_CODE) or token.precedes(_OTHER_THING)
    return Verdict.NO if other or token.said != token.handle else Verdict.YES


def _something_else(token: Token) -> bool:
    """Whether it is a grade, a unit, a vitamin, or one of many capitals in a text that is shouted."""
    shouted = token.text.isupper() and len(token.text.split()) > 2
    itemised = token.precedes(_ITEMISED) and not token.follows(_BRACKET)  # "A) oat, B) soy"
    return shouted or itemised or token.follows(_GRADE) or token.follows(_VITAMINS) or token.precedes(_GRADED)


def _named_a(token: Token) -> bool:
    """Whether "A" is no article: something is said of it, or no noun follows."""
    if token.precedes(_DESCRIBED) or token.precedes(_BESIDE_LETTER):
        return True
    return not token.follows(SENTENCE_START) and (token.precedes(CLOSED) or token.precedes(_LINKED))
