"""What a model may say in a field: bounded by a pattern in the schema, checked again in code."""

import re
from typing import Any

from siturec_gym.core.text import normalise
from siturec_gym.llm.structured import PRINTABLE, repeated

_INK = r"[!#-\[\]-~]"
_TAG = re.compile(r"<(?=[|/A-Za-z_])|\[(?=/?[A-Z_]+\])")


def bounded_text(chars: int) -> dict[str, Any]:
    """Schema of a text that says something: 1 to ``chars`` printable characters, the first of them no space."""
    return {"type": "string", "pattern": f"^{_INK}{repeated(PRINTABLE, 0, chars - 1)}$"}


def said(value: Any, chars: int, field: str) -> str:
    """The text of a field on one line, folded to the environment's charset.

    Args:
        value: What the model wrote.
        chars: Longest text allowed.
        field: Name of the field, for the error.

    Raises:
        ValueError: It is no text, empty, or too long.
    """
    if not isinstance(value, str):
        raise ValueError(f"{field}: expected text, got {type(value).__name__}")
    text = " ".join(normalise(value, None).split())
    if not text:
        raise ValueError(f"{field}: must not be empty")
    if len(text) > chars:
        raise ValueError(f"{field}: {len(text)} characters, at most {chars} are allowed")
    return text


def quoted(words: str) -> str:
    """What another role said, for a prompt: on one line, and with its tags no tags.

    Tokenizers take a chat template's own marks ("<|im_end|>", "[INST]") wherever they stand, so that words could end
    the message they are quoted in and begin another; a line break would begin what looks like another entry.
    """
    return _TAG.sub(lambda found: f"{found.group()} ", " ".join(words.split()))
