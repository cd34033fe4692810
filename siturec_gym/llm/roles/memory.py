"""What a model-backed role carries from turn to turn, as a value."""

from dataclasses import dataclass, field, replace
from typing import TypeVar

from siturec_gym.core.policy import Remarks
from siturec_gym.llm.messages import ImagePart

StateT = TypeVar("StateT", bound="RoleState")


@dataclass(frozen=True)
class SeenView:
    """A view as it was sent: the one at the start of ``turn``."""

    turn: int
    image: ImagePart


@dataclass(frozen=True)
class RoleState:
    """The state of a role between two turns; what was said is in the observation's history.

    Attributes:
        seed: The role's seed of this episode.
        views: The last views, oldest first.
        remarks: What is to be kept with the last turn.
    """

    seed: int
    views: tuple[SeenView, ...] = ()
    remarks: Remarks = field(default_factory=Remarks)


def seeing(state: StateT, turn: int, image: ImagePart | None, most: int) -> StateT:
    """The state once the view of ``turn`` is seen; ``most`` views are kept. Seeing a turn again changes nothing."""
    earlier = tuple(view for view in state.views if view.turn < turn)
    views = earlier if image is None else (*earlier, SeenView(turn, image))
    return replace(state, views=views[-most:] if most else ())
