"""Reasoning that a thinking model writes into its reply."""

import re
from collections.abc import Sequence

from siturec_gym.llm.messages import ChatReply

_BLOCK = re.compile(r"\A\s*<(think|thinking|reasoning)>(.*?)</\1>\s*", re.DOTALL)
_CLOSED_ONLY = re.compile(r"\A(.*?)</(?:think|thinking|reasoning)>\s*", re.DOTALL)
_OPEN_ONLY = re.compile(r"\A\s*<(?:think|thinking|reasoning)>(.*)\Z", re.DOTALL)


def split_reasoning(text: str) -> tuple[str, str]:
    """The reasoning at the start of a reply, and what follows it.

    Chat templates may open the block in the prompt, so that the reply holds its end alone; a reply that was cut off
    may hold its start alone, and is then reasoning throughout.
    """
    if block := _BLOCK.match(text):
        return block.group(2).strip(), text[block.end() :]
    if unfinished := _OPEN_ONLY.match(text):
        return unfinished.group(1).strip(), ""
    if closed := _CLOSED_ONLY.match(text):
        return closed.group(1).strip(), text[closed.end() :]
    return "", text


def last_reasoning(heard: Sequence[ChatReply]) -> str:
    """The reasoning before the reply that was used, which is the last one; "" where none came."""
    return heard[-1].reasoning if heard else ""
