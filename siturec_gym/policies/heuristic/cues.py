"""Cue words and patterns by which the assistant reads a shopper's attitude: negation, budget, acceptance, questions.

Patterns named for tokens match stemmed words without apostrophes ("do not", "it is"); the others match the text as it
was said, in lower case.
"""

import re

NEGATORS = frozenset(
    (
        "no", "not", "without", "avoid", "avoiding", "never", "nothing", "none", "hate", "dislike", "allergic",
        "allergy", "intolerant", "skip", "except", "minus", "nor", "neither", "bother", "upset", "exclude", "excluding",
    )
)  # fmt: skip
TURNS_POSITIVE = frozenset(
    ("but", "instead", "prefer", "want", "need", "like", "love", "looking", "should", "must", "rather")
)
ABOUT_IT = frozenset(("it", "this", "that", "these", "they", "one"))
THINGS = frozenset(("anything", "something", "nothing", "everything", "one", "product", "item"))
STATES = frozenset(
    ("is", "are", "was", "has", "have", "contain", "taste", "look", "smell", "seem", "come", "got", "lack")
)
MODALS = frozenset(("should", "must", "need", "would", "ought", "could"))
CLAUSE_END = frozenset((",", ".", "!", "?", ";", ":", "because", "since", "while", "although", "though", "so"))
ABSENCE_LABEL = re.compile(r"-free$|^un|^low-|^no |^decaf$|^skinless$|^seedless$")
INDIFFERENT = re.compile(r"\b(?:not mind|not matter|not important|not picky|no matter|fine with|not fussy|not care)\b")
SMALL_TALK_NOUNS = frozenset(("store", "shop", "day", "time", "place", "trip", "crowd", "aisle"))


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


UNWANTED_AFTERWARDS = _any(
    r"^(?:is|are)(?: really| just)?(?: a)? not (?:for me|my thing|ok|okay|an option|what)",
    r"^(?:is|are)(?: really| just)?(?: a)?(?: out\b| off the table| no go)",
    r"^(?:do|does|will|would) not (?:work|agree|suit)",
    r"^(?:upset|bother|make me|free\b)",
)

_AMOUNT = r"\$?(\d+(?:\.\d{1,2})?)"
BUDGETS = (
    re.compile(
        rf"{_AMOUNT}(?: dollar| buck)?s?(?: is| would be)?"
        r"(?:,? (?:or less|at most|tops|max|maximum|budget|limit|or under)\b)"
    ),
    re.compile(rf"(?:budget|limit|maximum|max|cap|spend|ceiling)\b[^.?!;$\d]{{0,40}}{_AMOUNT}"),
    re.compile(
        r"(?:under|below|less than|at most|no more than|not more than|up to|within|over my|above my|beyond my"
        rf"|cheaper than|keep it to|stay under|exceed|over the)\b[^.?!;$\d]{{0,24}}{_AMOUNT}"
    ),
)
BARE_AMOUNT = re.compile(r"\$(\d+(?:\.\d{1,2})?)|(\d+(?:\.\d{1,2})?) (?:dollar|buck|usd)")
ANY_NUMBER = re.compile(r"\b(\d+(?:\.\d{1,2})?)\b")
_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_NUMBERS)} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
}
WORDED_AMOUNT = re.compile(rf"\b({'|'.join(NUMBER_WORDS)})(?= (?:dollars?|bucks?)\b)")

TOO_DEAR = _any(
    r"too (?:expensive|pricey|dear|costly|much)",
    r"(?:over|above|beyond|outside|out of|exceeds?|more than)[^.?!]{0,20}(?:budget|limit|price range)",
    r"(?:over|above|beyond|more than)[^.?!]{0,20}(?:want to (?:pay|spend)|planned|afford)",
    r"can not afford|pricier than",
)
NO_MORE = _any(
    r"that is (?:all|everything|it\b|about it|what i need)|that (?:covers|sums)|^nope|^none\b|^no\b[.,! ]*(?:$|thank)",
    r"nothing (?:else|more|in particular|special|specific|further|to avoid|to add|comes?)",
    r"not (?:much|anything) (?:else|more)|no preferences?",
    r"no(?:thing)?,? (?:that|other|more|else|particular|special|preference|further|need|restriction|must)",
    r"not really|anything (?:is|would be) fine|as i said|i have told you|already (?:said|told|mentioned)",
    r"mentioned (?:this |that |it )?(?:before|already|earlier)|as (?:i )?mentioned|just (?:that|those|what)",
    r"(?:know|have) (?:it all|everything)|nothing (?:comes|springs) to|not right now|do not have (?:any|other|more)",
)
ALL_SAID = _any(
    r"that is (?:all|everything|what i need)|that (?:covers|sums)|(?:know|have|heard) (?:it all|everything|all)",
    r"nothing (?:else|more) (?:to add|matters|really)|no (?:other|further) (?:wish|need|requirement)",
)
REJECT = _any(
    r"\bpass\b|\bnot (?:for me|what i|right|suitable|quite|going to|buying|interested|convinced)",
    r"\bnot (?:a good fit|a match|it\b|good)",
    r"do not (?:want|like) (?:it|this|that)|can not (?:take|use|buy|eat|have) (?:it|this|that|one)",
    r"will not (?:work|do|take)|does not (?:work|fit|meet|match|suit)|too (?:expensive|pricey|dear|much|costly)",
    r"something else|another (?:one|option|product)|other option|different one|alternative|instead|no thank|rather not",
    r"(?:leave|put) (?:it|this|that)(?: back| here)?|not take|unfortunately|however|wanted",
)
ACCEPT = _any(
    r"\b(?:i will take|i take (?:it|this)|take it|add(?:ing)? it|buy it|happy with|i am convinced|good choice|deal)\b",
    r"\b(?:sounds?|looks?) (?:good|great|perfect|right|fine|suitable)|\bperfect\b|\bthat works\b|\bworks for me\b",
    r"into (?:my|the) (?:cart|basket)|suits me|exactly what|\bis fine\b",
)
NOT_DONE = re.compile(
    r"\bnot (?:\w+ )?(?:take|add|buy|fine|good|great|perfect|right|happy|convinced)\b[^.,;!?]*|\?[^.!]*$"
)
LOST = _any(
    r"\b(?:lost|confused|stuck|blocked|not there|which way|could not find|can not get)\b",
    r"\b(?:can|do) not (?:see|find|spot|know where)\b",
    r"\bwhere (?:is|are|am|do|should|can)\b|\bnot sure (?:where|which way)\b",
)
LEAVES = re.compile(r"\b(?:goodbye|bye|give up|i am done|leave it (?:there|at that)|shop elsewhere|some other time)\b")
QUESTIONS = {
    "price": re.compile(r"\bpric|how much (?:is|does|do|are|for)|\bcosts?\b(?! less)|expensive"),
    "allergens": re.compile(r"allerg|contain|ingredient|\bin it\b"),
    "flavour": re.compile(r"flavou?r|taste|scent\b|smell"),
    "packaging": re.compile(r"packag|packed|wrapped|come in\b|container|sold in"),
    "nutrition": re.compile(
        r"nutrition|calorie|kcal|how (?:much|many) (?:sugar|fat|protein|salt|calories|energy)|healthy|per 100"
    ),
    "size": re.compile(
        r"\bsize|how (?:big|large|heavy)|weigh|how many (?:gram|piece|roll|bag|portion)|how much is in|quantity"
    ),
    "material": re.compile(r"\bmaterial|made of|made from"),
    "colour": re.compile(r"\bcolou?r"),
    "style": re.compile(r"\bstyle"),
    "dimensions": re.compile(r"dimension|measure|how (?:wide|tall|high|deep|long|big|large)"),
    "place": re.compile(r"\bwhere\b|which way|how do i get|direction|which (?:aisle|shelf)"),
    "compare": re.compile(
        r"compar|differen|versus|\bvs\b|better than|which (?:one )?is (?:better|best)|alternative|other option|similar"
    ),
    "cheaper": re.compile(r"costs? less|cheaper|less (?:expensive|money)|lower price"),
    "reason": re.compile(r"\bwhy\b|what makes|tell me more|more about|how come"),
}
ASKS_FOR = _any(
    r"do you (?:have|carry|sell|stock)|is there|are there|can you (?:recommend|show|find|suggest|help)|could you|where",
    r"any(?:thing)? (?:that|with|without|which)|which|looking for|have you got|what do you",
)
