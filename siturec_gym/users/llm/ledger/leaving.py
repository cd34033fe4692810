"""Whether a shopper who takes leave does so too early: before what they heard has used up their patience.

Patience is measured as for the agenda user (``users/agenda/temper.py``), from the assistant's words, with half a
nuisance more for each turn in which the shopper put a product back, said no to one, was lost, or had a call refused.
Leaving is early while that stays below half of what the shopper's patience bears: half, since words show only a part of
what annoys. In the first two turns it is always early, unless the assistant has nothing to offer or takes leave itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from siturec_gym.core.actions import Tool
from siturec_gym.policies.heuristic import cues
from siturec_gym.policies.heuristic.vocabulary import tokens_of
from siturec_gym.users.agenda.shopper import Shopper
from siturec_gym.users.agenda.state import AgendaState
from siturec_gym.users.agenda.temper import BEARS, weigh
from siturec_gym.users.agenda.turn import Sight, begin
from siturec_gym.users.phrases import takes_leave

_DISAPPOINTMENT = 0.5
_SHARE_SHOWN = 0.5
_ALWAYS_EARLY = 2
_PUTTING_OFF = (Tool.DROP_ITEM, Tool.DO_NOT_ADD_TO_CART)
_NOTHING_LEFT = (
    "nothing like that", "nothing else", "nothing suitable", "do not have", "don't have", "out of stock", "sold out",
    "cannot help", "can't help", "no more", "nothing more", "nothing that",
)  # fmt: skip

Entry = Mapping[str, Any]


def leaves_early(utterance: str, tool: str, shopper: Shopper, history: Sequence[Entry], *, by_hand: bool) -> bool:
    """Whether the words end the visit without a purchase and without a reason.

    Args:
        utterance: What the shopper says.
        tool: What the shopper does.
        shopper: Profile and goal.
        history: What was said and done so far, the assistant's last words included.
        by_hand: Whether goods are picked up here; ways are longer where they are not.
    """
    if tool == Tool.ADD_TO_CART or not takes_leave(utterance):
        return False
    heard = [entry["utterance"] for entry in history if entry["role"] == "assistant"]
    last = heard[-1].lower() if heard else ""
    if takes_leave(last) or any(words in last for words in _NOTHING_LEFT):
        return False
    if len(heard) <= _ALWAYS_EARLY:
        return True
    done = [entry for entry in history if entry["role"] == "user"]
    annoyance = _annoyance(shopper, heard, by_hand) + _DISAPPOINTMENT * sum(map(_disappoints, done))
    return annoyance < _SHARE_SHOWN * BEARS[shopper.level("patience")]


def _disappoints(entry: Entry) -> bool:
    """Whether a past turn of the shopper went wrong."""
    if entry["tool"] in _PUTTING_OFF or entry.get("refusal"):
        return True
    said = " ".join(tokens_of(entry["utterance"]))
    return bool(cues.REJECT.search(said) or cues.LOST.search(said))


def _annoyance(shopper: Shopper, heard: Sequence[str], by_hand: bool) -> float:
    state = AgendaState(seed=0)
    for number, words in enumerate(heard):
        turn = begin(Sight(number, words, None, None, {}, {}, "", by_hand), shopper, state)
        weigh(turn)
        state = turn.state
    return state.annoyance
