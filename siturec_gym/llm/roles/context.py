"""Room in the context: how much a request takes, and which pictures go when it is too much."""

import math
from collections.abc import Sequence
from dataclasses import replace

from siturec_gym.core.errors import ContextOverflowError
from siturec_gym.llm.messages import ImagePart, Message, TextPart
from siturec_gym.llm.roles.settings import RoleSettings
from siturec_gym.llm.roles.sight import size_of

CHARACTERS_A_TOKEN = 2.4
"""As catalogues have them, which hold many figures; of plain words a token holds more."""
PATCH_SIDE = 28
"""Pixels of a side of what vision-language models take as one token, roughly."""
_TOKENS_A_MESSAGE = 8
LEFT_OUT = "(left out: no room)"

Messages = tuple[Message, ...]


def estimated_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens messages take: text by its characters, pictures by their area."""
    return sum(_TOKENS_A_MESSAGE + sum(map(_tokens, message.parts)) for message in messages)


def _tokens(part: TextPart | ImagePart) -> int:
    if isinstance(part, TextPart):
        return math.ceil(len(part.text) / CHARACTERS_A_TOKEN)
    width, height = size_of(part)
    return math.ceil(width / PATCH_SIDE) * math.ceil(height / PATCH_SIDE) + 2


def fitted(messages: Messages, settings: RoleSettings) -> Messages:
    """The messages without the pictures that the context has no room for, the oldest first.

    Raises:
        ContextOverflowError: The text alone is too long.
    """
    if settings.context_tokens is None:
        return messages
    room = settings.context_tokens - (settings.decoding.max_tokens or 0)
    while (needed := estimated_tokens(messages)) > room:
        fewer = without_oldest_image(messages)
        if fewer is None:
            raise ContextOverflowError(
                f"the prompt takes about {needed} tokens without pictures; a context of {settings.context_tokens} "
                f"leaves {room} beside the reply"
            )
        messages = fewer
    return messages


def without_oldest_image(messages: Messages) -> Messages | None:
    """The messages with their first picture replaced by a note; None where there is none."""
    for row, message in enumerate(messages):
        for column, part in enumerate(message.parts):
            if isinstance(part, ImagePart):
                parts = (*message.parts[:column], TextPart(LEFT_OUT), *message.parts[column + 1 :])
                return (*messages[:row], replace(message, parts=parts), *messages[row + 1 :])
    return None
