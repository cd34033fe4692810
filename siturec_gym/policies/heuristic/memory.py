"""What the assistant carries from turn to turn: its belief and what it has asked, told, put forward and looked for."""

import math
from dataclasses import dataclass, replace

from siturec_gym.core.actions import Tool
from siturec_gym.policies.atlas import Missed
from siturec_gym.policies.heuristic.beliefs import Belief, learn
from siturec_gym.policies.heuristic.hearing import Heard, understand
from siturec_gym.policies.heuristic.vocabulary import Words, vocabulary_of
from siturec_gym.policies.situation import Situation

NOTHING = Heard()
_MOST_REMEMBERED = 60


@dataclass(frozen=True, slots=True)
class Memory:
    """State of the assistant between turns.

    Attributes:
        asked: Topics asked about so far, one entry a question.
        open_question: The topic of the latest utterance, "" if it asked nothing.
        closed: Topics on which the shopper has nothing to add; "everything" once all was said.
        recommended: Products of Recommend annotations so far.
        focus: Product that is put forward or being checked.
        urged: Times the shopper was asked to pick up or buy the focus.
        told: (product, kind of fact) already told.
        aim: Place that the latest turn should bring into view.
        missed: Places that did not come into view.
        questioned: Questions in a row that came with nothing else.
        scans: Search steps made at the shelf for the focus.
        needs_reason: The latest product was turned down without a reason that was understood.
        sightings: (product, x, y) of products seen in the open, the latest last; none where goods are on shelves.
        given_up: Places where the product in focus was looked for in vain.
    """

    seed: int
    belief: Belief
    asked: tuple[str, ...] = ()
    open_question: str = ""
    closed: frozenset[str] = frozenset()
    recommended: tuple[str, ...] = ()
    focus: str | None = None
    urged: int = 0
    told: tuple[tuple[str, str], ...] = ()
    aim: str | None = None
    missed: tuple[Missed, ...] = ()
    questioned: int = 0
    scans: int = 0
    needs_reason: bool = False
    sightings: tuple[tuple[str, float, float], ...] = ()
    given_up: frozenset[str] = frozenset()

    def seen_at(self, product: str) -> tuple[float, float] | None:
        """Where a product was seen last, x, y in metres."""
        return next(((x, y) for name, x, y in reversed(self.sightings) if name == product), None)


def listen(memory: Memory, situation: Situation, words: Words | None = None) -> tuple[Memory, Heard]:
    """Memory after the shopper's latest words and deeds, and what was heard, by the everyday words that are known."""
    line = situation.last_user
    if line is None:
        return memory, NOTHING
    heard = understand(line["utterance"], memory.open_question, vocabulary_of(situation.store, words))
    put_back = line.get("tool") in (Tool.DROP_ITEM, Tool.DO_NOT_ADD_TO_CART) and not line.get("refusal")
    if put_back and not heard.rejects and not heard.accepts:
        heard = replace(heard, rejects=True)
    store = situation.store
    discussed = situation.held_item or (store.by_id.get(memory.focus) if memory.focus else None)
    before = memory.belief
    belief = learn(before, heard, discussed)
    news = len(belief.mentions) > len(before.mentions) or belief.budget != before.budget or heard.too_dear
    turned_down = belief.rejected != before.rejected
    return (
        replace(
            memory,
            belief=belief,
            closed=memory.closed | _closed(memory, heard, news),
            focus=None if memory.focus in belief.rejected else memory.focus,
            urged=0 if turned_down else memory.urged,
            missed=(*memory.missed, *_missed(memory, situation))[-8:],
            needs_reason=turned_down and not (heard.mentions or heard.too_dear),
            sightings=() if situation.by_hand else _sightings(memory, situation),
        ),
        heard,
    )


def _sightings(memory: Memory, situation: Situation) -> tuple[tuple[str, float, float], ...]:
    """Products in view and those remembered, each once, at its place on the map."""
    pose, seen = situation.pose, {}
    for product, mark in situation.product_marks.items():
        heading = math.radians(pose.yaw_deg + float(mark["bearing_deg"]))
        away = float(mark["distance_m"])
        seen[product] = (product, pose.x + away * math.cos(heading), pose.y + away * math.sin(heading))
    older = [known for known in memory.sightings if known[0] not in seen]
    return (*older, *seen.values())[-_MOST_REMEMBERED:]


def _closed(memory: Memory, heard: Heard, news: bool) -> frozenset[str]:
    if not memory.open_question or not (heard.no_more or heard.all_said) or news:
        return frozenset()
    if heard.all_said:
        return frozenset((memory.open_question, "everything"))
    together = ("more",) if memory.open_question in ("needs", "more") else ()
    return frozenset((memory.open_question, *together))


def _missed(memory: Memory, situation: Situation) -> tuple[Missed, ...]:
    """The place that was to come into view and did not, if the shopper did turn."""
    line = situation.last_user
    turned = line is not None and line.get("tool") == Tool.TURN and not line.get("refusal")
    if memory.aim is None or not turned or memory.aim in situation.place_marks:
        return ()
    return (Missed(memory.aim, situation.pose.x, situation.pose.y),)
