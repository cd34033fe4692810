"""Text observations as rows of token numbers, for learners with an embedding layer."""

import re
import zlib
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from siturec_gym.core.text import CHARSET

PADDING = 0
WORDS = 4096
LENGTHS = MappingProxyType({"history": 1024, "marks": 2048, "cart": 32, "held": 128})
_FIRST_WORD = 1 + len(CHARSET)
_PIECES = re.compile(r"[a-z]+|[^a-z]")
_CODE = {character: 1 + index for index, character in enumerate(CHARSET)}


def token_of(piece: str, words: int = WORDS) -> int:
    """The number of a piece of text.

    0 is padding; 1 to 96 are the characters of the charset in order (space to tilde, then the line break); a word of
    two or more letters is 97 plus its CRC-32 modulo ``words``. The same in every process; words may share a number.
    """
    return _CODE[piece] if len(piece) == 1 else _FIRST_WORD + zlib.crc32(piece.encode()) % words


@lru_cache(maxsize=4096)
def tokens_of_line(line: str, words: int) -> tuple[int, ...]:
    """Tokens of one line: runs of letters, in lower case, are words; every other character but a space is its own."""
    return tuple(token_of(piece, words) for piece in _PIECES.findall(line.lower()) if piece != " ")


class TokenizeText(gym.ObservationWrapper[dict[str, Any], Any, dict[str, Any]], gym.utils.RecordConstructorArgs):
    """Replaces text by token numbers of a fixed vocabulary (``token_of``), padded with 0 at the end.

    A history that is too long loses its beginning, any other text its end. The catalog and the location index, which
    never change, are left out unless ``lengths`` names them. Everything else stays as it is.

    Before: Text under ``history``, ``marks``, ``cart``, ``held``, ``catalog``, ``location_index``.
    After: under each key of ``lengths`` a ``Box(0, 96 + words, (length,), int32)``; no other text.

    Args:
        env: The Gymnasium form, or ``DiscreteAssistantActions`` over it.
        lengths: Number of tokens of each text key; by default ``LENGTHS``, as far as the observations have the keys.
        words: Size of the vocabulary of words, at least 1.

    Raises:
        ValueError: A key of ``lengths`` is no text of the observations, or a number is below 1.

    Example:
        >>> from siturec_gym import supermarket_v0
        >>> env = TokenizeText(supermarket_v0.gym_env(images=False), lengths={"history": 256, "held": 64})
        >>> env.observation_space["history"]
        Box(0, 4192, (256,), int32)
        >>> observation, info = env.reset(seed=7)
        >>> sorted(observation)
        ['held', 'history', 'marks_array', 'pose', 'recommendations_left', 'turn']
        >>> tokens_of_line("Only $2, please", WORDS)[1:4]
        (5, 19, 13)
    """

    def __init__(
        self, env: gym.Env[dict[str, Any], Any], lengths: Mapping[str, int] | None = None, words: int = WORDS
    ) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, lengths=lengths, words=words)
        super().__init__(env)
        old: Any = env.observation_space
        text = _text_keys(old)
        self._lengths = {key: LENGTHS[key] for key in text if key in LENGTHS} if lengths is None else dict(lengths)
        _check(self._lengths, words, text)
        self._words = words
        self._gone = frozenset(text)
        kept = {key: space for key, space in old.spaces.items() if key not in self._gone}
        top = _FIRST_WORD + words - 1
        rows = {key: spaces.Box(0, top, (length,), np.int32) for key, length in self._lengths.items()}
        self.observation_space = spaces.Dict({**kept, **rows})
        if env.has_wrapper_attr("action_masks"):  # where MaskablePPO looks for it
            self.action_masks = env.get_wrapper_attr("action_masks")

    def observation(self, observation: dict[str, Any]) -> dict[str, Any]:
        """``observation`` with rows of numbers in place of text."""
        kept = {key: value for key, value in observation.items() if key not in self._gone}
        return {**kept, **{key: self._row(key, observation[key]) for key in self._lengths}}

    def _row(self, key: str, text: str) -> NDArray[np.int32]:
        length = self._lengths[key]
        tokens: list[int] = []
        for line in text.split("\n") if text else ():
            tokens += tokens_of_line(line, self._words)
            tokens.append(_CODE["\n"])
        tokens = tokens[-length:] if key == "history" else tokens[:length]
        row = np.zeros(length, np.int32)
        row[: len(tokens)] = tokens
        return row


def _text_keys(space: Any) -> tuple[str, ...]:
    """Keys of the text observations.

    Raises:
        ValueError: There are none: another wrapper has replaced them.
    """
    inside = space.spaces.items() if isinstance(space, spaces.Dict) else ()
    found = tuple(key for key, part in inside if isinstance(part, spaces.Text))
    if not found:
        raise ValueError(f"TokenizeText needs text observations (the Gymnasium form), got {space}")
    return found


def _check(lengths: Mapping[str, int], words: int, text: tuple[str, ...]) -> None:
    for key, length in lengths.items():
        if key not in text:
            raise ValueError(f"lengths: {key!r} is no text of the observations; these are {', '.join(text)}")
        if length < 1:
            raise ValueError(f"lengths: {key!r} must have at least 1 token, got {length}")
    if words < 1:
        raise ValueError(f"words must be at least 1, got {words}")
