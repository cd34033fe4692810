"""What all parts of a mapping file have in common: nothing unknown, nothing changed, templates with known words."""

from collections.abc import Mapping as Words
from string import Formatter
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

Metres = Annotated[float, Field(ge=0.0, le=1000.0)]
Seconds = Annotated[float, Field(gt=0.0, le=3600.0)]
Port = Annotated[int, Field(ge=1, le=65535)]
Commands = Annotated[tuple[str, ...], Field(min_length=1)]
"""Commands sent, or asked, one after the other: one at least."""
CameraId = Annotated[int, Field(ge=0, le=9999)]
_NUMBERS = ("camera", "height", "number", "port", "width", "r", "g", "b")
"""Words that stand for whole numbers; the others stand for text."""
WordLists = Words[str, tuple[str, ...]]
"""What the braces of each template may hold, by field."""


class Part(BaseModel):
    """A part of the file. ``WORDS`` lists what the braces of each template may hold."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
    WORDS: ClassVar[WordLists] = {}

    @field_validator("*")
    @classmethod
    def _knows_the_words(cls, value: Any, info: ValidationInfo) -> Any:
        allowed = cls.WORDS.get(info.field_name or "")
        if allowed is not None and value is not None:
            for text in (value,) if isinstance(value, str) else value:
                _check_words(text, allowed)
        return value


def _check_words(text: str, allowed: tuple[str, ...]) -> None:
    try:
        used = {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    unknown = sorted(used - set(allowed))
    if unknown:
        words = ", ".join("{" + word + "}" for word in allowed)
        raise ValueError(f"{text!r} holds {{{unknown[0]}}}; it may hold {words}")
    try:
        text.format(**{word: 0 if word in _NUMBERS else "" for word in allowed})
    except (ValueError, MemoryError, IndexError, KeyError) as error:
        raise ValueError(f"{text!r}: {error}") from None
