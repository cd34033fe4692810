"""Sentences of the assistant, in varied words: templates of ``data/assistants/wording.json`` chosen by seed."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from siturec_gym.assets import read_asset
from siturec_gym.core.seeding import draws
from siturec_gym.core.text import UTTERANCE_LIMIT


@dataclass(frozen=True, slots=True)
class Say:
    """One sentence to say: the key of its templates and what fills them."""

    key: str
    slots: tuple[tuple[str, str], ...] = ()


def say(key: str, **slots: str) -> Say:
    """A sentence with its slots."""
    return Say(key, tuple(slots.items()))


@cache
def _templates() -> dict[str, list[str]]:
    loaded: dict[str, list[str]] = json.loads(read_asset("assistants/wording.json"))
    return loaded


def utter(parts: Collection[Say], seed: int, turn: int, said: Collection[str], scene: str = "") -> str:
    """The parts in words, chosen by ``seed`` and ``turn`` so that nothing in ``said`` is said again word for word.

    ``scene`` names templates that a scene has of its own, such as "pickup.home".
    """
    text = ""
    for attempt in range(4):
        text = _join(parts, seed, turn, attempt, scene)
        if text not in said:
            break
    return text


def _join(parts: Collection[Say], seed: int, turn: int, attempt: int, scene: str) -> str:
    sentences = []
    for part, number in zip(parts, draws(len(parts), seed, "wording", turn, attempt), strict=True):
        choices = _templates().get(f"{part.key}.{scene}") or _templates()[part.key]
        sentences.append(choices[int(number * len(choices))].format(**dict(part.slots)))
    while len(sentences) > 1 and sum(map(len, sentences)) + len(sentences) > UTTERANCE_LIMIT:
        del sentences[-2]
    return " ".join(sentences)


def listing(words: Collection[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    words = list(words)
    if not words:
        return ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def dollars(price: float) -> str:
    """ "$3.29"."""
    return f"${price:.2f}"


def metres(distance_m: float) -> str:
    """ "1 meter", "2.5 meters"."""
    return f"{distance_m:g} meter{'' if distance_m == 1 else 's'}"
