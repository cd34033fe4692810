"""How shoppers end a conversation and how they go on with it, as patterns over canonical clauses.

``clauses`` brings free text to one form: lower case, contractions spelled out, filler words dropped, one clause at a
time. The patterns below can then stay short. ``$`` and ``^`` are the ends of a clause.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from siturec_gym.core.text import normalise

_SPELLED_OUT = {
    "im": "i am", "i'm": "i am", "i'll": "i will", "ill": "i will", "i've": "i have", "ive": "i have",
    "i'd": "i would", "we're": "we are", "we'll": "we will", "you're": "you are", "youre": "you are",
    "you've": "you have", "it's": "it is", "that's": "that is", "thats": "that is", "that'll": "that will",
    "there's": "there is", "theres": "there is", "what's": "what is", "where's": "where is", "wheres": "where is",
    "let's": "let us", "lets": "let us", "gotta": "have to", "gonna": "going to", "wanna": "want to",
    "won't": "will not", "wont": "will not", "can't": "can not", "cant": "can not", "cannot": "can not",
    "don't": "do not", "dont": "do not", "didn't": "did not", "isn't": "is not", "isnt": "is not",
    "ain't": "is not", "aren't": "are not", "doesn't": "does not", "haven't": "have not", "havent": "have not",
    "wouldn't": "would not", "shouldn't": "should not", "thx": "thanks", "ty": "thanks", "tnx": "thanks",
    "thankyou": "thanks", "cya": "see you", "ya": "you", "u": "you", "nvm": "never mind", "nah": "no", "nope": "no",
    "anymore": "any more", "ok": "okay", "alright": "okay", "k": "okay", "im'a": "i will",
}  # fmt: skip
_FILLERS = re.compile(
    r"\b(?:i (?:think|guess|suppose|believe)|for (?:now|today|the moment)|kind of|okay|well|oh|ah|um|uh|hmm|actually"
    r"|just|then|now|really|please|so|simply|honestly|today|yeah|yes|hey|anyway|very|sorry|sadly|unfortunately)\b"
)
_SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
_CLAUSE_BREAK = re.compile(r",|:| - |\bbut\b|\band\b|\bthough\b|\bbecause\b|\bsince\b")
_CONDITION = re.compile(r"\b(?:if|unless|otherwise|or else|in case)\b")

I_WILL = (
    r"(?:\bi (?:will|would rather|would prefer to|prefer to|should|am going to|want to|would like to|had better"
    r"|better|have to|need to|must|have got to|got to|might)|^have to|time (?:for me )?to|let us|let me)(?: better)?"
)
ELSEWHERE = (
    r"(?:somewhere else|elsewhere|online"
    r"|(?:to |at |in )?(?:another|a different|some other) (?:store|shop|supermarket|place))"
)

ENDING = (
    r"\b(?:good ?bye|bye(?: ?bye)?|farewell)\b",
    r"\bsee you(?: (?:later|around|soon|next time|tomorrow))?$",
    r"^(?:take care|so long|ciao|until next time)$",
    r"\bhave a (?:nice|good|great|lovely|wonderful|pleasant) (?:day|one|evening|night|weekend|time|afternoon)",
    r"\b(?:give|giving|gave) up(?: (?:looking|searching|trying|shopping|here|on (?:this|it|everything|you|finding.*"
    r"|the (?:search|idea|whole thing))))?$",
    r"\bcall(?:ing)? it (?:a day|quits|a night)",
    r"^(?:forget|scrap) (?:it|this|about it|the whole thing|everything|that)$",
    r"^(?:let us )?(?:leave|drop|skip) it(?: (?:there|here|at that))?$",
    r"\bnever ?mind$",
    r"\bi (?:am|will be) (?:off|out(?: of here)?|heading (?:out|home|off)|going home|walking (?:out|away)"
    r"|on my way(?: (?:out|home))?)$",
    r"\bi (?:am|will be) leaving(?: (?:the (?:store|shop)|without.*|empty.?handed|here|with nothing))?$",
    I_WILL + r" (?:(?<!let us )go|run|leave|head (?:home|out|off)|be (?:off|going)|get going|go home)"
    r"(?: (?:without.*|empty.?handed|the (?:store|shop)|it (?:there|here|at that)|with nothing))?$",
    I_WILL + r" (?:shop|look|try|go|buy|get|check|find)(?: (?:it|one|this|that|my \w+))? " + ELSEWHERE,
    r"^(?:i will )?(?:try|go|head) " + ELSEWHERE,
    r"\bi (?:will|might|can) (?:come|stop|drop|be) (?:back|by)"
    r" (?:another|some other|some|a different|later|tomorrow|next)(?: (?:time|day|week))?$",
    r"^(?:maybe |perhaps )?(?:another|some other|next) (?:time|day)(?: (?:maybe|perhaps|thanks))?$",
    r"\bnot (?:need|want|require|needing)(?: (?:to hear|any|any more|more|further|your|you|other|additional))*"
    r" (?:help|assistance|advice|suggestions?|recommendations?|guidance|ideas)\b",
    r"\bnot (?:need|want|be needing|needing|require) anything(?: (?:else|more|further|any more))?$",
    r"\bneed (?:no|nothing) (?:more|else|further|help)\b",
    r"^(?:no )?nothing (?:else|more|further)(?: (?:for me|i need|to buy|thanks))?$",
    r"\bno (?:more|further) (?:help|questions|suggestions|recommendations|assistance)\b",
    r"^(?:no )?(?:that is|that was|that will be|that would be) (?:all|it|everything)"
    r"(?: (?:for me|from me|i (?:need|needed|wanted|came for)|thanks|folks))*$",
    r"^(?:all )?(?:done|finished)(?: (?:here|shopping|thanks))?$",
    r"\b(?:i|we) (?:am|are) (?:all |pretty much |quite |completely |officially )?(?:done|finished|through)"
    r"(?: (?:here|shopping|looking|trying|talking|with (?:shopping|the shopping|you|everything|all (?:of )?this"
    r"|this (?:store|shop|search|conversation|shopping))))?(?: thanks)?$",
    r"\bi am all set\b(?! with| on)",
    r"\bi (?:will|can) (?:manage|handle it|take it from here|sort it out)(?: from here)?$",
    I_WILL + r" .*(?:on my own|by myself|(?<!to )myself|alone|without (?:you|your help|any help|help|assistance))"
    r"(?: from here)?(?: thanks)?$",
    r"\bi can .*(?:on my own|by myself|myself|alone)(?: thanks)?$",
    r"\bleave me (?:alone|be|in peace)\b",
    r"\bstop (?:recommending|suggesting|helping|talking|bothering|following|asking|it)(?: (?:me|things|stuff|us))?$",
    r"\b(?:waste|wasting) (?:of )?(?:my |our )?time\b",
    r"\b(?:it|this|that) is (?:hopeless|pointless|not working|going nowhere)\b",
    r"\b(?:getting|going) (?:us |me )?nowhere\b",
    r"\bnot (?:interested|shopping|buying)(?: in .*| anything)? any more\b",
    r"\bno longer (?:interested|shopping|buying|looking)$|\bno longer (?:need|want) (?:any |your )?(?:help|anything)",
    r"\b(?:take|taking) my (?:business|money) " + ELSEWHERE,
    r"\bnot interested in (?:buying|shopping|anything|any of (?:it|this|these|them))",
    r"\bnot (?:(?:want|going) to )?(?:buy|buying|get|getting|purchase|take|taking) (?:anything|any of (?:it|this|these"
    r"|them))(?: (?:here|any more|after all|thanks))*$",
    r"\bi will (?:pass on (?:it all|everything|all of (?:it|them|this|these))|do without)$",
    r"\b(?:end|finish|stop|wrap)(?: up)? (?:this |the |our )?(?:here|conversation|chat|session|shopping|search"
    r"|things up)",
    r"\bwrapping up(?: (?:my|this|the) .*)?$|\bi will stop (?:looking|searching|shopping)$|^i (?:quit|surrender)$",
    r"^enough(?: (?:of this|is enough))?$",
    r"\b(?:had|have had) enough(?: of (?:this|it))?$",
    r"\b(?:fed up|can not be bothered|no point|lost patience|out of patience|sick of this)\b",
    r"\bdo not bother(?: (?:looking|any more))*$",
    r"\b(?:have|got|found) (?:everything|all)(?: that)? i (?:need|needed|wanted|came for)\b",
    r"\bi (?:will|am) (?:.* )?(?:to the (?:checkout|till|register|exit)s?|check out|pay)$",
    r"^(?:where|which way|how do i)\b.*(?:exit|way out|checkout|tills?)$",
)
GOING_ON = (
    r"^(?:look|check|compare|try|turn|walk|go|move)\b",
    r"^(?:what|where|which|who|how|why|when|do|does|is|are|can|could|would|should|may|shall|any|got)\b",
    r"\b(?:show|take|guide|lead|bring|point|find|get|give|tell|suggest|recommend|help|teach) (?:me|us)\b",
    r"\b(?:i|we|let me|let us)(?: (?:will|can|could|would|should|am|would like to|want to|need to|going to|rather|still"
    r"|also|first))* (?:look|see|check|compare|try|think|read|go|walk|head|turn|step|move|pick|grab|inspect|examine"
    r"|keep|continue|find|need|want|prefer|have a|take a|like|wonder|looking|hold on|consider)\b",
    r"\b(?:looking for|instead|another|something (?:else|similar|different|\w+er)|anything (?:cheaper|similar|like)"
    r"|other (?:options?|ones?|brands?|kinds?)|alternatives?|keep (?:looking|going|searching)|one more|next one"
    r"|hold on|wait|hang on)\b",
)
DENIAL = (r"^(?:no|no thanks|not|not today|none|nothing|no need|no i do not|i do not|not interested|no need thanks)$",)
CONTENT = (r"^(?:i am|all|we are) (?:good|fine|okay|set|all set)(?: (?:thanks|here))*$",)
COURTESY = (
    r"^(?:many )?thanks(?: (?:a lot|so much|again|for .*|a million|much))*$",
    r"^(?:great|perfect|wonderful|lovely|awesome|cool|excellent|fantastic|got it|sounds good|will do|good)$",
    r"^(?:you too|same to you|likewise|cheers|much appreciated|i appreciate (?:it|that|your .*)|appreciate it)$",
    r"^(?:that (?:helps|helped)|you have been .*|you are (?:kind|great|the best|a star))$",
)
ASSISTANT_CLOSING = (
    r"\b(?:you are welcome|my pleasure|glad (?:i|to)|happy (?:to have|i could|shopping)|enjoy (?:your|the|it)"
    r"|have a (?:nice|good|great|lovely|wonderful)|good ?bye|bye|take care|see you|thanks for (?:shopping|visiting"
    r"|coming))\b",
)
ASSISTANT_OFFER = (
    r"\b(?:anything else|anything more|something else|else (?:i|you)|more help|further help|any more|need help"
    r"|can i help|help you (?:with|find)|shall i (?:keep|go on|continue)|want me to (?:keep|continue|help|show)"
    r"|(?:see|show you|hear) (?:more|other|another|some)|keep (?:looking|going|searching)|continue|more options"
    r"|still want|still need|look further|carry on)\b",
)
_NEGATED = re.compile(r"\b(?:not|never|before|until|rather than|instead of|without|when|once|while|after|ready to)\b")


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[tuple[str, bool], ...]:
    """Canonical clauses of free text, each with whether its sentence is a question. Conditional sentences drop out."""
    found = []
    for sentence in _SENTENCE.findall(normalise(text, limit=None).lower()):
        plain = _canonical(sentence.rstrip(".!?;\n "))
        if not _CONDITION.search(plain):
            pieces = (" ".join(_FILLERS.sub(" ", piece).split()) for piece in _CLAUSE_BREAK.split(plain))
            found += [(piece, "?" in sentence) for piece in pieces if piece]
    return tuple(found)


def matches(patterns: Iterable[str], clause: str) -> bool:
    """Whether any pattern is found in the clause."""
    return _union(tuple(patterns)).search(clause) is not None


@lru_cache(maxsize=64)
def _union(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns) or "(?!)")


def takes_leave(text: str) -> bool | None:
    """True for words that end the conversation, False for words that go on with it, None for words that do neither.

    The last clause that does either decides.
    """
    return next((over for over in map(_leaning, reversed(clauses(text))) if over is not None), None)


@lru_cache(maxsize=4096)
def _leaning(clause: tuple[str, bool]) -> bool | None:
    words, question = clause
    if ends(words) and (not question or matches(ENDING[-1:], words)):
        return True
    return False if question or matches(GOING_ON, words) else None


def ends(clause: str) -> bool:
    """Whether the clause ends the conversation and nothing before the words that do takes it back."""
    if not matches(ENDING, clause):
        return False
    found = (re.search(pattern, clause) for pattern in ENDING)
    return any(match is not None and not _NEGATED.search(clause[: match.start()]) for match in found)


def _canonical(sentence: str) -> str:
    words = re.findall(r"[a-z0-9']+|[,:]|(?<!\w)-(?!\w)", sentence)
    spelled = " ".join(_SPELLED_OUT.get(word, word) for word in words)
    return spelled.replace("thank you", "thanks")
