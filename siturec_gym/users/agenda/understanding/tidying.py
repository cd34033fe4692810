"""Puts the acts of an utterance in order: claims join what they support, echoes and repetitions go."""

from collections.abc import Sequence
from dataclasses import replace

from siturec_gym.users.agenda.understanding.meaning import Act, Attribute, Heading, Kind, Slot

_IN_HAND = frozenset({Kind.PUT_BACK, Kind.ADD_TO_CART})


def tidied(acts: Sequence[Act]) -> list[Act]:
    """``acts`` with the claims of statements in the recommendation or comparison they support, each act once."""
    carrier = next((act for act in acts if act.kind in {Kind.RECOMMEND, Kind.COMPARE}), None)
    facts = tuple(claim for act in acts if act.kind is Kind.INFORM and _carries(carrier, act) for claim in act.claims)
    result: list[Act] = []
    for act in acts:
        if _is_superfluous(act, acts, carrier):
            continue
        if act is carrier:
            act = replace(act, claims=tuple(dict.fromkeys((*act.claims, *facts))))  # noqa: PLW2901
        result.extend(_unless_there(result, act))
    return result


def _carries(carrier: Act | None, fact: Act) -> bool:
    """Whether what is said of a product belongs to its recommendation or comparison."""
    return carrier is not None and (carrier.kind is Kind.COMPARE or fact.product in {None, carrier.product})


def _is_superfluous(act: Act, acts: Sequence[Act], carrier: Act | None) -> bool:
    """Whether another act of the utterance makes this one say nothing of its own."""
    kinds = {other.kind for other in acts}
    slots = {other.slot for other in acts if other.kind is Kind.ASK}
    if act.kind is Kind.INFORM:
        warns = act.product is not None and any(claim.attribute is Attribute.CONTAINS for claim in act.claims)
        given_in = Kind.REJECT_ACK in kinds and not warns
        told = act.product is None and any(other.kind is Kind.INFORM and other.product for other in acts)
        return told or _carries(carrier, act) or given_in or (Slot.PRICE in slots and act.product is None)
    if act.kind is Kind.ASK and act.slot is Slot.OTHER:
        return len(slots) > 1
    if act.kind is Kind.ASK and act.slot is Slot.SATISFACTION:
        return act.product is None and bool(kinds & _IN_HAND)
    if act.kind is Kind.LOOK:
        return _is_said_better(act, acts)
    return act.kind is Kind.GREET and Kind.GOODBYE in kinds


def _is_said_better(look: Act, acts: Sequence[Act]) -> bool:
    """Whether the way to the same place, or a turn around, is among the acts too."""
    if look.place is not None:
        return any(act.kind is Kind.NAVIGATE_PLACE and act.place == look.place for act in acts)
    around = look.product is None and look.direction is Heading.AROUND
    return around and any(act.kind is Kind.MOVE and act.direction is Heading.AROUND for act in acts)


def _unless_there(before: list[Act], act: Act) -> list[Act]:
    """``act`` unless the same is there already; then its claims join those of the first."""
    for at, other in enumerate(before):
        if _gist(other) == _gist(act):
            before[at] = replace(other, claims=tuple(dict.fromkeys((*other.claims, *act.claims))))
            return []
    return [act]


def _gist(act: Act) -> tuple[object, ...]:
    """What tells an act from another: all but claims and amounts."""
    return act.kind, act.slot, act.product, act.other, act.place, act.direction, act.approach
