"""The reward of a turn in named terms, along the paper's four dimensions (SituRecBench, Appendix C.1).

Each term is a pure function of a ``Moment``: the turn's record, what the record held before it, and what it holds now.
More is better in every term: penalties are 0 or negative.

Terms that look at ``Standards`` (the reference set, the budget) are for learning and evaluation; they never belong in
an observation or a prompt.
"""

from collections.abc import Callable
from typing import NamedTuple

from siturec_gym.core.actions import ToolCall
from siturec_gym.metrics.dialogue import breaks
from siturec_gym.metrics.moments import Moment
from siturec_gym.metrics.navigation import comparable, same_local_action, same_tool
from siturec_gym.metrics.recommendation import discounted_gain, recall, reciprocal_rank

OTHER_ITEM = 0.25
INVALID_FLAGS = frozenset(
    (
        "recommendation_names_no_product",
        "navigation_names_no_goal",
        "no_expected_user_action",
        "assistant_invalid_reply",
    )
)  # fmt: skip
HANDLE_FLAG = "assistant_spoke_handle"
UNANNOTATED_FLAG = "spoken_recommendation_without_annotation"


Term = Callable[[Moment], float]


class TermInfo(NamedTuple):
    """A term with the range of its values."""

    value: Term
    low: float
    high: float


def outcome(moment: Moment) -> float:
    """1 if the cart holds an item of A_e, 0.25 if it holds others only, else 0. In {0, 0.25, 1}; SR and RPR (C.1).

    An item in the cart ends the episode, so only the last turn can pay.
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
    return _penalty(not moment.now.asked.isdisjoint(moment.before.heard.answered))


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


def terms_of(moment: Moment) -> dict[str, float]:
    """The value of every term."""
    return {name: term.value(moment) for name, term in TERMS.items()}


def _penalty(holds: bool) -> float:
    return -1.0 if holds else 0.0


def _legal_expected(moment: Moment) -> ToolCall | None:
    expected = moment.turn.assistant.expected_user_action
    return expected if expected is not None and expected.tool in moment.standards.legal_tools else None
