"""Questions are understood by the simulated user as they are meant, and recognised in the history."""

import pytest

from siturec_gym.core.actions import Act
from siturec_gym.users.agenda.understanding import understand
from siturec_gym.users.agenda.understanding.meaning import Context, Kind
from siturec_gym.wrappers.structured.questions import GREETING, QUESTIONS, TOPICS, act_of, topic_asked

SLOTS = {"needs": "need", "more": "need", "trouble": "satisfaction"}


@pytest.mark.parametrize("topic", TOPICS)
def test_the_shopper_understands_each_question(topic: str) -> None:
    acts = understand(QUESTIONS[topic], Context()).acts
    assert [(act.kind, act.slot) for act in acts] == [(Kind.ASK, SLOTS.get(topic, topic))]


def test_the_greeting_asks_what_is_looked_for() -> None:
    acts = understand(GREETING, Context()).acts
    assert [act.kind for act in acts] == [Kind.GREET, Kind.ASK]
    assert acts[1].slot == "category"


@pytest.mark.parametrize("topic", TOPICS)
def test_a_question_is_recognised_word_for_word(topic: str) -> None:
    assert topic_asked(QUESTIONS[topic]) == topic
    assert topic_asked(f"Thank you. {QUESTIONS[topic]}") == topic


@pytest.mark.parametrize(
    ("utterance", "topic"),
    [
        (GREETING, "category"),
        ("How much would you like to spend at most?", "budget"),
        ("Got it. Anything it should definitely not be?", "avoid"),
        ("Please go to the front of the Milk Shelf. Do you have any other requirements?", "more"),
        ("Please turn left 90 degrees.", ""),
        ("", ""),
    ],
)
def test_other_assistants_questions(utterance: str, topic: str) -> None:
    assert topic_asked(utterance) == topic


def test_questions_carry_acts_of_asking() -> None:
    assert act_of("budget") is Act.ASK_PREFERENCE
    assert act_of("size") is Act.CLARIFY_NEED
    assert act_of("trouble") is Act.HANDLE_REJECTION
