"""What changes in a store during an episode (SituRecBench, Section 2)."""

from dataclasses import dataclass

from siturec_gym.core.pose import Pose
from siturec_gym.scenes.scene import Scene


@dataclass(frozen=True, slots=True)
class WorldState:
    """The world at one moment; a value.

    Attributes:
        pose: Where the user stands and looks.
        cart: Product ids in the order they were added.
        held: Instance id of the item in hand, or None; nothing is picked up in the home store.
        checked: Instance id of the item under check, or None; items are checked in the home store alone.
        removed: Instance ids that are not on their shelves: held or in the cart.
        revealed: Product ids whose price and details the user has read off the item.
        stalled: Consecutive translational actions without displacement (S4).
    """

    pose: Pose
    cart: tuple[str, ...] = ()
    held: str | None = None
    checked: str | None = None
    removed: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()
    stalled: int = 0

    @property
    def inspected(self) -> str | None:
        """Instance id of the item in hand or under check."""
        return self.held or self.checked


def initial_state(scene: Scene) -> WorldState:
    """The start of every episode: empty hands and cart, at the scene's starting point."""
    return WorldState(scene.start_pose)
