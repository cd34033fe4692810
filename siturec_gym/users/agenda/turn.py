"""One turn in the making: what is seen and heard, what will be said and done."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.policy import Observation
from siturec_gym.core.seeding import draws
from siturec_gym.core.text import parse_line, parse_lines
from siturec_gym.users.agenda.shopper import Shopper
from siturec_gym.users.agenda.state import AgendaState
from siturec_gym.users.agenda.understanding import Context, Meaning, known_as, understand

Mark = Mapping[str, Any]
_REMEMBERED_NAMES = 12


@dataclass(frozen=True, slots=True)
class Sight:
    """The observation as the shopper reads it.

    Attributes:
        heard: The assistant's words of this turn.
        refusal: Why the last call was refused, None if it was not.
        held: What is known of the item in the hand or under check, None if there is none.
        by_hand: Whether items are picked up here; else they are checked where they stand.
        products: Visible products by name.
        places: Visible places by name.
        marks: The marks' text, to compare views.
    """

    number: int
    heard: str
    refusal: str | None
    held: Mapping[str, Any] | None
    products: Mapping[str, Mark]
    places: Mapping[str, Mark]
    marks: str
    by_hand: bool = True

    def inspect(self, mark: Mark) -> ToolCall:
        """The call that looks at a product closely."""
        return ToolCall(Tool.PICK_UP_ITEM if self.by_hand else Tool.CHECK_ITEM, target=mark["handle"])

    @property
    def leave(self) -> ToolCall:
        """The call that parts with the item in hand or under check."""
        return ToolCall(Tool.DROP_ITEM if self.by_hand else Tool.DO_NOT_ADD_TO_CART)


def read_sight(observation: Observation) -> Sight:
    """What the shopper sees and has just heard."""
    lines = observation["history"].rsplit("\n", 2)[-2:]  # what was just heard ends it
    history = [parse_line(line) for line in lines if line]
    heard = next((line["utterance"] for line in reversed(history) if line["role"] == "assistant"), "")
    mine = next((line for line in reversed(history) if line["role"] == "user"), None)
    held = parse_lines(observation["held"])
    products, places = _seen(observation["marks"])
    return Sight(
        number=int(observation["turn"]),
        heard=heard,
        refusal=None if mine is None else mine.get("refusal"),
        held=held[0] if held else None,
        products=products,
        places=places,
        marks=observation["marks"],
        by_hand=f'"{Tool.CHECK_ITEM}"' not in observation["tools"],
    )


@lru_cache(maxsize=512)
def _seen(marks: str) -> tuple[Mapping[str, Mark], Mapping[str, Mark]]:
    """Marks of products and of places by name; many turns pass before the same view."""
    lines = parse_lines(marks)
    products = {mark["name"]: mark for mark in lines if mark["kind"] == "product"}
    return products, {mark["name"]: mark for mark in lines if mark["kind"] != "product"}


@dataclass(frozen=True, slots=True)
class Reply:
    """Something to say: a key of the wording and what fills its gaps."""

    key: str
    fills: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Turn:
    """Working space of one step.

    Attributes:
        draws: Uniform numbers of this turn, each for its own purpose.
        new_detail: Whether a detail was told for the first time this turn.
        opened: Whether the opening request was made this turn.
    """

    sight: Sight
    shopper: Shopper
    state: AgendaState
    meaning: Meaning
    draws: tuple[float, ...]
    replies: list[Reply] = field(default_factory=list)
    call: ToolCall = field(default_factory=lambda: ToolCall(Tool.IDLE))
    new_detail: bool = False
    opened: bool = False

    def say(self, key: str, **fills: str) -> None:
        """Add a reply."""
        self.replies.append(Reply(key, tuple(fills.items())))

    def note(self, **changes: Any) -> None:
        """Change the memory."""
        self.state = self.state._replace(**changes)

    def annoy(self, amount: float) -> None:
        """Lose patience (or regain some, if negative)."""
        self.note(annoyance=max(0.0, self.state.annoyance + amount))

    def tell(self, key: str) -> None:
        """Enter a detail in the ledger. At most one new one a turn, which callers check by ``new_detail``."""
        if key not in self.state.told:
            self.note(told=(*self.state.told, key))
            self.new_detail = True


def begin(sight: Sight, shopper: Shopper, state: AgendaState) -> Turn:
    """The turn with what was heard understood and taken to memory."""
    held = None if sight.held is None else sight.held["name"]
    context = Context(
        tuple(sight.products),
        tuple(sight.places),
        held,
        state.mentioned[-_REMEMBERED_NAMES:],
        state.places,
        state.asked,
    )
    meaning = understand(sight.heard, context)
    numbers = draws(10, state.seed, "agenda", shopper.request, sight.number)
    turn = Turn(sight, shopper, state, meaning, numbers)
    _remember(turn)
    return turn


def _remember(turn: Turn) -> None:
    sight, state = turn.sight, turn.state
    names = [name for act in turn.meaning.acts for name in (act.product, act.other) if name is not None]
    held = [] if sight.held is None else [sight.held["name"]]
    claims = dict(state.claims)
    for act in turn.meaning.acts:
        if act.product is not None and act.claims:
            claims[act.product] = tuple(dict.fromkeys((*claims.get(act.product, ()), *act.claims)))
    turn.note(
        mentioned=_latest((*state.mentioned, *names, *held)),
        places=tuple(dict.fromkeys((*state.places, *sight.places))),
        claims=tuple(claims.items()),
        target=_recognised(state.target, sight.products, Context(products=tuple(sight.products))),
        destination=_recognised(state.destination, sight.places, Context(places=tuple(sight.places))),
    )
    _correct(turn)


def _correct(turn: Turn) -> None:
    """What was taken for a product and turns out to be a place is where to go."""
    target = turn.state.target
    place = next((name for name in turn.sight.places if target is not None and name.lower() == target), None)
    if place is not None:
        turn.note(target=None, destination=place)


def _recognised(sought: str | None, in_view: Mapping[str, Mark], context: Context) -> str | None:
    """What is sought, under its full name once it is in view."""
    if sought is None or sought in in_view or not in_view:
        return sought
    return known_as(sought, context) or sought


def _latest(names: tuple[str, ...]) -> tuple[str, ...]:
    """Each name once, at its last place."""
    return tuple(dict.fromkeys(names[::-1]))[::-1]
