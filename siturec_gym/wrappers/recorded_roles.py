"""Roles that do again what they did in a recorded episode, and whether it came out as it was recorded."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from siturec_gym.core.actions import AssistantAction, UserAction
from siturec_gym.core.errors import DataError
from siturec_gym.core.policy import Observation
from siturec_gym.core.records import EpisodeRecord, TurnRecord
from siturec_gym.envs.situated.transition import Flag
from siturec_gym.wrappers.base import wraps
from siturec_gym.wrappers.role_handles import RoleHandles


class RecordedRole:
    """Says and does again what a role of a record did; the state is the turn.

    Args:
        role: "assistant" or "user".
        turns: The turns of the record.
        env: The two-agent environment that it plays in, of the same scene.
    """

    def __init__(self, role: str, turns: Sequence[TurnRecord], env: Any) -> None:
        self._role, self._turns, self._env = role, turns, env

    def initial_state(self, seed: int) -> int:  # noqa: ARG002  nothing here is drawn
        """The first turn."""
        return 0

    def step(self, observation: Observation, state: int) -> tuple[Any, int]:  # noqa: ARG002
        """The action of the turn, in the role's own handles.

        Raises:
            IndexError: The record has no such turn.
        """
        return self._env.decode_action(self._role, self.element(state)), state + 1

    def element(self, turn: int) -> dict[str, Any]:
        """What the role sent in a turn, as an element of its action space in ``env`` as it stands in that turn."""
        action = (_assistant_action if self._role == "assistant" else _user_action)(self._turns[turn])
        element: dict[str, Any] = self._env.unwrapped.encode_action(self._role, action)
        handles = wraps(self._env, RoleHandles)
        return element if handles is None else handles.own_action(self._role, element)


def check_alike(recorded: EpisodeRecord, replayed: EpisodeRecord) -> None:
    """Refuse a replay that came out otherwise.

    Raises:
        DataError: Another cart, view or turn; one line that names the episode.
    """
    name = episode_name(recorded)
    if recorded.cart != replayed.cart or recorded.final_view != replayed.final_view:
        raise DataError(f"{name}: the replay ends with another cart or view; other data or another version?")
    for was, now in zip(recorded.turns, replayed.turns, strict=True):
        if _played(was) != _played(now):
            raise DataError(f"{name}: the replay differs in turn {was.turn}; other data or another version?")


def episode_name(episode: EpisodeRecord) -> str:
    """An episode as messages name it."""
    return f"episode of task {episode.task!r}, trial {episode.trial}"


def _played(turn: TurnRecord) -> TurnRecord:
    """The turn without what others than the world noted."""
    return replace(turn, flags=(), reward_terms={}, usage={}, frame=None, reasoning={})


def _assistant_action(turn: TurnRecord) -> AssistantAction:
    """What the assistant sent: no words where the environment put them."""
    said = turn.assistant
    return AssistantAction(
        utterance="" if Flag.WORDED in turn.flags else said.utterance,
        act=said.act,
        expected_user_action=said.expected_user_action,
        recommendation=said.recommendation,
        navigation=said.navigation,
        ranking=said.ranking,
    )


def _user_action(turn: TurnRecord) -> UserAction:
    return UserAction(turn.user.utterance, turn.user.tool_requested)
