"""The heuristic assistant: a strong, honest baseline that reads only what an assistant may read."""

from dataclasses import replace
from pathlib import Path

from siturec_gym.core.actions import AssistantAction, Navigation, Recommendation
from siturec_gym.core.policy import Observation
from siturec_gym.policies.heuristic.beliefs import Belief, score
from siturec_gym.policies.heuristic.memory import Memory, listen
from siturec_gym.policies.heuristic.plan import Move, Turn, decide
from siturec_gym.policies.heuristic.vocabulary import read_words
from siturec_gym.policies.heuristic.wording import utter
from siturec_gym.policies.situation import Situation, read_situation


class HeuristicAssistant:
    """Elicits needs, ranks the catalog, guides by map and view, recommends, and repairs after a rejection.

    Args:
        belief: What is known before the first word; nothing by default.
        words: JSON file of what people call the categories, uses and labels of a store of your own (``read_words``);
            None for the words of the shipped stores.

    Raises:
        DataError: The word file cannot be read.
    """

    def __init__(self, belief: Belief | None = None, words: str | Path | None = None) -> None:
        self._belief = belief or Belief()
        self._words = None if words is None else read_words(words)

    def initial_state(self, seed: int) -> Memory:
        """An assistant that has heard nothing yet."""
        return Memory(seed, self._belief)

    def step(self, observation: Observation, state: Memory) -> tuple[AssistantAction, Memory]:
        """Listen, think, choose, word."""
        situation = read_situation(observation)
        memory, heard = listen(state, situation, self._words)
        scores = score(memory.belief, situation.store)
        move = decide(Turn(situation, memory, heard, scores))
        return _action(move, situation, scores.ranking), move.memory


def _navigation(move: Move, goal: str) -> Navigation:
    if move.via is None:
        return Navigation(goal, reason=move.reason)
    return Navigation(goal, move.via.id, move.call.approach, move.reason)


def _action(move: Move, situation: Situation, ranking: tuple[str, ...]) -> AssistantAction:
    scene = "" if situation.by_hand else "home"
    utterance = utter(move.parts, move.memory.seed, situation.turn, situation.said, scene)
    action = AssistantAction(utterance, move.act, expected_user_action=move.call, ranking=ranking)
    if move.recommend is not None:
        item = move.recommend
        visible = item.id in situation.product_marks
        return replace(action, recommendation=Recommendation(item.id, item.name, visible, move.reason))
    if move.stand is not None:
        return replace(action, navigation=_navigation(move, move.stand.place))
    return action
