"""What to do this turn: ask, guide, put forward, answer, repair or close."""

from dataclasses import dataclass, replace

from siturec_gym.core.actions import Act, Tool, ToolCall
from siturec_gym.policies.guidance import Step, at_stand, search_at, side_words
from siturec_gym.policies.heuristic.beliefs import Scores, knows_category, serious
from siturec_gym.policies.heuristic.facts import answers, fact, facts_about
from siturec_gym.policies.heuristic.hearing import Heard
from siturec_gym.policies.heuristic.memory import Memory
from siturec_gym.policies.heuristic.questions import asking_act, open_topic
from siturec_gym.policies.heuristic.route_words import step_words
from siturec_gym.policies.heuristic.wording import Say, dollars, listing, say
from siturec_gym.policies.knowledge import Item, Place, Stand
from siturec_gym.policies.situation import Situation

IDLE = ToolCall(Tool.IDLE)
MOST_URGES = 3
MOST_SCANS = 5
NEAR_BEST = 0.75


@dataclass(frozen=True)
class Move:
    """One turn of the assistant before it is put into words.

    Attributes:
        parts: Sentences to say.
        recommend: The item of a Recommend act.
        stand: The goal of a Navigate act.
        via: The place in view that is gone to first, for scenes with doorways.
        memory: What to remember of it.
    """

    act: Act
    parts: tuple[Say, ...]
    call: ToolCall
    memory: Memory
    recommend: Item | None = None
    stand: Stand | None = None
    via: Place | None = None
    reason: str = ""


@dataclass(frozen=True)
class Turn:
    """Everything a decision looks at."""

    situation: Situation
    memory: Memory
    heard: Heard
    scores: Scores

    @property
    def opening(self) -> tuple[Say, ...]:
        """A reaction to what the shopper just said."""
        heard = self.heard
        if heard.rejects:
            return (say("sorry.dear" if heard.too_dear else "sorry"),)
        if heard.lost and not heard.mentions:
            return (say("lost"),)
        return (say("thanks"),) if heard.mentions or heard.budget is not None else ()


def decide(turn: Turn) -> Move:
    """The move for this turn."""
    situation, memory = turn.situation, turn.memory
    if situation.last_user is None:
        return _ask(turn, "category", Act.GREET, (say("greet"),))
    held = situation.held_item
    if held is not None:
        return _with_item_in_hand(turn, held)
    if turn.heard.leaves:
        return _ask(turn, "more", Act.HANDLE_REJECTION, (say("bye"),))
    if not knows_category(memory.belief) and memory.asked.count("category") < 3:
        topic = "use" if memory.asked.count("category") == 2 else "category"
        return _ask(turn, topic, Act.ASK_PREFERENCE, (*turn.opening, say(f"ask.{topic}")))
    if memory.needs_reason and memory.asked.count("trouble") < 2:
        return _ask(turn, "trouble", Act.HANDLE_REJECTION, (*turn.opening, say("ask.trouble")))
    return _towards_shelf(turn, _candidate(turn))


def _candidate(turn: Turn) -> Item:
    """The item to work on: the one in focus, else the best; among near equals one within reach, then one in view."""
    focus = turn.situation.store.by_id.get(turn.memory.focus) if turn.memory.focus else None
    best = turn.scores.best
    if focus is not None and turn.scores.gap(focus) <= 2.0:
        return focus
    marks = turn.situation.product_marks
    near = serious(turn.scores, NEAR_BEST)
    reachable = [item for item in near if item.id in marks and marks[item.id]["reachable"]]
    if turn.situation.by_hand:
        return next(iter(reachable), best)
    known = [item for item in near if turn.memory.seen_at(item.id) is not None and not _given_up(turn, item)]
    hopeful = [item for item in serious(turn.scores, 2.0) if not _given_up(turn, item)]
    return next(iter((*reachable, *known, *hopeful)), best)


def _given_up(turn: Turn, item: Item) -> bool:
    return all(stand.place in turn.memory.given_up for stand in item.stands)


def _towards_shelf(turn: Turn, item: Item) -> Move:
    """Guide to the item; at its shelf, ask what is still open, then put it forward."""
    stand = _stand_of(turn, item)
    if stand is None:
        return _ask_or_wait(turn)
    situation, memory = turn.situation, turn.memory
    mark = situation.product_marks.get(item.id)
    if at_stand(situation, stand) or (mark is not None and mark["reachable"]):
        topic = _open_topic(turn, resting=True)
        last = situation.recommendations_left == 1
        if topic and memory.focus is None and (last or not turn.heard.rejects):
            return _ask(turn, topic, asking_act(topic), (*_replies(turn, item), say(f"ask.{topic}")))
    step = search_at(situation, item, stand, memory.scans, memory.missed, memory.seen_at(item.id))
    if step is None:
        return _put_forward(turn, item)
    if memory.scans >= MOST_SCANS and not situation.by_hand:
        turn = replace(turn, memory=replace(memory, given_up=memory.given_up | {stand.place}, scans=0))
    return _guide(turn, step, stand)


def _stand_of(turn: Turn, item: Item) -> Stand | None:
    """Where to take the item from: the stand most turns lead to, if it is stocked in several places."""
    likely = turn.scores.destination
    return likely if likely in item.stands else next(iter(item.stands), None)


def _open_topic(turn: Turn, *, resting: bool = False) -> str | None:
    return open_topic(turn.memory, turn.scores, turn.situation.turn, resting=resting)


def _ask(turn: Turn, topic: str, act: Act, parts: tuple[Say, ...]) -> Move:
    before = turn.memory
    memory = replace(
        before, asked=(*before.asked, topic), open_question=topic, aim=None, questioned=before.questioned + 1
    )
    return Move(act, parts, IDLE, memory)


def _ask_or_wait(turn: Turn) -> Move:
    topic = _open_topic(turn) or "more"
    return _ask(turn, topic, asking_act(topic), (*turn.opening, say(f"ask.{topic}")))


def _replies(turn: Turn, item: Item) -> tuple[Say, ...]:
    """Answers to the shopper's questions, else a reaction."""
    focus = turn.memory.focus or (turn.situation.held_item.id if turn.situation.held_item else None)
    if focus == item.id:
        sentences, _ = answers(item, turn.heard, turn.memory.belief)
        if sentences:
            return tuple(sentences)
    elif "price" in turn.heard.questions:
        peers = [peer.price for peer in turn.situation.store.items if peer.category == item.category]
        return (say("range", low=dollars(min(peers)), high=dollars(max(peers))),)
    return turn.opening


def _guide(turn: Turn, step: Step, stand: Stand) -> Move:
    """A step of the way, with a question to answer on the way."""
    memory, situation = turn.memory, turn.situation
    topic = _open_topic(turn) if memory.focus is None else None
    again = step.kind == "go" and _refused_guidance(turn)
    parts = [*turn.opening, *step_words(situation, step, again=again)]
    if topic:
        parts.append(say(f"ask.{topic}"))
    memory = replace(
        memory,
        asked=(*memory.asked, topic) if topic else memory.asked,
        open_question=topic or "",
        questioned=0,
        aim=step.place.id if step.kind == "turn" and step.place is not None else None,
        scans=memory.scans + (step.kind in ("look", "scan")),
    )
    act = Act.HANDLE_REJECTION if turn.heard.rejects else Act.NAVIGATE
    goal = stand if act is Act.NAVIGATE else None
    via = step.place if step.kind == "go" and not situation.by_hand else None
    reason = "the place where the best candidates are"
    return Move(act, tuple(parts), step.call, memory, stand=goal, via=via, reason=reason)


def _refused_guidance(turn: Turn) -> bool:
    line = turn.situation.last_user
    return line is not None and line.get("tool") == Tool.IDLE and turn.memory.open_question == ""


def _put_forward(turn: Turn, item: Item) -> Move:
    """The item is within reach: recommend it, or go on about it when that was done."""
    memory, situation = turn.memory, turn.situation
    mark = situation.product_marks.get(item.id)
    call = situation.inspect(None if mark is None else mark["handle"])
    if item.id in memory.recommended or (memory.focus == item.id and memory.urged):
        return _urge(turn, item, call)
    next_memory = _remember(memory, item, ("needs", "price"))
    key = "recommend.next" if memory.recommended else "recommend"
    facts = (*fact(item, "needs", memory.belief), *fact(item, "price", memory.belief))
    where = () if mark is None else (say("where", where=side_words(float(mark["bearing_deg"]))),)
    parts = (*turn.opening, say(key, name=item.name), *facts, *where, say("pickup"))
    next_memory = replace(next_memory, recommended=(*memory.recommended, item.id))
    return Move(Act.RECOMMEND, parts, call, next_memory, recommend=item, reason=_reason(item))


def _reason(item: Item) -> str:
    return f"fits what is known of the need; {item.category}, {dollars(item.price)}"


def _remember(memory: Memory, item: Item, kinds: tuple[str, ...]) -> Memory:
    told = tuple(dict.fromkeys((*memory.told, *((item.id, kind) for kind in kinds))))
    urged = memory.urged + 1 if memory.focus == item.id else 1
    return replace(memory, focus=item.id, urged=urged, told=told, open_question="", aim=None, questioned=0)


def _news(turn: Turn, item: Item, most: int) -> tuple[list[Say], tuple[str, ...]]:
    """Facts about the item: what was asked, else the next ones not told yet."""
    sentences, kinds = answers(item, turn.heard, turn.memory.belief)
    if "cheaper" in turn.heard.questions and not _alternatives(turn, item):
        sentences = [say("compare.cheapest"), *sentences]
    untold = [kind for kind in facts_about(item) if (item.id, kind) not in turn.memory.told and kind not in kinds]
    while len(sentences) < most and untold:
        kind = untold.pop(0)
        sentences += fact(item, kind, turn.memory.belief)
        kinds = (*kinds, kind)
    return sentences, kinds


def _alternatives(turn: Turn, item: Item) -> list[Item]:
    """What answers a question for something else or cheaper: those of the category that meet the needs, best first."""
    questions = turn.heard.questions
    if "compare" not in questions and "cheaper" not in questions:
        return []
    peers = [peer for peer in serious(turn.scores, 2.0) if peer.category == item.category and peer.id != item.id]
    return [peer for peer in peers if peer.price < item.price] if "cheaper" in questions else peers


def _recommend_instead(turn: Turn, held: Item, other: Item) -> Move:
    """Another item for the one in hand, which the shopper may still keep."""
    key = "compare.cheaper" if other.price < held.price else "compare.other"
    labels = listing(other.tags[:3]) or other.category
    words = say(key, other=other.name, other_price=dollars(other.price), labels=labels)
    next_memory = _remember(turn.memory, other, ("needs", "price"))
    next_memory = replace(next_memory, recommended=(*turn.memory.recommended, other.id))
    call = turn.situation.leave
    return Move(Act.RECOMMEND, (words, say("instead")), call, next_memory, recommend=other, reason=_reason(other))


def _urge(turn: Turn, item: Item, call: ToolCall) -> Move:
    """The item was put forward and is still on the shelf: answer or tell more, and ask to pick it up."""
    memory = turn.memory
    if memory.urged >= MOST_URGES and memory.asked.count("trouble") < 2:
        return _ask(turn, "trouble", Act.CLARIFY_NEED, (say("ask.trouble"),))
    sentences, kinds = _news(turn, item, 1)
    act = Act.ANSWER_QUESTION if turn.heard.questions or turn.heard.asked else Act.EXPLAIN
    return Move(act, (*sentences, say("pickup")), call, _remember(memory, item, kinds))


def _with_item_in_hand(turn: Turn, held: Item) -> Move:
    """Confirm what fits, put back what does not."""
    memory, scores = turn.memory, turn.scores
    gap = scores.gap(held)
    if held.id in memory.belief.rejected:
        next_memory = replace(memory, focus=None, open_question="trouble" if memory.needs_reason else "", aim=None)
        parts = (*turn.opening, say("putback"), *((say("ask.trouble"),) if memory.needs_reason else ()))
        return Move(Act.HANDLE_REJECTION, parts, turn.situation.leave, next_memory)
    if gap > 2.0 and memory.focus != held.id:
        parts = (say("putback.other"),)
        return Move(Act.EXPLAIN, parts, turn.situation.leave, replace(memory, open_question="", aim=None))
    return _close(turn, held)


def _close(turn: Turn, held: Item) -> Move:
    """Tell what is to be known about the held item and ask to add it to the cart."""
    memory = turn.memory
    left = turn.situation.recommendations_left
    others = [other for other in _alternatives(turn, held) if other.id not in memory.recommended]
    if others and left > 1:
        return _recommend_instead(turn, held, others[0])
    asked = bool(turn.heard.questions or turn.heard.asked)
    sentences, kinds = _news(turn, held, 2 if memory.urged <= MOST_URGES else 0)
    call = ToolCall(Tool.ADD_TO_CART)
    next_memory = _remember(memory, held, kinds)
    if held.id not in memory.recommended:
        if asked and left == 1 and sentences:  # the last attempt is for a shopper without open questions
            return Move(Act.ANSWER_QUESTION, (*sentences, say("anything")), IDLE, next_memory)
        parts = (say("recommend.held", name=held.name), *sentences, say("confirm"))
        next_memory = replace(next_memory, recommended=(*memory.recommended, held.id))
        return Move(Act.RECOMMEND, parts, call, next_memory, recommend=held, reason=_reason(held))
    if asked:
        return Move(Act.ANSWER_QUESTION, (*sentences, say("confirm")), call, next_memory)
    key = "confirm.again" if memory.urged > MOST_URGES else "confirm"
    return Move(Act.CONFIRM_PURCHASE, (*sentences, say(key)), call, next_memory)
