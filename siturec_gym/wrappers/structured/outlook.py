"""What a structured assistant looks at in a turn: the situation, the conversation, and the candidates by rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from siturec_gym.policies.guidance import at_stand
from siturec_gym.policies.heuristic.beliefs import Scores
from siturec_gym.policies.knowledge import Item, Stand
from siturec_gym.policies.situation import Situation, read_situation
from siturec_gym.wrappers.structured.conversation import Conversation, conversation_of
from siturec_gym.wrappers.structured.standing import Standing, standing_of

IN_REACH_BONUS = 0.75
IN_VIEW_BONUS = 0.25
_CONSIDERED = 40
_KEYS = ("catalog", "location_index", "tools", "history", "marks", "held", "pose", "turn", "recommendations_left")


@dataclass(frozen=True, eq=False)
class Outlook:
    """A turn as an assistant may know it.

    Attributes:
        standing: How every product of the catalog stands to what was heard.
        candidates: The products of the slots, best first; an item in the shopper's hands comes before all others.
    """

    situation: Situation
    conversation: Conversation
    standing: Standing
    candidates: tuple[Item, ...]

    def reachable(self, item: Item) -> bool:
        """Whether the shopper can pick it up or check it now."""
        mark = self.situation.product_marks.get(item.id)
        return mark is not None and bool(mark["reachable"]) and self.situation.held is None

    def stand_of(self, item: Item) -> Stand | None:
        """Where to take it from: the stand of the likeliest products, where it has one there."""
        likely = self.standing.shelf
        return likely if likely in item.stands else next(iter(item.stands), None)

    def at_stand_of(self, item: Item) -> bool:
        """Whether the shopper stands before the item's shelf."""
        stand = self.stand_of(item)
        return stand is not None and at_stand(self.situation, stand)


def outlook_of(observation: Mapping[str, Any], static: Mapping[str, Any], slots: int) -> Outlook:
    """The outlook of an observation.

    Args:
        observation: The assistant's; ``marks`` may be missing, as in an ablation.
        static: What the observation leaves out because it never changes (``static_observations=False``).
        slots: How many candidates.
    """
    read = {"marks": "", **static, **{key: observation[key] for key in _KEYS if key in observation}}
    read["pose"] = tuple(read["pose"].tolist())
    return _outlook(slots, *(read[key] for key in _KEYS))


@lru_cache(maxsize=64)
def _outlook(slots: int, *values: Any) -> Outlook:
    """Remembered, since actions and features look at the same turn."""
    observation = dict(zip(_KEYS, values, strict=True))
    situation = read_situation(observation)
    conversation = conversation_of(situation.store, observation["history"])
    standing = standing_of(situation.store, conversation.belief)
    return Outlook(situation, conversation, standing, _candidates(situation, standing.scores, slots))


def _candidates(situation: Situation, scores: Scores, slots: int) -> tuple[Item, ...]:
    """By score; among near equals what is in reach or in view comes first."""
    marks = situation.product_marks
    considered = zip(scores.order[:_CONSIDERED], scores.values, strict=False)

    def worth(pair: tuple[Item, float]) -> float:
        mark = marks.get(pair[0].id)
        return pair[1] + (0.0 if mark is None else IN_REACH_BONUS if mark["reachable"] else IN_VIEW_BONUS)

    ordered = [item for item, _ in sorted(considered, key=worth, reverse=True)]
    held = situation.held_item
    if held is not None:
        ordered = [held, *(item for item in ordered if item is not held)]
    return tuple(ordered[:slots])
