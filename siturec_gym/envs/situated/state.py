"""The state of an episode as a value (S2). Whoever holds one can go on from it, any number of times."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from siturec_gym.core.records import AssistantRecord, EpisodeRecord, TurnRecord, ViewRecord
from siturec_gym.envs.situated.termination import End, EndReason
from siturec_gym.tasks.records import Profile, Task
from siturec_gym.world.state import WorldState


@dataclass(frozen=True, slots=True)
class Spoken:
    """The assistant's side of the turn that is underway.

    Attributes:
        record: What it said and annotated.
        flags: What was noticed about it (``transition.Flag``).
    """

    record: AssistantRecord
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EpisodeState:
    """Everything that changes during an episode, and the task it is about.

    Attributes:
        task: Private to the user's side and to evaluation.
        profile: The shopper; private to the user's side.
        seed: What ``reset`` was given; -1 when it was given none.
        world: Pose, cart, held item, what left the shelves.
        history: One line of JSON for each utterance or exchange, oldest first, the last 40.
        turns: Records of the complete turns; their number is the current turn's index.
        recommended: Product of each Recommend annotation so far, this turn's counted.
        spoken: Set between the assistant's and the user's move.
        noted_flags: Flags that wrappers added to the turn underway.
        noted_usage: Tokens, cost and the like of the turn underway, by name.
        noted_reasoning: What thinking models wrote in the turn underway, by role.
        end: Set once the episode is over.
    """

    task: Task
    profile: Profile
    seed: int
    world: WorldState
    history: tuple[str, ...] = ()
    turns: tuple[TurnRecord, ...] = ()
    recommended: tuple[str | None, ...] = ()
    spoken: Spoken | None = None
    noted_flags: tuple[str, ...] = ()
    noted_usage: Mapping[str, float] = field(default_factory=dict)
    noted_reasoning: Mapping[str, str] = field(default_factory=dict)
    end: End | None = None

    @property
    def turn(self) -> int:
        """Index of the current turn, from 0; the number of complete turns."""
        return len(self.turns)

    def noted(
        self,
        flags: tuple[str, ...],
        usage: Mapping[str, float],
        reward_terms: Mapping[str, float],
        reasoning: Mapping[str, str],
    ) -> "EpisodeState":
        """The state with remarks added: reward terms to the last complete turn, all else to the turn underway.

        Once the episode is over, the last turn takes them all.
        """
        turns = self.turns
        over = self.end is not None and bool(turns)
        if turns and (reward_terms or over):
            last = turns[-1]
            terms = {**last.reward_terms, **reward_terms}
            last = replace(last, reward_terms=terms)
            if over:
                flags, usage = (*last.flags, *flags), summed(last.usage, usage)
                last = replace(last, flags=flags, usage=usage, reasoning={**last.reasoning, **reasoning})
            turns = (*turns[:-1], last)
        if over:
            return replace(self, turns=turns)
        return replace(
            self,
            turns=turns,
            noted_flags=(*self.noted_flags, *flags),
            noted_usage=summed(self.noted_usage, usage),
            noted_reasoning={**self.noted_reasoning, **reasoning},
        )

    def record(self, trial: int, final_view: ViewRecord) -> EpisodeRecord:
        """The record of the complete turns; while the episode runs, status "running" and no end reason."""
        status = "running" if self.end is None else "complete"
        if self.end is not None and self.end.reason is EndReason.GENERATION_FAILURE:
            status = "failed"
        return EpisodeRecord(
            task=self.task.id,
            trial=trial,
            seed=self.seed,
            scene=self.task.id.partition("/")[0],
            profile_id=self.profile.id,
            reference_set=self.task.reference_set,
            status=status,
            end_reason="" if self.end is None else self.end.reason.value,
            cart=self.world.cart,
            turns=self.turns,
            final_view=final_view,
            error=None if self.end is None else self.end.error,
        )


def summed(first: Mapping[str, float], second: Mapping[str, float]) -> dict[str, float]:
    """Amounts added name by name, names in the order in which they came up."""
    return {name: first.get(name, 0.0) + second.get(name, 0.0) for name in (*first, *second)}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What ``get_state`` gives: the episode and the bookkeeping of the turn order.

    Attributes:
        agents: Agents still in the episode.
        rewards: Last reward of each agent.
        cumulative: Reward of each agent since its own last move.
        random_state: State of the generator that chooses tasks.
    """

    episode: EpisodeState
    agents: tuple[str, ...]
    agent_selection: str
    rewards: dict[str, float]
    cumulative: dict[str, float]
    random_state: dict[str, Any]
