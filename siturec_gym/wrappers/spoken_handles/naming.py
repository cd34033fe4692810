"""Tokens that something names as a label: "item C", "number 7", "the one marked 4"."""

from siturec_gym.wrappers.spoken_handles.token import CLOSED, COUNTED, Token, after, before

_LABELS = (
    "item", "product", "fixture", "number", "no.", "label", "marked", "tagged", "letter", "shel", "freezer", "cooler",
    "chest", "stand", "store", "area", "place", "#",
)  # fmt: skip
_NAMED = before(
    r"(?:\b(?:items?|products?|fixtures?|numbers?|no\.|labels?|label?led|marked|tagged|letters?|shelf|shelves|freezers?"
    r"|coolers?|chests?|stands?|stores?|areas?|places?)\s+(?:(?:number|no\.|with (?:the )?(?:number|letter|label))\s+)?"
    r"|#\s?)"
)
_OTHERWISE = before(r"\b(?:flat|apartment|unit|house|room|suite|phone|seat|gate) number\s+")
_PRAISED = before(r"(?:\b(?:my|your|our|the|you're|are|be)\s+|^)number\s+")
_ON_A_LEVEL = after(r"\s+(?:from (?:the )?(?:top|bottom)|levels?\b|down\b)")
_IS_A_THING = after(r"\s*(?:[.,;:?!)\]]|$)|\s+(?:is|has|costs|contains|looks|seems|fits|was)\b|\s+(?:and|or)\s+[A-Z]\b")
_NUMBER_SIGN = before(r"\bno\.\s+")
_WORDS = frozenset(("ad", "ah", "am", "an", "as", "at", "aw", "ax", "ay"))


def labels(text: str) -> bool:
    """Whether anything in the text could name a label: a quick look before a close one."""
    lowered = text.lower()
    return any(word in lowered for word in _LABELS)


def named(token: Token) -> bool:
    """Whether the token is named as a label, whether or not it stands for anything now."""
    return _may_be(token) and token.follows(_NAMED) and not token.follows(_OTHERWISE)


def _may_be(token: Token) -> bool:
    """Whether the token itself and what comes after it allow a label; looked at first, since it is quick to tell."""
    said = token.said
    if said[0].isdigit() or len(said) > 2:  # figures, or the word of a number
        if token.precedes(COUNTED) or token.precedes(_ON_A_LEVEL):
            return False
        return token.handle != "1" or not token.follows(_PRAISED)
    if said == "a":
        return token.precedes(CLOSED)
    if said in ("I", "i"):  # "the item I mentioned"
        return said == "I" and token.precedes(_IS_A_THING)
    if len(said) == 1:
        return not token.follows(_NUMBER_SIGN)
    return token.known and (said.isupper() or said.islower()) and said not in _WORDS
