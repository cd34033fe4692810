"""Numbers as handles: fixtures and stores of the assistant, products of the user."""

import re

from siturec_gym.wrappers.spoken_handles.token import COUNTED, Token, Verdict, after, before

_NO_NAME = before(
    r"\b(?:aisles?|checkouts?|sizes?|levels?|steps?|options?|vitamins?|budget(?: is| of)?|page|floor|row|lane|till|day"
    r"|turn|part|points?|room|line|age|aged|top|first|last|next|these|those|only|just|least|most|all|both|another|every)\s+"
)
_GOES_ON = after(
    r"\s*(?:[.,;:?!)\]]|$|-\s)|\s+(?:is|isn't|was|are|has|have|had|hold|sell|stock|does|doesn't|looks?|seems?|costs?|contains?|would|will"
    r"|could|can|should|might|fits?|sounds?|feels?|tastes?|comes|and|or|on|in|with|without|instead|back|now|first|please|pls"
    r"|then|to|because|since|from|that|for|if|but|so|here|there|as|at|before|after|again|over|through|vs|versus|than|nor"
    r"|not|too|also|which|where|right|behind|when|while|directly|next)\b"
)
_ENOUGH = after(
    r"\s+(?:(?:is|are|was|be|would be|would|will|seems?|sounds?|looks?)\s+)?(?:too (?:many|much|few|late|early|far)"
    r"|enough|plenty|a lot|okay|ok|fine|do\b|suffice|my|the (?:limit|max\w*|budget|most|price))"
)
_CLAUSE = (
    r"(?:^|[.!?;:,\n]\s*|\b(?:and|but|so|or|well|ok|okay|hmm|then|think|guess|because|believe|since|hope|if|maybe)\s+)"
)
_CLAUSE_START = before(_CLAUSE)
_ASIDE = re.compile(r"\w\s*\($")
_ASIDE_END = re.compile(r"\)")
_ENUMERATION = re.compile(r"\(1\).*\(2\)")

# The assistant's places.
_GOAL = before(
    r"\b(?:go|going|walk(?:ing)?|head(?:ing)?|mov(?:e|ing)|return(?:ing)?|come|back|over|proceed|continue|get(?:ting)?"
    r"|navigate|way|on|across|straight|along)\s+(?:(?:over|back|on|straight|along|across|now|right|directly)\s+){0,2}"
    r"(?:to|towards?)\s+"
    r"|\b(?:is|are|located|found|stands?|you're|it's|kept|stocked)\s+(?:also\s+|now\s+)?at\s+"
    r"|\b(?:near|visit|approach|enter|past|behind|beside|opposite)\s+|\bnext stop:?\s+"
    r"|\b(?:you are|you're|stand(?:ing)?)\s+(?:\w+\s+)?between\s+(?:\d+\s+and\s+)?"
)
_FROM = before(r"\bfrom\s+")
_CONTINUE = after(r",\s*(?:continue|go|walk|head|turn|move)\b")
_IS = before(r"\b(?:is|it's|it is)\s+")
_ON_MAP = after(r"\s+on (?:my|the|your) map")
_HOLDS = after(r"\s+(?:is|has|holds|sells|stocks|carries|keeps|lies|stands)\b")
_TOGETHER = before(r"(?:^|[.!?;]\s*)(?:\d+,\s*)*\d+,?\s+and\s+")
_ALL_HOLD = after(r"\s+(?:are|have|hold|sell|stock)\b")

# The user's products.
_CHOSEN = before(
    r"\b(?:describe|grab(?:bing)?|tak(?:e|ing)|took|pick(?:ing|ed)?(?: up)?|hold(?:ing)?|put(?:ting)?|check(?:ing|ed)?"
    r"|compar(?:e|ing)|mean|prefer|choos(?:e|ing)|chose|replac(?:e|ing)|return(?:ing)?|drop(?:ping)?|why|inspect(?:ing)?"
    r"|looking at|look at|(?:price|details|look|cost|ingredients|taste|size) of|examin(?:e|ing)|keep(?:ing)?"
    r"|skip(?:ping)?|instead of|not have|scann?(?:ing|ed)?|consider(?:ing)?|thinking (?:of|about)"
    r"|(?:tell me|know|what|info|information|details|more|curious|ask|asking|asked|talk|talking|sure|think)"
    r" (?:more )?(?:about|on))\s+"
)
_SEEN = before(r"\b(?:see|saw|like|love|want|add(?:ing)?|try)\s+")
_LISTED = after(r",\s*\d+\b|\s+(?:and|or)\s+\d+\s*(?:[.,;?!]|$|in\b|on\b)")
_QUANTITIES = frozenset("123")
_TAKEN = before(r"\btake\s+")
_LOOKS = after(
    r"\s+(?:is|looks?|has|seems?|sounds?|costs?|contains?|fits?|isn't|doesn't|was|tastes?|feels?|comes|weighs|works)\b"
)
_ASKED = before(_CLAUSE + r"(?:is|does|isn't|doesn't|has)\s+")
_QUALITY = after(r"\s+(?!\w+s\b|people|men|women)[a-z]")
_CLEFT = before(r"\b(?:is it|it's|it is|was it)\s+")
_THAT = after(r"\s+(?:that|you)\b")
_COMMA = before(r",\s*")
_RESUMED = after(r",\s*(?:is|does|that|the|it|has|looks|seems)\b")
_LAST_CHOICE = before(r"(?:^|[,:;.!?]\s*)(?:\d+,\s*)*\d+,?\s+or\s+")
_CHOICE_END = after(r"\s*(?:\?|:|,\s*which)")
_BETWEEN = before(r"\bbetween\s+\d+\s+and\s+")
_WHICH = after(r"\s*(?:,\s*)?(?:which|what|is)\b|\s*\?")
_HOW_MANY = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)


def judge_place(token: Token) -> Verdict:
    """The number of a known place, said by the assistant."""
    if _quantity(token):
        return Verdict.NO
    named = (
        token.follows(_GOAL)
        or (token.follows(_FROM) and token.precedes(_CONTINUE))
        or (token.follows(_IS) and token.precedes(_ON_MAP))
        or (token.follows(_CLAUSE_START) and token.precedes(_HOLDS))
        or (token.follows(_TOGETHER) and token.precedes(_ALL_HOLD))
        or _aside(token)
    )
    return Verdict.YES if named else Verdict.DOUBT


def judge_product(token: Token) -> Verdict:
    """The number of a known product, said by the user."""
    asked = token.follows(_ASKED) and token.precedes(_QUALITY)
    if _quantity(token, asked=asked):
        return Verdict.NO
    named = (
        asked
        or _chosen(token)
        or (token.follows(_SEEN) and token.precedes(_LISTED))
        or (token.follows(_CLAUSE_START) and token.precedes(_LOOKS))
        or (token.follows(_CLEFT) and token.precedes(_THAT))
        or (token.follows(_COMMA) and token.precedes(_RESUMED))
        or (token.follows(_LAST_CHOICE) and token.precedes(_CHOICE_END) and not _HOW_MANY.search(token.text))
        or (token.follows(_BETWEEN) and token.precedes(_WHICH))
        or _aside(token)
    )
    return Verdict.YES if named else Verdict.DOUBT


def _quantity(token: Token, *, asked: bool = False) -> bool:
    """Whether it counts or measures something."""
    if token.precedes(COUNTED) or token.follows(_NO_NAME) or token.precedes(_ENOUGH):
        return True
    return not asked and not token.precedes(_GOES_ON)


def _chosen(token: Token) -> bool:
    """Whether it is the object of a verb of choice; "take 2" asks for two."""
    few = token.handle in _QUANTITIES and token.follows(_TAKEN) and "?" not in token.text
    return not few and token.follows(_CHOSEN)


def _aside(token: Token) -> bool:
    """Whether it stands in brackets after a word, and not in an enumeration."""
    bracketed = _ASIDE.search(token.text[: token.start]) and token.precedes(_ASIDE_END)
    return bool(bracketed) and not _ENUMERATION.search(token.text)
