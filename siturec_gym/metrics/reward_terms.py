"""The reward of a turn in named terms, along the paper's four dimensions (SituRecBench, Appendix C.1).

Each term is a pure function of a ``Moment``: the turn's record, what the record held before it, and what it holds now.
What the earlier turns amount to is kept in ``Progress``, a value that ``advance`` takes from turn to turn, so that a
turn costs the same however long the episode is. More is better in every term: penalties are 0 or negative.

Terms that look at ``Standards`` (the reference set, the budget) are for learning and evaluation; they never belong in
an observation or a prompt.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.records import EpisodeRecord, TurnRecord, ViewRecord
from siturec_gym.metrics.dialogue import NOTHING_HEARD, Facts, Heard, Reader, Words, breaks, words_of
from siturec_gym.metrics.navigation import comparable, same_local_action, same_tool
from siturec_gym.metrics.recommendation import CUTOFF, discounted_gain, recall, reciprocal_rank
from siturec_gym.metrics.visibility import ProductsOfPlace, shows

OTHER_ITEM = 0.25
INVALID_FLAGS = frozenset(
    ("recommendation_names_no_product", "navigation_names_no_goal", "no_expected_user_action")
)  # fmt: skip
HANDLE_FLAG = "assistant_spoke_handle"
UNANNOTATED_FLAG = "spoken_recommendation_without_annotation"
_TAKES = frozenset((Tool.PICK_UP_ITEM.value, Tool.CHECK_ITEM.value))
FAILED = "generation_failure"


@dataclass(frozen=True, slots=True)
class Standards:
    """What an episode is measured against.

    Attributes:
        reference_set: A_e.
        budget: Most the shopper pays, dollars.
        legal_tools: Tool names of the scene.
        facts: Price and labels of each product of the catalog.
        products_of_place: For stores and areas, the products that make them visible.
        reader: Reads what is said.
    """

    reference_set: frozenset[str]
    budget: float
    legal_tools: frozenset[str]
    facts: Mapping[str, Facts]
    products_of_place: ProductsOfPlace
    reader: Reader


@dataclass(frozen=True, slots=True)
class Progress:
    """What the turns so far amount to.

    Attributes:
        rankings: The saved lists, cut to ten.
        reciprocal_ranks: Sum over the lists of 1 / rank of the first item of A_e.
        goal: The last place named as a navigation goal.
        awaited: The goal that was named while out of view and has not been seen since.
        found: Goals that were awaited and came into view.
        said: Words of each utterance of the assistant.
        heard: What the shopper said.
        held: Product in hand, or checked last and not put off.
    """

    rankings: tuple[tuple[str, ...], ...] = ()
    reciprocal_ranks: float = 0.0
    goal: str | None = None
    awaited: str | None = None
    found: frozenset[str] = frozenset()
    said: tuple[Words, ...] = ()
    heard: Heard = NOTHING_HEARD
    held: str | None = None

    @property
    def mean_reciprocal_rank(self) -> float:
        """R-MRR@10 of the lists so far; 0 before the first."""
        return self.reciprocal_ranks / len(self.rankings) if self.rankings else 0.0


class Moment(NamedTuple):
    """A turn that was just completed.

    Attributes:
        turn: Its record.
        before: What the earlier turns amount to.
        now: The same with this turn.
        view: What is in view after it.
        cart: Product ids in the cart after it.
        ended: Whether the episode is over.
        standards: What to measure against.
    """

    turn: TurnRecord
    before: Progress
    now: Progress
    view: ViewRecord
    cart: tuple[str, ...]
    ended: bool
    standards: Standards


Term = Callable[[Moment], float]


class TermInfo(NamedTuple):
    """A term with the range of its values."""

    value: Term
    low: float
    high: float


def outcome(moment: Moment) -> float:
    """1 if the cart holds an item of A_e, 0.25 if it holds others only, else 0. In {0, 0.25, 1}; SR and RPR (C.1).

    An item in the cart ends the episode, so this is not 0 in its last turn at most.
    """
    if not moment.cart:
        return 0.0
    return 1.0 if not moment.standards.reference_set.isdisjoint(moment.cart) else OTHER_ITEM


def budget_kept(moment: Moment) -> float:
    """1 if the cart costs no more than the budget, -1 if it costs more, 0 if it is empty. In {-1, 0, 1}; A.3."""
    if not moment.cart:
        return 0.0
    facts = moment.standards.facts
    cost = sum(facts[product].price for product in moment.cart if product in facts)
    return 1.0 if cost <= moment.standards.budget + 1e-9 else -1.0


def turn_cost(_: Moment) -> float:
    """-1 for every turn. Its sum is -T_e; Turn (C.1)."""
    return -1.0


def reference_rank(moment: Moment) -> float:
    """1 / rank of the first item of A_e in this turn's list of ten, 0 without one. In [0, 1]; R-MRR@10 (C.1)."""
    return reciprocal_rank(moment.now.rankings[-1], moment.standards.reference_set)


def reference_rank_gain(moment: Moment) -> float:
    """R-MRR@10 of the lists so far minus its value a turn ago. In [-1, 1]; the sum over an episode is its R-MRR@10."""
    return moment.now.mean_reciprocal_rank - moment.before.mean_reciprocal_rank


def cart_recall(moment: Moment) -> float:
    """s_e(q) of R@5 in the last turn, else 0. In [0, 1]; C.1."""
    if not moment.ended or not moment.cart:
        return 0.0
    lists = moment.now.rankings
    return sum(recall(ranking, moment.cart) for ranking in lists) / len(lists)


def cart_discounted_gain(moment: Moment) -> float:
    """s_e(z) of NDCG@10 in the last turn, else 0. In [0, 1]; C.1."""
    if not moment.ended or not moment.cart:
        return 0.0
    lists = moment.now.rankings
    return sum(discounted_gain(ranking, moment.cart) for ranking in lists) / len(lists)


def action_following(moment: Moment) -> float:
    """1 if the user asked for the expected, legal tool, else 0. In {0, 1}; AFR (C.1)."""
    expected = _legal_expected(moment)
    return float(expected is not None and same_tool(expected, moment.turn.user.tool_requested))


def local_alignment(moment: Moment) -> float:
    """1 if tool and direction or target are as expected, else 0. In {0, 1}; LNSR (C.1)."""
    expected = _legal_expected(moment)
    if expected is None or not comparable(expected):
        return 0.0
    return float(same_local_action(expected, moment.turn.user.tool_requested))


def goal_visibility_gain(moment: Moment) -> float:
    """1 when the goal last named, out of view at the time, comes into view; once a goal. In {0, 1}; CGV gain (C.1)."""
    return float(len(moment.now.found) - len(moment.before.found))


def repetition(moment: Moment) -> float:
    """-1 if the assistant says what it said before (``Reader.repeats``), else 0. In {-1, 0}; Non-repetition (C.1)."""
    return _penalty(moment.standards.reader.repeats(moment.now.said[-1], moment.before.said))


def redundant_question(moment: Moment) -> float:
    """-1 if the assistant asks about what was answered before, else 0. In {-1, 0}; Non-repetition (C.1)."""
    asked = moment.standards.reader.asked(moment.turn.assistant.utterance)
    return _penalty(not asked.isdisjoint(moment.before.heard.answered))


def ignored_constraint(moment: Moment) -> float:
    """-1 if a Recommend act names a product that breaks what the shopper said before, else 0. In {-1, 0}.

    Budget, labels refused, diets asked for (``dialogue.breaks``); Preference Alignment (C.1). It goes by what was said,
    not by the private goal.
    """
    recommendation = moment.turn.assistant.recommendation
    facts = moment.standards.facts.get(recommendation.product or "") if recommendation else None
    return _penalty(facts is not None and breaks(facts, moment.before.heard))


def invalid_annotation(moment: Moment) -> float:
    """-1 if the annotation names no product, goal or legal expected tool where it must, else 0. In {-1, 0}; B.2."""
    flagged = not INVALID_FLAGS.isdisjoint(moment.turn.flags)
    return _penalty(flagged or _legal_expected(moment) is None)


def spoken_handle(moment: Moment) -> float:
    """-1 if the assistant said a handle aloud (flag ``assistant_spoke_handle``), else 0. In {-1, 0}; B.1."""
    return _penalty(HANDLE_FLAG in moment.turn.flags)


def unannotated_recommendation(moment: Moment) -> float:
    """-1 if a product was recommended in words without a Recommend act, else 0. In {-1, 0}; B.2."""
    return _penalty(UNANNOTATED_FLAG in moment.turn.flags)


TERMS: dict[str, TermInfo] = {
    "outcome": TermInfo(outcome, 0.0, 1.0),
    "budget_kept": TermInfo(budget_kept, -1.0, 1.0),
    "turn_cost": TermInfo(turn_cost, -1.0, 0.0),
    "reference_rank": TermInfo(reference_rank, 0.0, 1.0),
    "reference_rank_gain": TermInfo(reference_rank_gain, -1.0, 1.0),
    "cart_recall": TermInfo(cart_recall, 0.0, 1.0),
    "cart_discounted_gain": TermInfo(cart_discounted_gain, 0.0, 1.0),
    "action_following": TermInfo(action_following, 0.0, 1.0),
    "local_alignment": TermInfo(local_alignment, 0.0, 1.0),
    "goal_visibility_gain": TermInfo(goal_visibility_gain, 0.0, 1.0),
    "repetition": TermInfo(repetition, -1.0, 0.0),
    "redundant_question": TermInfo(redundant_question, -1.0, 0.0),
    "ignored_constraint": TermInfo(ignored_constraint, -1.0, 0.0),
    "invalid_annotation": TermInfo(invalid_annotation, -1.0, 0.0),
    "spoken_handle": TermInfo(spoken_handle, -1.0, 0.0),
    "unannotated_recommendation": TermInfo(unannotated_recommendation, -1.0, 0.0),
}
"""Every term by name, in the order of the paper's dimensions."""


def advance(progress: Progress, turn: TurnRecord, view: ViewRecord, standards: Standards) -> Progress:
    """What the record amounts to with one more turn.

    Args:
        progress: What it amounted to before.
        turn: The turn that was completed.
        view: What is in view after it.
        standards: What to measure against.
    """
    said = turn.assistant
    ranking = said.ranking[:CUTOFF]
    goal = said.navigation.navigation_goal if said.navigation else None
    awaited = progress.awaited
    if goal is not None:
        settled = goal in progress.found or shows(turn.visible, goal, standards.products_of_place)
        awaited = None if settled else goal
    found = awaited is not None and shows(view, awaited, standards.products_of_place)
    asked = standards.reader.asked(said.utterance)
    return Progress(
        rankings=(*progress.rankings, ranking),
        reciprocal_ranks=progress.reciprocal_ranks + reciprocal_rank(ranking, standards.reference_set),
        goal=goal or progress.goal,
        awaited=None if found else awaited,
        found=progress.found | {awaited} if found and awaited else progress.found,
        said=(*progress.said, words_of(said.utterance)),
        heard=standards.reader.listen(progress.heard, asked, turn.user.utterance),
        held=_held(progress.held, turn.user.tool_executed),
    )


def terms_of(moment: Moment) -> dict[str, float]:
    """The value of every term."""
    return {name: term.value(moment) for name, term in TERMS.items()}


def moments(episode: EpisodeRecord, standards: Standards) -> Iterator[Moment]:
    """Every turn of a record as the moment at which it was completed; the reward of a record follows from these.

    A role that fails ends an episode after its last complete turn, so no turn of such an episode is the last.
    """
    progress, last = Progress(), len(episode.turns) - 1
    for index, turn in enumerate(episode.turns):
        at_end = index == last
        view = episode.final_view if at_end else episode.turns[index + 1].visible
        before, progress = progress, advance(progress, turn, view, standards)
        ended = at_end and episode.end_reason not in ("", FAILED)
        yield Moment(turn, before, progress, view, episode.cart if at_end else (), ended, standards)


def _penalty(holds: bool) -> float:
    return -1.0 if holds else 0.0


def _legal_expected(moment: Moment) -> ToolCall | None:
    expected = moment.turn.assistant.expected_user_action
    return expected if expected is not None and expected.tool in moment.standards.legal_tools else None


def _held(held: str | None, executed: ToolCall) -> str | None:
    """The product in hand after a call."""
    if executed.tool in _TAKES:
        return executed.target
    if executed.tool in (Tool.DROP_ITEM, Tool.ADD_TO_CART, Tool.DO_NOT_ADD_TO_CART):
        return None
    return held
