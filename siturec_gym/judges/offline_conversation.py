"""The conversation judge in its offline form: fixed rules on the same record (docs/judges.md states them).

It needs no model and gives the same scores each time. Its scores carry its own name and are never mixed with a
model's: rules see less than a reader does.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from siturec_gym.judges import dialogue_rules, grounding_rules
from siturec_gym.judges.judgment import DIMENSIONS, HIGHEST, LOWEST, SCORED, UNSCORED, Judgment
from siturec_gym.judges.transcript import Transcript
from siturec_gym.llm.templates import HASH_LENGTH

OFFLINE = "offline"
QUICK_TURNS = 10
_RULE_FILES = ("offline_conversation.py", "dialogue_rules.py", "grounding_rules.py", "mentions.py")

RULES: dict[str, Callable[[Transcript], int]] = {
    "Informativeness": dialogue_rules.informativeness,
    "Naturalness": dialogue_rules.naturalness,
    "Groundedness": grounding_rules.groundedness,
    "Preference Alignment": grounding_rules.preference_alignment,
    "Proactiveness": dialogue_rules.proactiveness,
    "Non-repetition": dialogue_rules.non_repetition,
}


class OfflineConversationJudge:
    """Scores by rules."""

    @property
    def name(self) -> str:
        """ "offline"."""
        return OFFLINE

    @property
    def prompt_hash(self) -> str:
        """Start of the sha256 over the rules themselves."""
        return _hash_of_rules()

    def judge(self, transcript: Transcript) -> Judgment:
        """Scores of an episode; one without a complete turn is unscored."""
        episode = transcript.episode
        scores = score(transcript) if episode.turns else {}
        return Judgment(
            task=episode.task,
            trial=episode.trial,
            judge=self.name,
            prompt_hash=self.prompt_hash,
            status=SCORED if scores else UNSCORED,
            reason=None if scores else "no complete turn",
            scores=scores,
        )


def score(transcript: Transcript) -> dict[str, int]:
    """A score of 1 to 5 for every dimension."""
    scores = {name: rule(transcript) for name, rule in RULES.items()}
    scores["Overall Satisfaction"] = overall(transcript, scores)
    return {name: scores[name] for name in DIMENSIONS}


def overall(transcript: Transcript, scores: dict[str, int]) -> int:
    """Half the outcome, half the mean of the other six, rounded, a half upward.

    The outcome is 5 for an item of A_e within ten turns, 4 for one later, 3 for another item, 1 for none.
    """
    episode = transcript.episode
    fits = not set(episode.cart).isdisjoint(episode.reference_set)
    outcome = (5 if len(episode.turns) <= QUICK_TURNS else 4) if fits else 3 if episode.cart else 1
    mean = sum(scores.values()) / len(scores)
    return min(HIGHEST, max(LOWEST, int((outcome + mean) / 2 + 0.5)))


@cache
def _hash_of_rules() -> str:
    folder = Path(__file__).resolve().parent
    content = b"".join((folder / name).read_bytes() for name in _RULE_FILES)
    return hashlib.sha256(content).hexdigest()[:HASH_LENGTH]
