"""An assistant that knows which products are right: an upper bound for debugging, never a baseline."""

from collections.abc import Iterable

from siturec_gym.policies.heuristic import Belief, HeuristicAssistant


class PrivilegedAssistant(HeuristicAssistant):
    """Goes straight to the nearest right product, tells facts and closes.

    Args:
        reference_set: Ids of the products that meet the task's needs and budget.
    """

    def __init__(self, reference_set: Iterable[str] = ()) -> None:
        chosen = frozenset(reference_set)
        if not chosen:
            raise ValueError("the privileged assistant needs reference_set, the ids of the right products; got none")
        super().__init__(Belief(only=chosen))
