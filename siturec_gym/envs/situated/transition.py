"""How an episode goes on: the assistant speaks, then the user replies and acts (S3)."""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any

from siturec_gym.core.actions import UNKNOWN, AssistantAction, ToolCall, UserAction
from siturec_gym.core.policy import Moderator, ModeratorQuery, Verdict
from siturec_gym.core.pose import Pose
from siturec_gym.core.records import AssistantRecord, TurnRecord, UserRecord, ViewRecord
from siturec_gym.core.text import dump_lines, parse_line
from siturec_gym.envs.situated.references import Surroundings
from siturec_gym.envs.situated.spoken import SpokenRecommendations
from siturec_gym.envs.situated.state import EpisodeState, Spoken
from siturec_gym.envs.situated.termination import end_of_turn
from siturec_gym.envs.situated.wording import Wording
from siturec_gym.scenes.scene import Scene
from siturec_gym.world.rules import apply
from siturec_gym.world.view import View

HISTORY_LENGTH = 40
_ARGUMENTS = ("direction", "angle_deg", "distance_m", "duration_s", "approach")


class Flag(StrEnum):
    """What is noticed about an assistant's turn and kept in its record."""

    SPOKEN_RECOMMENDATION = "spoken_recommendation_without_annotation"
    NOTHING_RECOMMENDED = "recommendation_names_no_product"
    NO_GOAL = "navigation_names_no_goal"
    NO_EXPECTED_ACTION = "no_expected_user_action"
    WORDED = "worded_by_template"


class Transition:
    """The rules of a turn in one scene.

    Args:
        scene: The store.
        turn_limit: Turns of an episode.
        moderator: Asked after a turn that leaves the episode active; None never ends one.
    """

    def __init__(self, scene: Scene, turn_limit: int, moderator: Moderator | None) -> None:
        self._scene = scene
        self._turn_limit = turn_limit
        self._moderator = moderator
        self._wording = Wording(scene)
        self._spoken = SpokenRecommendations(scene.catalog, (place.name for place in scene.navigation_targets))
        self._names = {entity.id: entity.name for entity in (*scene.navigation_targets, *scene.catalog)}

    def assistant_speaks(self, state: EpisodeState, action: AssistantAction, view: View) -> EpisodeState:
        """The state after the assistant's half of a turn.

        Args:
            state: Before it.
            action: What the assistant says and annotates.
            view: What is in view, to know what its words can mean.
        """
        utterance = action.utterance
        if not utterance.strip():
            utterance = self._wording.words(action)
        flags = self._noticed(state, action, utterance, view)
        record = AssistantRecord(
            utterance, action.act, action.recommendation, action.navigation, action.expected_user_action, action.ranking
        )
        recommended = state.recommended
        if action.recommendation is not None:
            recommended = (*recommended, action.recommendation.product)
        entry = {"turn": state.turn, "role": "assistant", "utterance": utterance}
        return replace(
            state, spoken=Spoken(record, flags), recommended=recommended, history=_appended(state.history, entry)
        )

    def user_acts(
        self, state: EpisodeState, action: UserAction, view: View, execute: Callable[[ToolCall], Pose]
    ) -> EpisodeState:
        """The state after the user's half, which completes the turn and may end the episode.

        Args:
            state: Holds what the assistant said.
            action: The reply and the call asked for.
            view: What was in view when the turn began.
            execute: Carries out a movement from the user's pose.

        Raises:
            ValueError: The assistant has not spoken this turn.
        """
        if state.spoken is None:
            raise ValueError("the user acts after the assistant has spoken")
        outcome = apply(self._scene, state.world, view, action.call, execute)
        user = UserRecord(action.utterance, outcome.requested, outcome.executed, outcome.refusal)
        record = TurnRecord(
            state.turn,
            view_record(view),
            state.spoken.record,
            user,
            flags=(*state.spoken.flags, *state.noted_flags),
            usage=dict(state.noted_usage),
            reasoning=dict(state.noted_reasoning),
        )
        history = _appended(state.history, self._user_entry(state.turn, action, outcome.refusal))
        verdict: bool | Verdict = False

        def moderated() -> bool:
            nonlocal verdict
            verdict = self._moderator is not None and self._moderator(_query(history, record))
            return bool(verdict)

        end = end_of_turn(
            cart_added=len(outcome.state.cart) > len(state.world.cart),
            turns_taken=state.turn + 1,
            turn_limit=self._turn_limit,
            recommendations=len(state.recommended),
            stalled=outcome.state.stalled,
            moderator=moderated,
        )
        return replace(
            state,
            world=outcome.state,
            history=history,
            turns=(*state.turns, _with_reasoning(record, verdict)),
            spoken=None,
            noted_flags=(),
            noted_usage={},
            noted_reasoning={},
            end=end,
        )

    def _user_entry(self, turn: int, action: UserAction, refusal: str | None) -> dict[str, Any]:
        call = action.call
        return {
            "turn": turn,
            "role": "user",
            "utterance": action.utterance,
            "tool": str(call.tool),
            "arguments": _spoken_arguments(call),
            "target_name": self._names.get(call.target or ""),
            "refusal": None if refusal is None else str(refusal),
        }

    def _noticed(self, state: EpisodeState, action: AssistantAction, utterance: str, view: View) -> tuple[str, ...]:
        recommendation, navigation = action.recommendation, action.navigation
        noticed = {
            Flag.SPOKEN_RECOMMENDATION: self._recommends_more(state, action, utterance, view),
            Flag.NOTHING_RECOMMENDED: recommendation is not None and recommendation.product in (None, UNKNOWN),
            Flag.NO_GOAL: navigation is not None and navigation.navigation_goal in (None, UNKNOWN),
            Flag.NO_EXPECTED_ACTION: action.expected_user_action is None,
            Flag.WORDED: utterance != action.utterance,
        }
        return tuple(flag.value for flag, holds in noticed.items() if holds)

    def _recommends_more(self, state: EpisodeState, action: AssistantAction, utterance: str, view: View) -> bool:
        """Whether the words recommend a product that no Recommend annotation, of this turn or before, stands for."""
        annotated = {product for product in state.recommended if product is not None}
        if action.recommendation is not None:
            if action.recommendation.product in (None, UNKNOWN):
                return False
            annotated.add(str(action.recommendation.product))
        return bool(self._spoken.heard(utterance, self._around(state, view), annotated))

    def _around(self, state: EpisodeState, view: View) -> Surroundings:
        named = self._spoken.named
        said = [words for turn in state.turns for words in (turn.assistant.utterance, turn.user.utterance)]
        mentioned = [product for words in said for product in named(words)]
        held = None if state.world.held is None else self._scene.instance_by_id[state.world.held].product_id
        return Surroundings(tuple(view.products), held, tuple(dict.fromkeys(mentioned[::-1]))[::-1])


def _query(history: tuple[str, ...], turn: TurnRecord) -> ModeratorQuery:
    lines = tuple(map(parse_line, history))
    return ModeratorQuery(lines, turn.assistant.utterance, turn.user.utterance, turn.user.tool_requested)


def _with_reasoning(turn: TurnRecord, verdict: bool | Verdict) -> TurnRecord:
    """The turn with what the moderator thought, where it is a model that thinks."""
    if not isinstance(verdict, Verdict) or not verdict.reasoning:
        return turn
    return replace(turn, reasoning={**turn.reasoning, "moderator": verdict.reasoning})


def view_record(view: View) -> ViewRecord:
    """What a record keeps of a view: entity ids, sorted, and the pose."""
    return ViewRecord(tuple(sorted(view.places)), tuple(sorted(view.products)), view.pose)


def _spoken_arguments(call: ToolCall) -> dict[str, Any]:
    given = {name: getattr(call, name) for name in _ARGUMENTS}
    return {name: value for name, value in given.items() if value is not None}


def _appended(history: tuple[str, ...], entry: dict[str, Any]) -> tuple[str, ...]:
    return (*history, dump_lines((entry,)))[-HISTORY_LENGTH:]
