"""The questions a structured assistant asks: one fixed sentence a topic, and hearing which topic was asked about."""

from functools import lru_cache

from siturec_gym.core.actions import Act

QUESTIONS = {
    "category": "What kind of product do you have in mind?",
    "use": "What will you use it for?",
    "budget": "What is your budget?",
    "avoid": "Is there anything you want to avoid?",
    "needs": "Which features must it have?",
    "more": "Is there anything else I should know about what you need?",
    "flavour": "Do you prefer a certain flavour?",
    "allergens": "Are there any allergens you need to stay away from?",
    "packaging": "Do you want a certain kind of packaging?",
    "nutrition": "Do you have any wishes about nutrition, such as sugar, fat or salt?",
    "size": "What size do you need?",
    "recipient": "Who is it for?",
    "trouble": "What did not suit you about it?",
}
TOPICS = tuple(QUESTIONS)
GREETING = "Hello! What are you looking for today?"
_PREFERENCES = ("category", "use", "budget", "avoid", "needs")
_CUES = (
    ("budget", ("budget", "spend", "price you want", "how much would")),
    ("avoid", ("avoid", "do not want", "should definitely not")),
    ("trouble", ("not suit", "does not fit", "should be different")),
    ("use", ("use it for", "occasion")),
    ("more", ("anything else", "other requirement", "further preference")),
    ("needs", ("feature", "preference", "qualities", "matters to you")),
    ("category", ("kind of", "type of", "sort of", "looking for", "find today", "shop for")),
)


def act_of(topic: str) -> Act:
    """The dialogue act of a question about ``topic``."""
    if topic == "trouble":
        return Act.HANDLE_REJECTION
    return Act.ASK_PREFERENCE if topic in _PREFERENCES else Act.CLARIFY_NEED


@lru_cache(maxsize=1024)
def topic_asked(utterance: str) -> str:
    """The topic of the last question in ``utterance``; "" when it asks nothing that is known here.

    The sentences of ``QUESTIONS`` are known word for word; of other assistants' questions the commonest words.
    """
    for topic, sentence in QUESTIONS.items():
        if utterance.endswith(sentence):
            return topic
    asked = utterance.rstrip().endswith("?")
    last = utterance.lower().replace("!", ".").replace("?", ".").rstrip(". ").rpartition(".")[2]
    return next((topic for topic, words in _CUES if any(word in last for word in words)), "") if asked else ""
