"""Play slots here or elsewhere, several at once. Who plays a slot makes no difference to its episode."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siturec_gym.core.records import EpisodeRecord
from siturec_gym.evaluation.slots import Slot
from siturec_gym.evaluation.threads import MakePlayer, PlaySlot, in_threads

__all__ = ["Crew", "MakePlayer", "PlaySlot", "play_all"]


@dataclass(frozen=True, slots=True)
class Crew:
    """How many episodes are played at once, and where. It changes the time a run takes, never its episodes.

    Attributes:
        workers: Processes; 1 plays in this one. With ``ray``, actors of the cluster.
        threads: Episodes that each of them plays at once. More than one helps roles that wait for a model.
        ray: None, "auto" for the Ray cluster of this machine (started if there is none), or the address of a cluster.
    """

    workers: int = 1
    threads: int = 1
    ray: str | None = None

    def __post_init__(self) -> None:
        for name in ("workers", "threads"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")


def play_all(
    slots: Sequence[Slot], make_player: MakePlayer, crew: Crew | int = 1
) -> Iterator[tuple[Slot, EpisodeRecord]]:
    """Each slot with its episode as soon as it is complete: in slot order where one is played at a time.

    Args:
        slots: What to play.
        make_player: Builds what plays a slot, once for each thread of each process. It must be picklable where other
            processes play.
        crew: Who plays; a number means so many processes.

    Raises:
        ValueError: Less than one worker or thread.
        RunError: A worker process died, or Ray cannot be used.
    """
    crew = Crew(workers=crew) if isinstance(crew, int) else crew
    if not slots:
        return iter(())
    if crew.ray is not None:
        from siturec_gym.evaluation.ray_cluster import on_ray  # noqa: PLC0415  an extra

        return on_ray(slots, make_player, crew.ray, crew.workers, crew.threads)
    if crew.workers > 1 and len(slots) > 1:
        from siturec_gym.evaluation.processes import in_processes  # noqa: PLC0415

        return in_processes(slots, make_player, min(crew.workers, len(slots)), crew.threads)
    return in_threads(slots, make_player, min(crew.threads, len(slots)))
