"""From replies to words: templates by key and talkativeness, coloured by personality (``wording.json``)."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from siturec_gym.core.text import normalise
from siturec_gym.users.agenda.turn import Reply, Turn

_LEVELS = ("low", "medium", "high")
_CHAT_SHARE = (0.0, 0.15, 0.6)


@lru_cache(maxsize=1)
def _templates() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((Path(__file__).parent / "wording.json").read_text("utf-8"))
    return table


def worded(turn: Turn) -> str:
    """The utterance of the turn."""
    level = turn.shopper.level("talkativeness")
    replies = turn.replies or [Reply("nothing")]
    sentences = [
        _sentence(reply, level, float(turn.draws[7]) + at * 0.37, turn.sight.by_hand)
        for at, reply in enumerate(_deduplicated(replies))
    ]
    return normalise(" ".join((*_before(turn), *(s for s in sentences if s), *_after(turn, level))))


def _deduplicated(replies: list[Reply]) -> list[Reply]:
    return list(dict.fromkeys(replies))


def _sentence(reply: Reply, level: int, draw: float, by_hand: bool) -> str:
    own = None if by_hand else _templates()["replies"].get(f"{reply.key}.home")
    variants = own or _templates()["replies"][reply.key]
    options = variants if isinstance(variants, list) else variants[_LEVELS[level]]
    text: str = options[int(draw * 997) % len(options)]
    for gap, fill in reply.fills:
        text = text.replace("{" + gap + "}", fill)
    return text[:1].upper() + text[1:]


def _before(turn: Turn) -> list[str]:
    """A courtesy of an agreeable or a social shopper, now and then."""
    traits = turn.shopper.big_five
    polite = traits.get("agreeableness") == "high" or turn.shopper.settings["behavior_style"] == "social"
    if not polite or turn.state.gone or turn.draws[6] > 0.35 or turn.sight.number == 0:
        return []
    options = _templates()["courtesies"]
    return [options[int(turn.draws[5] * len(options))]]


def _after(turn: Turn, level: int) -> list[str]:
    """Small talk of a talkative shopper, a worry of a nervous one."""
    if turn.state.gone:
        return []
    extra: list[str] = []
    share = _CHAT_SHARE[level] + (0.25 if turn.shopper.settings["behavior_style"] == "social" else 0.0)
    share += {"low": -0.05, "high": 0.05}.get(turn.shopper.big_five.get("extraversion", ""), 0.0)
    if turn.draws[4] < share:
        options = _templates()["chat"]
        extra.append(options[int(turn.draws[3] * len(options))])
    if turn.shopper.big_five.get("neuroticism") == "high" and turn.draws[2] < 0.2:
        options = _templates()["worries"]
        extra.append(options[int(turn.draws[3] * len(options))])
    return extra
