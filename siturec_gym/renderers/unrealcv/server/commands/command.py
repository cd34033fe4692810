"""A command's template, who answers it, and how the right one is found."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial

from siturec_gym.core.errors import SituRecError, words_of
from siturec_gym.renderers.unrealcv.server.connection import Reply
from siturec_gym.renderers.unrealcv.server.world import World

OK = "ok"
"""What a command that tells nothing answers."""
_KEPT_LENGTH = 120
"""Characters of the longest command whose meaning is remembered."""
_PLACEHOLDERS = {"uint": r"([0-9]{1,9})", "float": r"(\S{1,400})", "str": r"(\S+)"}


@dataclass(frozen=True, slots=True)
class Context:
    """What a command works on.

    Attributes:
        world: The store of this client.
        status: What ``vget /unrealcv/status`` answers.
        listed: Every command there is.
    """

    world: World
    status: Callable[[], str]
    listed: "tuple[Command, ...]"


Answer = Callable[..., Reply]
"""Takes the context and the words that stand for the template's placeholders; a ValueError becomes an error reply."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    Attributes:
        template: As ``vget /unrealcv/commands`` lists it, with [uint], [float] and [str] for what varies.
        answer: Answers it.
        meaning: One line for people.
    """

    template: str
    answer: Answer
    meaning: str


class Commands:
    """Finds the command that a client means.

    Args:
        commands: All there are; of two that fit, the first is meant.
    """

    def __init__(self, commands: Iterable[Command]) -> None:
        self.listed = tuple(commands)
        patterns = [(_pattern(command.template), command.answer) for command in self.listed]
        self._find = partial(_first_match, patterns)
        self._known = lru_cache(maxsize=4096)(self._find)

    def reply(self, context: Context, text: str) -> Reply:
        """The answer to a command, or ``error`` and what is wrong with it."""
        found = self._known(text) if len(text) <= _KEPT_LENGTH else self._find(text)
        if found is None:
            return f"error No handler found for URI '{text[:200]}'"
        answer, words = found
        try:
            return answer(context, *words)
        except (ValueError, SituRecError) as error:
            return f"error {words_of(error)}"


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\[(\w+)\]", template)
    for at in range(1, len(parts), 2):
        parts[at] = _PLACEHOLDERS[parts[at]]
    parts[::2] = [re.escape(part).replace(r"\ ", " +") for part in parts[::2]]
    return re.compile("".join(parts) + " *")


def _first_match(
    patterns: Iterable[tuple[re.Pattern[str], Answer]], text: str
) -> tuple[Answer, tuple[str, ...]] | None:
    for pattern, answer in patterns:
        match = pattern.fullmatch(text)
        if match is not None:
            return answer, match.groups()
    return None
