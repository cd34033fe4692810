"""A recorded episode turn by turn: what rewards and potentials look at.

What the earlier turns amount to is kept in ``Progress``, a value that ``advance`` takes from turn to turn, so that a
turn costs the same however long the episode is.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from siturec_gym.core.actions import Tool, ToolCall
from siturec_gym.core.records import EpisodeRecord, TurnRecord, ViewRecord
from siturec_gym.metrics.dialogue import NOTHING_HEARD, Facts, Heard, Reader, Words, words_of
from siturec_gym.metrics.recommendation import CUTOFF, reciprocal_rank
from siturec_gym.metrics.visibility import ProductsOfPlace, shows

FAILED = "generation_failure"
_TAKES = frozenset((Tool.PICK_UP_ITEM.value, Tool.CHECK_ITEM.value))


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


class Progress(NamedTuple):
    """What the turns so far amount to.

    Attributes:
        rankings: The saved lists, cut to ten.
        reciprocal_ranks: Sum over the lists of 1 / rank of the first item of A_e.
        goal: The last place named as a navigation goal.
        awaited: The goal that was named while out of view and has not been seen since.
        found: Goals that were awaited and came into view.
        said: Words of each utterance of the assistant.
        asked: Slots that its last utterance asked about.
        heard: What the shopper said.
        held: Product in hand, or checked last and not put off.
    """

    rankings: tuple[tuple[str, ...], ...] = ()
    reciprocal_ranks: float = 0.0
    goal: str | None = None
    awaited: str | None = None
    found: frozenset[str] = frozenset()
    said: tuple[Words, ...] = ()
    asked: frozenset[str] = frozenset()
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
        asked=asked,
        heard=standards.reader.listen(progress.heard, asked, turn.user.utterance),
        held=_held(progress.held, turn.user.tool_executed),
    )


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


def _held(held: str | None, executed: ToolCall) -> str | None:
    """The product in hand after a call."""
    if executed.tool in _TAKES:
        return executed.target
    if executed.tool in (Tool.DROP_ITEM, Tool.ADD_TO_CART, Tool.DO_NOT_ADD_TO_CART):
        return None
    return held
