"""What to ask next: open questions first, then the one that tells the remaining candidates apart best."""

import json
from collections.abc import Sequence
from functools import cache

from siturec_gym.assets import read_asset
from siturec_gym.core.actions import Act
from siturec_gym.policies.heuristic.beliefs import Belief, Scores, serious
from siturec_gym.policies.heuristic.memory import Memory
from siturec_gym.policies.knowledge import Item

OPEN_TOPICS = ("budget", "needs", "avoid", "more", "more")
LAST_QUESTION_TURN = 11
MOST_PRECISE = 2
MOST_IN_A_ROW = 3
FEW = 2
_PREFERENCES = ("category", "budget", "needs", "use")


def open_topic(memory: Memory, scores: Scores, turn: int, *, resting: bool) -> str | None:
    """The next topic worth a question; None when enough is known or time runs out.

    Args:
        memory: What was asked and heard so far.
        scores: How well each product fits what was heard.
        turn: Index of the turn.
        resting: Whether the question would cost a turn of its own: then only where it can save a wrong recommendation.
    """
    if turn > LAST_QUESTION_TURN or memory.belief.only is not None:
        return None
    candidates = serious(scores)
    if resting and (memory.questioned >= MOST_IN_A_ROW or (len(candidates) <= FEW and _asked_enough(memory))):
        return None
    if "everything" in memory.closed:
        return "budget" if "budget" not in (*memory.asked, *_known(memory.belief)) else None
    pending = [topic for topic in _pending(memory) if topic not in memory.closed]
    if pending and not (len(candidates) == 1 and pending[0] == "more"):
        return pending[0]
    return _telling_apart(memory, candidates)


def asking_act(topic: str) -> Act:
    """The dialogue act of a question about ``topic``."""
    return Act.ASK_PREFERENCE if topic in _PREFERENCES else Act.CLARIFY_NEED


def _asked_enough(memory: Memory) -> bool:
    return {"budget", "needs"} <= {*memory.asked, *_known(memory.belief)}


def _known(belief: Belief) -> tuple[str, ...]:
    return ("budget",) if belief.budget is not None else ()


def _pending(memory: Memory) -> list[str]:
    """Open topics not asked about yet; the budget is none once it is known."""
    pending = list(OPEN_TOPICS)
    for topic in (*memory.asked, *_known(memory.belief)):
        if topic in pending:
            pending.remove(topic)
    return pending


def _telling_apart(memory: Memory, candidates: Sequence[Item]) -> str | None:
    """The aspect in which the candidates differ most, of those nothing is known of; None for few candidates."""
    asked = [topic for topic in memory.asked if topic in _aspects()]
    in_vain = any(topic in memory.closed for topic in asked)
    if len(candidates) <= FEW or len(asked) >= MOST_PRECISE or in_vain:
        return None
    heard = {label for mention in memory.belief.mentions for label in mention.labels}
    ways = {
        aspect: len({_values(item, aspect) for item in candidates})
        for aspect, labels in _aspects().items()
        if aspect not in memory.asked and not heard & labels and not _spoken_of(aspect, heard)
    }
    best = max(ways, key=lambda aspect: ways[aspect], default=None)
    return best if best is not None and ways[best] > 1 else None


def _spoken_of(aspect: str, heard: set[str]) -> bool:
    return any(label.startswith(f"{aspect}: ") for label in heard)


def _values(item: Item, aspect: str) -> frozenset[str]:
    own = {label for label in item.labels if label.startswith(f"{aspect}: ")}
    return _aspects()[aspect].intersection(item.labels) | own


@cache
def _aspects() -> dict[str, frozenset[str]]:
    """Aspect -> the labels that speak of it."""
    table: dict[str, list[str]] = json.loads(read_asset("assistants/aspects.json"))
    return {aspect: frozenset(labels) for aspect, labels in table.items()}
