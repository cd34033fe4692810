"""Numbers as handles: fixtures and stores of the assistant, products of the user."""

import re

from siturec_gym.wrappers.spoken_handles.token import CLOSED, COUNTED, Token, Verdict, after, before

_NO_NAME = before(
    r"\b(?:aisles?|checkouts?|sizes?|levels?|steps?|options?|vitamins?|budget(?: is| of)?|page|floor|row|lane|till|day"
    r"|turn|part|points?|room|line|age|aged|top|first|last|next|these|those|only|just|least|most|all|another|every)\s+"
)
_GOES_ON = after(
    r"\s*(?:[.,;:?!)\]]|$|-\s)|\s+(?:is|isn't|was|are|has|have|had|hold|sell|stock|does|doesn't|looks?|seems?|costs?|contains?|would|will"
    r"|could|can|should|might|fits?|sounds?|feels?|tastes?|comes|and|or|on|in|with|without|instead|back|now|first|please|pls"
    r"|then|to|because|since|from|that|for|if|but|so|here|there|as|at|before|after|again|over|through|vs|versus|than|nor"
    r"|not|too|also|which|where|right|behind|when|while|directly|next|yet|already|whenever|once|unless|though|say|look|either|still|really)\b"
)
_ENOUGH = after(
    r"\s+(?:(?:is|are|was|be|would be|would|will)\s+)?(?:too (?:many|much|few|late|early|far)"
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
    r"|\b(?:near|visit|approach|enter|leav(?:e|ing)|past|behind|beside|opposite)\s+|\bnext stop:?\s+"
    r"|\bmove_to_\w+(?: on| to)?\s+"
    r"|\b(?:are you|you are|i'm|stop|stand|wait|meet|arrived?|look|be|stay)\s+(?:now\s+|right\s+|already\s+)?at\s+"
    r"|\b(?:front|back|side|left|right|end) (?:side )?of\s+"
    r"|\b(?:left|right|ahead|behind you|in front of you|nearest|next one|place) is\s+|\btry(?:ing)?\s+"
    r"|\b(?:skip(?:ping)?|into|inside|(?:is|are|it's|you're|stands?|kept|stocked) in|come to)\s+"
    r"|\b(?:place|stand|shelf|freezer|cooler|chest|fixture|store|area|section|corner|spot)\b[^.?!,;]{0,30} is\s+"
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
    r"|look(?:ing|ed)? at|(?:price|details|look|cost|ingredients|taste|size) of|examin(?:e|ing)|keep(?:ing)?"
    r"|skip(?:ping)?|go(?:ing)? with|buy(?:ing)?|found|got|never mind|tried|try(?:ing)?|something like|similar to"
    r"|neither|instead of|not have"
    r"|scann?(?:ing|ed)?|consider(?:ing)?|thinking (?:of|about)"
    r"|(?:tell me|know|what|info|information|details|more|curious|ask|asking|asked|talk|talking|sure|think)"
    r" (?:more )?(?:about|on))\s+"
)
_FOUND_ON = before(
    r"\b(?:labels?|price|sticker|tag|sugar|salt|fat|protein|info|information|ingredients|allergens|says?|print)"
    r" (?:on|in|for)\s+"
)
_ADDED = before(r"\badd(?:ing)?\s+")
_TO_CART = after(r"\s+to (?:my|the|our) (?:cart|basket|trolley)")
_BOTH = before(r"\bboth\s+(?:\d+\s+and\s+)?")
_BOTH_ARE = after(r"(?:\s+and\s+\d+)?\s+(?:look|are|seem|have|taste|fit|sound|work|cost|contain)\b(?! (?:too|enough))")
_VERSUS = after(r"\s+(?:vs\.?|versus)\s+\d+\b")
_RIGHT = after(r",\s*(?:right|isn't it|correct|yes|yeah|no)\b")
_SHOWN = before(r"\b(?:with|has|says?|shows?) (?:the|a) (?:number |figure )?")
_ON_IT = after(r"\s+(?:on|printed|written)\b")
_IS_THAT = before(
    r"\bis (?:the|that|this)\b(?![^.?!]*\b(?:price|cost|total|budget|limit|size|time|age|temperature)\b)"
    r"[a-z' -]{3,40}\s"
)
_END_OF_QUESTION = after(r"\s*\?")
_SEEN = before(r"\b(?:see|saw|like|love|want|add(?:ing)?|try)\s+")
_LISTED = after(r",\s*\d+\b|\s+(?:and|or)\s+\d+\s*(?:[.,;?!]|$|in\b|on\b)")
_QUANTITIES = frozenset("123")
_TAKEN = before(r"\b(?:take|buy|got|found|try)\s+")
_LOOKS = after(
    r"\s+(?:is|looks?|has|seems?|sounds?|costs?|contains?|fits?|isn't|doesn't|was|tastes?|feels?|comes|weighs|works)\b"
)
_ASKED = before(_CLAUSE + r"(?:is|does|isn't|doesn't|has)\s+")
_QUALITY = after(r"\s+(?!\w+s\b|people|men|women)[a-z]")
_OF_WHICH = before(r"\b(?:does|doesn't|do|did|will|would|could|can|should|has|is)\s+")
_SERVES = after(r"\s+(?:have|contain|cost|work|fit|taste|come|weigh|need|look|go|include|suit|last|smell|feel|say)\b")
_CLEFT = before(r"\b(?:is it|it's|it is|was it)\s+")
_THAT = after(r"\s+(?:that|you)\b")
_COMMA = before(r",\s*")
_RESUMED = after(r",\s*(?:is|does|that|the|it|has|looks|seems)\b")
_WHAT_IS = before(r"\b(?:what|which)\b[^.?!]{0,30}\b(?:is|are|does|has)\s+|\bwhat's\s+")
_LIKED = before(r"(?<!'d )(?<!would )(?<!something )\b(?:likes?|loves?|prefers?|enjoy)\s+")
_NOT = before(_CLAUSE + r"not\s+")
_SIGHT = before(r"\b(?:see|show me|view|inspect)\s+")
_CLOSE_UP = after(r"\s+(?:up close|closer|again|better|from)\b")
_IT_IS = after(r"\s+it is\b")
_LAST_CHOICE = before(r"(?:^|[,:;.!?]\s*)(?:\d+,\s*)*\d+,?\s+or\s+")
_CHOICE_END = after(r"\s*(?:\?|:|,\s*which)")
_BETWEEN = before(r"\bbetween\s+\d+\s+and\s+")
_WHICH = after(r"\s*(?:,\s*)?(?:which|what|is)\b|\s*\?")
_PAIRS = (
    (_SEEN, _LISTED), (_CLAUSE_START, _LOOKS), (_CLEFT, _THAT), (_CLEFT, _RIGHT), (_COMMA, _RESUMED),
    (_BETWEEN, _WHICH), (_ADDED, _TO_CART), (_BOTH, _BOTH_ARE), (_CLAUSE_START, _VERSUS), (_SHOWN, _ON_IT),
    (_IS_THAT, _END_OF_QUESTION), (_OF_WHICH, _SERVES), (_LIKED, CLOSED),
    (_SIGHT, _CLOSE_UP), (_CLAUSE_START, _IT_IS),
)  # fmt: skip
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
    paired = any(token.follows(cue) and token.precedes(rest) for cue, rest in _PAIRS)
    asked = (token.follows(_ASKED) and token.precedes(_QUALITY)) or token.follows(_WHAT_IS)
    if _quantity(token, asked=asked or paired):
        return Verdict.NO
    named = (
        asked
        or _chosen(token)
        or paired
        or (token.follows(_LAST_CHOICE) and token.precedes(_CHOICE_END) and not _HOW_MANY.search(token.text))
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
    if token.follows(_NOT) and token.precedes(CLOSED):
        return token.handle not in _QUANTITIES
    few = token.handle in _QUANTITIES and token.follows(_TAKEN) and "?" not in token.text
    return not few and (token.follows(_CHOSEN) or token.follows(_FOUND_ON))


def _aside(token: Token) -> bool:
    """Whether it stands in brackets after a word, and not in an enumeration."""
    bracketed = _ASIDE.search(token.text[: token.start]) and token.precedes(_ASIDE_END)
    return bool(bracketed) and not _ENUMERATION.search(token.text)
