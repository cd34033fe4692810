"""The conversation so far in words, as prompts tell it: one line an utterance, never changed once it was told."""

from collections.abc import Mapping
from typing import Any

from siturec_gym.core.policy import Observation
from siturec_gym.core.text import parse_lines
from siturec_gym.llm.roles.text import quoted


def told_entry(entry: Mapping[str, Any], assistant: str, user: str) -> str:
    """One entry of the ``history`` observation.

    Args:
        entry: The entry.
        assistant: What the assistant is called, such as "You".
        user: What the user is called.
    """
    words = quoted(entry["utterance"])
    if entry["role"] == "assistant":
        return f"{assistant}: {words}"
    given = " ".join(str(value) for value in entry.get("arguments", {}).values())
    target = entry.get("target_name") or ""
    action = " ".join(part for part in (entry["tool"], given, target) if part)
    refused = f", not possible: {entry['refusal']}" if entry.get("refusal") else ""
    return f"{user}: {words} [{action}{refused}]"


def told_history(observation: Observation, assistant: str, user: str) -> str:
    """Every entry on a line of its own, each with its turn; "" before the first."""
    entries = parse_lines(observation["history"])
    return "\n".join(f"{entry['turn']} {told_entry(entry, assistant, user)}" for entry in entries)
