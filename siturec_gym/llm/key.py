"""The key of an endpoint: read from the environment, sent to it, and shown nowhere."""

import os
import re
from dataclasses import dataclass, field
from functools import cache

from siturec_gym.core.errors import DeterministicModelError

SHOWN_INSTEAD = "***"
SHORTEST_HIDDEN = 8
"""A shorter key ("EMPTY", "test") is a placeholder and no secret; replaced in a reply it would spoil other words."""
_NOT_SET = "none"


@dataclass(frozen=True, slots=True)
class Key:
    """A key, or none.

    Attributes:
        value: What is sent; endpoints without keys are sent the word "none".
    """

    value: str = field(default=_NOT_SET, repr=False)

    @classmethod
    def read(cls, variable: str) -> "Key":
        """The key in an environment variable, without the blanks around it.

        Raises:
            DeterministicModelError: It holds what a request's header cannot carry.
        """
        value = os.environ.get(variable, "").strip()
        if not value:
            return cls()
        if not (value.isascii() and value.isprintable()) or " " in value:
            raise DeterministicModelError(
                f"the key in {variable} cannot be sent: a key holds printable ASCII characters without blanks"
            )
        return cls(value)

    @property
    def _is_secret(self) -> bool:
        return len(self.value) >= SHORTEST_HIDDEN

    def hidden_in(self, text: str) -> str:
        """The text with the key replaced wherever it stands, if it is long enough to be one."""
        return text.replace(self.value, SHOWN_INSTEAD) if self._is_secret else text

    def hidden_in_bytes(self, content: bytes) -> bytes:
        """The same for what an endpoint sent, which may repeat what it was sent, in any way that JSON can write it."""
        if not self._is_secret:
            return content
        shown = SHOWN_INSTEAD.encode()
        plain = content.replace(self.value.encode(), shown)
        return _as_json_writes(self.value).sub(shown, plain) if b"\\" in plain else plain


@cache
def _as_json_writes(value: str) -> re.Pattern[bytes]:
    """The text with each character as it is, behind a backslash, or by its number."""
    return re.compile("".join(rf"(?:\\?{re.escape(sign)}|\\u00(?i:{ord(sign):02x}))" for sign in value).encode())
