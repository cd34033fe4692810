"""How promising a moment of an episode is: potentials for reward shaping (SituRecBench, Appendix C.1).

A potential phi looks at what the episode has come to, not at the turn that led there. Its shaping term is
gamma * phi(s') - phi(s); over an episode the terms telescope, so that they cannot change which policy is best (Ng,
Harada and Russell, 1999). phi is 0 once the episode is over, however it ended.
"""

from collections.abc import Callable, Mapping

from siturec_gym.core.records import ViewRecord
from siturec_gym.metrics.moments import Moment, Progress, Standards
from siturec_gym.metrics.recommendation import reciprocal_rank
from siturec_gym.metrics.visibility import shows

Potential = Callable[[Progress, ViewRecord, Standards], float]


def potential_rank(progress: Progress, _: ViewRecord, standards: Standards) -> float:
    """1 / rank of the first item of A_e in the last list, 0 without one. In [0, 1]; R-MRR@10."""
    return reciprocal_rank(progress.rankings[-1], standards.reference_set) if progress.rankings else 0.0


def potential_goal_in_view(progress: Progress, view: ViewRecord, standards: Standards) -> float:
    """1 while the goal named last is in view, else 0. In {0, 1}; CGV."""
    return float(progress.goal is not None and shows(view, progress.goal, standards.products_of_place))


def potential_reference_in_view(progress: Progress, view: ViewRecord, standards: Standards) -> float:
    """1 while an item of A_e is in view or in hand, else 0. In {0, 1}; a step towards RPR."""
    in_view = not standards.reference_set.isdisjoint(view.products)
    return float(in_view or progress.held in standards.reference_set)


def potential_reference_held(progress: Progress, _: ViewRecord, standards: Standards) -> float:
    """1 while the user holds or checks an item of A_e, else 0. In {0, 1}; a step towards RPR."""
    return float(progress.held in standards.reference_set)


POTENTIALS: dict[str, Potential] = {
    "potential_rank": potential_rank,
    "potential_goal_in_view": potential_goal_in_view,
    "potential_reference_in_view": potential_reference_in_view,
    "potential_reference_held": potential_reference_held,
}
"""Every potential by name; all lie in [0, 1]."""


def potentials_of(progress: Progress, view: ViewRecord, standards: Standards) -> dict[str, float]:
    """The value of every potential while the episode goes on."""
    return {name: potential(progress, view, standards) for name, potential in POTENTIALS.items()}


def ended_potentials() -> dict[str, float]:
    """The value of every potential once the episode is over: 0."""
    return dict.fromkeys(POTENTIALS, 0.0)


def shaping(before: Mapping[str, float], after: Mapping[str, float], gamma: float) -> dict[str, float]:
    """gamma * phi(s') - phi(s) of every potential.

    Args:
        before: Potentials at the start of the turn.
        after: Potentials after it.
        gamma: The learner's discount factor.
    """
    return {name: gamma * after[name] - value for name, value in before.items()}


def turn_shaping(moment: Moment, view_before: ViewRecord, gamma: float) -> dict[str, float]:
    """The shaping term of every potential for a turn.

    Args:
        moment: The turn.
        view_before: What was in view when it began.
        gamma: The learner's discount factor.
    """
    before = potentials_of(moment.before, view_before, moment.standards)
    after = ended_potentials() if moment.ended else potentials_of(moment.now, moment.view, moment.standards)
    return shaping(before, after, gamma)
