"""Phrases that put a product forward, as patterns over lower-case text with short forms written out (S15).

Two kinds: requests and opinions, whose product usually follows ("try the ...", "I would go for the ..."), and verdicts,
whose product usually comes first ("the ... suits you").
"""

import re
from collections.abc import Iterable


def _any(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


def _words(text: str) -> str:
    return _any(*text.split())


_GAP = r"(?:\w+ ){0,3}?"
_CART = r"(?:your|the) (?:cart|basket|trolley|bag)"

_TAKE = _any(
    r"pick (?:\w+ )?(?:up|out)", r"reach (?:out )?for", r"go (?:ahead )?(?:for|with)", r"check(?: out)?", r"opt for",
    r"(?:have|take) (?:a|another) (?:\w+ )?look at", r"look (?:closely )?at", r"settle (?:for|on)", r"switch to",
    r"(?:start|begin|stick|stay) with", r"give", r"bring",
    _words("reach take grab get buy choose try consider add keep purchase hold fetch"),
    _words("inspect examine collect select lift"),
)  # fmt: skip
_OPINION = _any(
    r"recommend\w*", r"suggest\w*", r"propos\w+", r"advis\w+", r"favou?r", r"offer", r"prefer", r"like", r"love",
    r"point (?:you )?to(?:wards?)?", r"vote for", r"vouch for", r"swear by", r"lean to(?:wards?)?", r"opt for",
    r"go (?:for|with)", r"settle (?:for|on)", r"bet on", r"trust", r"root for", r"put forward", r"start with",
    r"present", r"introduce", r"pick(?:ed)?", r"chosen?", r"choose", r"selected", r"show you",
)  # fmt: skip
_BEST = _any(
    r"best", r"ideal", r"perfect", r"great", r"good", r"excellent", r"right", r"safer?", r"sensible", r"better",
    r"top", r"fine", r"smart", r"lovely", r"suitable", r"only", r"clear", r"obvious", r"first", r"strongest", r"solid",
    r"natural", r"sound", r"decent", r"wise", r"nice", r"wonderful", r"cheapest", r"closest", r"favou?rite", r"super",
)  # fmt: skip
_PICK = _any(
    r"choice", r"option", r"fit", r"match", r"pick", r"bet", r"one", r"alternative", r"treat", r"value", r"candidate",
    r"solution", r"answer", r"substitute", r"replacement", r"companion", r"contender", r"bargain", r"way to go",
)  # fmt: skip
_PRAISE = _any(
    r"perfect", r"ideal", r"great", r"excellent", r"wonderful", r"exactly", r"suitable", r"spot on", r"unbeatable",
    r"hard to beat", r"made for", r"the one", r"what (?:you|i)", r"just what", r"worth", r"the way to go", r"your best",
    r"right(?! (?:in|behind|next|there|here|ahead|beside|on|at|by|above|below|under|now|to|of))", r"well suited",
    r"a (?:sure |real |true )?(?:hit|winner|treat|gem|bargain|star|classic|must)",
    r"(?:the|my|a) (?:\w+ )?(?:winner|favou?rite)",
    r"next on my list", r"my (?:\w+ )?(?:choice|pick|tip|advice|suggestion|recommendation)", r"a (?:\w+ )?" + _PICK,
    r"for you",
)  # fmt: skip


def _union(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


REQUESTS = _union(
    (
        # an opinion of the assistant's own
        rf"\b(?:i|we)\b[^.,;!?]{{0,24}}?\b{_OPINION}\b",
        r"\b(?:i|we) (?:would|will|can|could) (?:\w+ )?(?:take|get|buy|pick|keep|say|have|try)\b",
        r"\b(?:i|we) (?:am|are) (?:\w+ )?(?:fan of|fond of|keen on|thinking of|going (?:for|with))",
        r"\b(?:steer|direct|guid|lead|nudg)(?:e|ing) you to(?:wards?)? the\b",
        r"\b(?:i|we) (?:have )?(?:got|have)\b[^.?!]*\bfor you\b",
        r"\ba (?:\w+ )?fan of\b|\bfound (?:one|you one|something)\b|\bin mind\b|\bhave just the\b",
        rf"\blet me (?:\w+ )?{_OPINION}\b",
        r"\bmy (?:\w+ )?(?:recommendation|suggestion|pick|choice|advice|tip|favou?rite|proposal|vote)\b",
        # asking to take it
        r"(?:^|[,;:] |- |\b(?:please|so|then|and|ahead|let us|why not|shall we|may i|better|now) )"
        rf"(?:please |just |simply |maybe |perhaps ){{0,2}}{_TAKE}\b",
        r"\b(?:swap|exchange|replace|trade|change) (?:it|this|that|them|\w+ one) (?:for|with|by|against)\b",
        rf"\b(?:put|drop|place|pop|toss|throw)\b[^.?!]*\bin(?:to)? {_CART}\b|\binto {_CART} with\b",
        rf"\b(?:could|can|will|would|should|might|may) you {_GAP}{_TAKE}\b|\byou (?:try|go for|go with|take)\b",
        rf"\byou (?:could|should|might|may|can|will want to|want to|ought to|had better) (?:\w+ )?{_TAKE}\b",
        r"\b(?:pop|tuck) (?:it|this|that|them)\b",
        # asking for a first impression
        r"\b(?:how|what) about\b|\bwhy (?:not|do not (?:you|we))\b",
        r"\bhow (?:would|do|does) [^.?!]{0,30}?(?:feel|sound|strike)\b",
        r"\bwhat (?:would|do) you (?:say to|think of|make of)\b",
        r"\b(?:interested in|open to|care for|fancy|tempted by)\b",
        r"\b(?:would|will) you be (?:happy|fine|okay|ok|all right) with\b",
        r"\bgive\b[^.?!]{0,30}\ba (?:try|go|chance|shot)\b",
        # naming the best
        rf"\b{_BEST} (?:\w+-?\w* )?{_PICK}\b",
        r"\bone that (?:fits|meets|matches|suits|would)\b",
        r"\bnothing (?:beats|tops|is better than|suits)\b|\bjust the thing\b",
        r"\b(?:leaves|brings|leads|takes|points) (?:us|me|you) (?:with|to)\b|\bcomes? down to\b|\blook no further\b",
        r"\bgo wrong with\b|\bsave (?:some )?money with\b|\bmoney is on\b",
        r"\bbetter off with\b|\bwork nicely\b|\b(?:happy|pleased) with\b",
        r"\bwould (?:the|a) [^,;]*\b(?:do|work|suit|be|help)\b|\bit has to be\b|\bit is ?[.!]*$",
        r"\bwell served by\b|\bpoints? to\b|\bmind (?:picking|taking|having|trying)\b|\bmeet the\b|\bsay hello to\b",
        r"\bonly (?:the )?(?:\w+ ){1,9}(?:qualifies|fits|remains|is left)\b",
    )
)
VERDICTS = _union(
    (
        r"\b(?:is|are|looks?|seems?|makes?|sounds?|remains?|becomes?"
        r"|(?:would|will|should|could|might|may) (?:be|make)) "
        rf"(?:(?:\w+ly|just|quite|so|really|still|also|the|certainly) )?{_PRAISE}\b",
        r"\b(?:suits?|fits?|match(?:es)?|meets?|ticks?|satisf(?:y|ies)|fulfils?|covers?) "
        r"(?:you|your|what|every|everything|all|the bill|both|that)\b",
        r"\b(?:will|would|should) (?:\w+ly )?(?:suit|work|do|meet|fit|match|serve|please|delight|go down|hit)\b",
        r"\bdeserves?\b|\bqualif(?:y|ies)\b|\b(?:has|have|gets?) my vote\b|\bstands? out\b|\bcomes? closest\b",
        r"\b(?:does|do) the (?:trick|job)\b|\bhits? the spot\b|\bsounds? like (?:you|your|the|a|what|something)\b",
        r"\b(?:you|they|he|she|kids|everyone|everybody|your \w+) (?:will|would|are going to|are sure to|should) "
        r"(?:\w+ )?"
        r"(?:love|like|enjoy|appreciate|be (?:\w+ )?(?:happy|pleased|glad|fine|satisfied))\b",
        r"\bnot (?:go wrong|find a better|disappoint|regret)\b|\bhow does (?:that|this|it) sound\b|\bchecks out\b",
        r"\bwhat i would\b|\bis the (?:\w+ )?(?:winner|one i)\b",
        r"\bworks? (?:\w+ )?(?:well|best|nicely|perfectly|for you)\b",
        r"\bi (?:am|feel) (?:sure|confident|certain|convinced)\b",
    )
)
SUBJECT_OF_A_PROSPECT = re.compile(
    r"(?: \w+){0,3}? (?:would|will|should|could|might|may)\b"
    r"(?! (?:\w+ )?(?:cost|contain|have|need|take|be (?:over|too|above|cheaper|dearer|fine except)|not)\b)"
)
"""What follows a product of which something good is expected: "the ... would go well with it"."""
NEUTRAL = re.compile(
    r"\b(?:is|are|was|were|am|be|been|has|have|had|having|do|does|did|can"
    r"|costs?|contains?|holds?|weighs?|comes? (?:in|with|to|as|from)|includes?"
    r"|lists?|lacks?|means?|needs?|says?|sees?|finds?|stands?|sits?|lies|hangs?|differs?|tastes?|smells?"
    r"|said|told|asked|talked|spoke|mentioned|turned|held|looked|liked|wanted|wished|rejected|refused|passed"
    r"|about|regarding"
    r"|go|goes|walk|head|turn|move|step|face|facing|follow|stop|wait|as for|thank|thanks|sorry|too|over|under|without"
    r"|which|what|who|where|when|why|whether|compare\w*|versus|cheaper|dearer)\b|[$%]"
    r"|\d (?:k?g|ml|kcal|l|minutes?)\b(?=[^.]*,)"
)
"""Words of facts, places, ways, earlier talk and comparisons. A product named without any of them is put forward."""
DOUBLE_NEGATION = re.compile(
    r"\bnot (?:go wrong|find a better|disappoint|regret)|\bwhy (?:not|do not)|\bnothing (?:beats|tops|is better|suits)"
)
