"""The whole prompt of a turn: what never changes first, then the shopper, the history, the moment."""

from functools import cache

from siturec_gym.core.actions import Tool
from siturec_gym.core.legality import LegalActions, tools_here
from siturec_gym.core.policy import Observation
from siturec_gym.llm.messages import Message, Part, TextPart
from siturec_gym.llm.roles.history import told_history
from siturec_gym.llm.roles.memory import RoleState
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.users.llm.moment import moment
from siturec_gym.users.llm.person import person_and_goal
from siturec_gym.users.llm.texts import TEMPLATES, conduct_sentences

PROMPT_FORM = 3
"""Goes up whenever the same observation is told in other words."""
_RULES = ("role", "disclosure", "acceptance")


def build_messages(
    observation: Observation, state: RoleState, legal: LegalActions, settings: RoleSettings
) -> tuple[Message, ...]:
    """What the model reads.

    The first message is the same for every turn of a task, and up to the shopper for every task of a store; the second
    begins with the history, which only grows.

    Args:
        observation: The user's.
        state: With the views to be sent.
        legal: What the observation allows.
        settings: How the model plays.
    """
    by_hand = Tool.PICK_UP_ITEM in tools_here(observation["tools"])
    private = person_and_goal(observation["profile"], observation["goal"])
    history = told_history(observation, "Assistant", "You")
    views = [part for seen in state.views for part in (TEMPLATES.filled("view", turn=str(seen.turn)), seen.image)]
    parts: list[str | Part] = [
        TEMPLATES.filled("history", history=history),
        *views,
        TextPart(moment(observation, legal, state.seed)),
    ]
    return Message.of("system", rules(by_hand, settings.images > 0, settings.utterance_chars), private), Message.of(
        "user", *parts
    )


@cache
def rules(by_hand: bool, pictures: bool, chars: int) -> str:
    """The part of the prompt that is the same for every task of a store.

    Args:
        by_hand: Whether goods are picked up here; else they are checked where they stand.
        pictures: Whether views are sent.
        chars: Longest utterance.
    """
    sight = conduct_sentences()["sight pictures" if pictures else "sight text"]
    texts = (
        *map(TEMPLATES.text, _RULES),
        TEMPLATES.filled("grounding", sight=sight),
        TEMPLATES.text("handles"),
        TEMPLATES.text("tools_supermarket" if by_hand else "tools_home"),
        TEMPLATES.text("ending"),
        TEMPLATES.filled("output", chars=str(chars)),
    )
    return "\n".join(texts) + "\n"
