"""What the shopper does in a turn: with a package in the hand, or on the way to one."""

from collections.abc import Mapping, Sequence
from typing import Any

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.users.agenda import guidance
from siturec_gym.users.agenda.shopper import Problem, labels_of
from siturec_gym.users.agenda.turn import Mark, Turn
from siturec_gym.users.agenda.understanding import Act, Attribute, Kind, Slot

_NEAR_BUDGET = (1.1, 0.97, 0.88)
_OFFERING = (Kind.RECOMMEND, Kind.PICK_UP, Kind.LOOK, Kind.ADD_TO_CART, Kind.INFORM, Kind.COMPARE)
_MOST_TRIED_ALONE = 2
_LONGEST_SEARCH = 6
_ASKED_OF_FOOD = (Slot.PRICE, Slot.ALLERGENS, Slot.NUTRITION, Slot.SATISFACTION)
_ASKED_OF_FURNITURE = (Slot.PRICE, Slot.SATISFACTION, Slot.SIZE)


def with_package(turn: Turn, package: Mapping[str, Any]) -> None:
    """Read the package in the hand: put it back with the true reason, ask, or buy."""
    name, price = str(package["name"]), float(package["price"])
    turn.note(target=name)
    problems = turn.shopper.problems(labels_of(package), price, lenient(turn))
    if problems:
        _put_back(turn, name, problems)
    elif any(act.kind is Kind.PUT_BACK for act in turn.meaning.acts) and _another_offer(turn, name) is not None:
        turn.say("put_back")
        turn.note(target=_another_offer(turn, name), explained=0)
        turn.call = turn.sight.leave
    elif not _hesitates(turn, name, price):
        turn.say("buy", product=name)
        turn.call = ToolCall(Tool.ADD_TO_CART)


def lenient(turn: Turn) -> bool:
    """Whether the shopper would now do without a soft label: at once, after one disappointment, or never."""
    willing = turn.shopper.level("substitute_willingness")
    return willing == 2 or (willing == 1 and len(turn.state.rejected) >= 1)


def _put_back(turn: Turn, name: str, problems: Sequence[Problem]) -> None:
    problem = _reason(turn, problems)
    turn.say(f"reject_{problem.kind}", product=name, words=problem.words)
    _turn_down(turn, name, problem)
    turn.call = turn.sight.leave


def _reason(turn: Turn, problems: Sequence[Problem]) -> Problem:
    """The reason to give: one already told if there is one, otherwise the first."""
    return next((problem for problem in problems if problem.detail in turn.state.told), problems[0])


def _turn_down(turn: Turn, name: str, problem: Problem) -> None:
    turn.annoy(1.0 if problem.detail in turn.state.told else 0.5)
    turn.tell(problem.detail)
    if turn.shopper.rejection != "reason":
        turn.say(f"after_reject_{turn.shopper.rejection}", words=problem.words)
    turn.note(rejected=(*turn.state.rejected, (name, problem.kind)), target=None, explained=0, questions=0)


def _hesitates(turn: Turn, name: str, price: float) -> bool:
    """Ask for an explanation or a better price before buying; True if the purchase waits for it."""
    state, shopper = turn.state, turn.shopper
    claims = state.claims_about(name)
    heard = state.explained + bool(claims) + any(act.kind is Kind.INFORM for act in turn.meaning.acts)
    wanted = shopper.explanations - (shopper.settings["behavior_style"] == "decisive")
    if heard + state.questions < wanted:
        order = _ASKED_OF_FOOD if turn.sight.by_hand else _ASKED_OF_FURNITURE
        slot = order[(state.questions + int(turn.draws[2] * 3)) % len(order)]
        turn.say(f"ask_{slot}", product=name)
        turn.note(questions=state.questions + 1, asked=(slot,))
        return True
    near = price > shopper.budget * _NEAR_BUDGET[shopper.level("price_sensitivity")]
    if near and not state.haggled:
        turn.say("ask_cheaper", product=name)
        turn.note(haggled=True, asked=(Slot.PRICE,))
        return True
    cheaper = _another_offer(turn, name) if state.haggled else None
    if cheaper is not None and _said_price(turn, cheaper) < price and not turn.state.why_rejected(cheaper):
        turn.say("try_cheaper", product=cheaper)
        turn.note(target=cheaper, explained=0, questions=0)
        turn.call = turn.sight.leave
        return True
    return False


def _said_price(turn: Turn, product: str) -> float:
    prices = [float(c.value) for c in turn.state.claims_about(product) if c.attribute is Attribute.PRICE]
    return prices[-1] if prices else float("inf")


def _another_offer(turn: Turn, held: str) -> str | None:
    offers = [act.product for act in turn.meaning.acts if act.kind is Kind.RECOMMEND]
    return next((name for name in offers if name is not None and name != held), None)


def empty_handed(turn: Turn) -> None:
    """Weigh what is offered, follow guidance, go on with what was begun, or look around."""
    offer = _offer(turn)
    if offer is not None and not _takes_up(turn, offer):
        return
    acts = guidance.guidance_acts(turn)
    if acts and offer is None and turn.state.target is not None and acts[0].kind is Kind.NAVIGATE_PLACE:
        turn.note(searched=0)
    target = turn.sight.products.get(turn.state.target or "")
    if target is not None and target["reachable"] and (offer is not None or not acts):
        _pick_up(turn, target)
    elif acts:
        _guided(turn, acts)
    elif target is not None:
        turn.say("go_product", product=target["name"])
        guidance.approach_product(turn, target["name"])
    elif turn.state.destination is not None or turn.state.target is not None:
        _go_on(turn)
    else:
        _undirected(turn)


def _offer(turn: Turn) -> str | None:
    """The product that the assistant puts forward this turn; of two, the one that nothing speaks against."""
    names: list[str] = []
    for act in turn.meaning.acts:
        if act.kind in _OFFERING and not (act.kind is Kind.INFORM and act.product not in turn.sight.products):
            names.extend(name for name in (act.product, act.other) if name is not None)
        elif act.kind is Kind.ASK and act.slot is Slot.SATISFACTION and act.product is not None:
            names.append(act.product)
    names = list(dict.fromkeys(names))
    open_ones = [name for name in names if turn.state.why_rejected(name) is None]
    fine = [name for name in open_ones if not turn.shopper.told_problems(turn.state.claims_about(name))]
    return next(iter(fine or open_ones or names), None)


def _takes_up(turn: Turn, offer: str) -> bool:
    """Whether the offer is worth a look; if not, says why."""
    reason = turn.state.why_rejected(offer)
    if reason is not None:
        turn.say("already_rejected", product=offer)
        turn.annoy(1.0)
        return False
    problems = turn.shopper.told_problems(turn.state.claims_about(offer))
    if problems:
        problem = _reason(turn, problems)
        turn.say(f"decline_{problem.kind}", product=offer, words=problem.words)
        _turn_down(turn, offer, problem)
        return False
    if offer != turn.state.target:
        turn.note(target=offer, explained=0, questions=0, searched=0)
    return True


def _pick_up(turn: Turn, mark: Mark) -> None:
    name = str(mark["name"])
    careful = turn.shopper.settings["behavior_style"] == "cautious" and not turn.state.claims_about(name)
    if careful and turn.state.questions == 0:
        turn.say("ask_before", product=name)
        turn.note(questions=1, asked=(Slot.OTHER,))
        return
    turn.say("pick_up", product=name)
    turn.note(destination=None, searched=0)
    turn.call = turn.sight.inspect(mark)


def _guided(turn: Turn, acts: Sequence[Act]) -> None:
    if turn.draws[0] >= float(turn.shopper.settings["navigation_following"]):
        turn.say("own_way")
        guidance.own_way(turn)
        return
    stuck = turn.state.walked and turn.sight.marks == turn.state.view and acts[0].kind is Kind.MOVE
    if (
        stuck
        and turn.meaning.acts[0].kind is Kind.MOVE
        and turn.state.heard.count(turn.sight.heard.strip().lower()) > 1
    ):
        turn.say("stuck")
        guidance.own_way(turn)
        return
    place = acts[0].place
    if place is not None and guidance.at_place(turn, place) and turn.state.destination == place:
        _at_destination(turn, place)
        return
    guidance.follow(turn, acts)


def _go_on(turn: Turn) -> None:
    """Carry on towards the destination or look for the target, while talking."""
    state = turn.state
    mark = turn.sight.places.get(state.destination or "")
    if mark is not None and not guidance.at_place(turn, mark["name"]):
        turn.call = guidance.to_place(mark, None)
        return
    if mark is not None:
        _at_destination(turn, mark["name"])
        return
    if state.searched >= _LONGEST_SEARCH:
        turn.say("lost", name=state.target or state.destination or "it")
        turn.annoy(0.5)
        turn.note(searched=0, destination=None, target=None)
        return
    if not turn.replies and state.searched % 3 == 0:
        turn.say("not_seen", name=state.destination or state.target or "it")
    turn.call = guidance.search_call(state.searched)
    turn.note(searched=state.searched + 1)


def _at_destination(turn: Turn, place: str) -> None:
    if turn.state.target is None:
        turn.say("arrived", place=place)
        turn.note(destination=None, searched=0)
        return
    if turn.state.searched >= _LONGEST_SEARCH - 1:
        turn.say("lost", name=turn.state.target)
        turn.annoy(0.5)
        turn.note(destination=None, target=None, searched=0)
        return
    turn.say("not_here", product=turn.state.target)
    turn.call = guidance.close_search_call(turn.state.searched)
    turn.note(searched=turn.state.searched + 1)


def _undirected(turn: Turn) -> None:
    """Nothing to go by: stand and talk, or, for an explorer or after waiting, look around."""
    explorer = turn.shopper.settings["behavior_style"] == "explorer"
    if explorer and turn.state.tried_alone < _MOST_TRIED_ALONE and turn.draws[3] < 0.35:
        mark = _evident(turn)
        if mark is not None:
            turn.say("curious", product=mark["name"])
            turn.note(target=mark["name"], tried_alone=turn.state.tried_alone + 1)
            turn.call = turn.sight.inspect(mark)
            return
    asks = any(act.kind is Kind.ASK for act in turn.meaning.acts)
    if turn.sight.number > 0 and turn.draws[4] < (0.5 if explorer else 0.0 if asks else 0.3):
        guidance.own_way(turn)


def _evident(turn: Turn) -> Mark | None:
    """A product in reach whose name shows that it is of the kind wanted."""
    words = {word.rstrip("s") for word in turn.shopper.category.lower().split()}
    for name, mark in sorted(turn.sight.products.items()):
        named = {word.rstrip("s") for word in name.lower().split()}
        if mark["reachable"] and words <= named and turn.state.why_rejected(name) is None:
            return mark
    return None
