"""The moderator: asked after each exchange whether the interaction is over (SituRecBench, B.3(4)).

Yes when the user clearly gives up, declines further help or ends the interaction, or when both sides have said their
closing words. No while the user clarifies, explores, compares, inspects, or asks on after a rejection.
"""

from siturec_gym.core.actions import Tool
from siturec_gym.core.policy import Moderator, ModeratorQuery
from siturec_gym.users import phrases

_INSPECTING = (Tool.PICK_UP_ITEM, Tool.CHECK_ITEM, Tool.ADD_TO_CART)
_RESTING = (Tool.IDLE, Tool.DROP_ITEM, Tool.DO_NOT_ADD_TO_CART)
MODERATORS = ("rules", "none")


def make_moderator(name: str) -> Moderator | None:
    """The moderator of that name; "none" asks nobody, so that no episode ends by a verdict.

    Raises:
        ValueError: There is no moderator of that name.
    """
    if name not in MODERATORS:
        raise ValueError(f"unknown moderator {name!r}; choose from {', '.join(MODERATORS)}")
    return rule_moderator if name == "rules" else None


def rule_moderator(query: ModeratorQuery) -> bool:
    """Whether the interaction is over, judged by the words of the last exchange and the user's action."""
    if query.call.tool in _INSPECTING:
        return False
    leaves = phrases.takes_leave(query.user_utterance)
    if leaves is not None:
        return leaves
    said = [clause for clause, _ in phrases.clauses(query.user_utterance)]
    return query.call.tool in _RESTING and _both_closed(query.assistant_utterance, said)


def _both_closed(assistant_utterance: str, said: list[str]) -> bool:
    """Whether the user said nothing but small words, and those close what the assistant said before."""
    small = (*phrases.COURTESY, *phrases.DENIAL, *phrases.CONTENT)
    if not said or not all(phrases.matches(small, clause) for clause in said):
        return False
    denies = any(phrases.matches(phrases.DENIAL, clause) for clause in said)
    content = any(phrases.matches(phrases.CONTENT, clause) for clause in said)
    heard = phrases.clauses(assistant_utterance)
    offered = any(question and phrases.matches(phrases.ASSISTANT_OFFER, clause) for clause, question in heard)
    if (denies and content) or (offered and (denies or content)):
        return True
    asked = any(question for _, question in heard)
    return not asked and any(phrases.matches(phrases.ASSISTANT_CLOSING, clause) for clause, _ in heard)
