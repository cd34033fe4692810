"""The key of an endpoint: read from the environment, sent to it, and shown nowhere."""

import os
from dataclasses import dataclass, field

from siturec_gym.core.errors import DeterministicModelError

SHOWN_INSTEAD = "***"
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

    def hidden_in(self, text: str) -> str:
        """The text with the key replaced wherever it stands."""
        return text if self.value == _NOT_SET else text.replace(self.value, SHOWN_INSTEAD)

    def hidden_in_bytes(self, content: bytes) -> bytes:
        """The same for what an endpoint sent, which may repeat what it was sent."""
        return content if self.value == _NOT_SET else content.replace(self.value.encode(), SHOWN_INSTEAD.encode())
