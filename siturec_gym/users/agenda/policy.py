"""The agenda user as a policy: understand, decide, disclose, keep or lose patience, word the reply."""

from siturec_gym.core.actions import MOVE_OF_KIND, Tool, UserAction
from siturec_gym.core.policy import Observation
from siturec_gym.users.agenda import decide
from siturec_gym.users.agenda.disclosure import disclose, open_up
from siturec_gym.users.agenda.shopper import read_shopper
from siturec_gym.users.agenda.state import AgendaState
from siturec_gym.users.agenda.temper import leave, out_of_patience, weigh
from siturec_gym.users.agenda.turn import Turn, begin, read_sight
from siturec_gym.users.agenda.understanding import Kind
from siturec_gym.users.agenda.wording import worded

_WALKS = frozenset(
    {
        Tool.MOVE_FORWARD,
        Tool.MOVE_BACKWARD,
        Tool.TURN_AND_MOVE,
        Tool.MOVE_AND_TURN,
        Tool.SIDE_STEP,
        *MOVE_OF_KIND.values(),
    }
)


class AgendaUser:
    """A simulated shopper made of rules and word lists (S9, S11, S18).

    It hears plain text, knows of a product only its name until it holds it or is told more, tells at most one new
    detail a turn, and buys only what meets every need within the budget. Equal seeds give equal behaviour.
    """

    def initial_state(self, seed: int) -> AgendaState:
        """The memory at the start of an episode."""
        return AgendaState(seed=int(seed))

    def step(self, observation: Observation, state: AgendaState) -> tuple[UserAction, AgendaState]:
        """The reply and the one tool call of this turn.

        Args:
            observation: The user's observation; the text keys, ``turn``, ``profile`` and ``goal`` are read.
            state: The memory after the turn before.
        """
        shopper = read_shopper(observation["profile"], observation["goal"])
        turn = begin(read_sight(observation), shopper, state)
        if state.gone:
            leave(turn)
        else:
            _take(turn)
        after = turn.state._replace(view=turn.sight.marks, walked=turn.call.tool in _WALKS)
        return UserAction(worded(turn), turn.call), after


def _take(turn: Turn) -> None:
    before = turn.state.annoyance
    weigh(turn)
    if turn.sight.held is not None:
        decide.with_package(turn, turn.sight.held)
    else:
        decide.empty_handed(turn)
    greeted = any(act.kind is Kind.GREET for act in turn.meaning.acts)
    open_up(turn, greeted)
    if turn.sight.held is None and any(act.kind is Kind.GOODBYE for act in turn.meaning.acts):
        turn.say("not_done")
    disclose(turn)
    annoyed = turn.state.annoyance > before
    if annoyed and out_of_patience(turn) and turn.call.tool != Tool.ADD_TO_CART:
        leave(turn)
