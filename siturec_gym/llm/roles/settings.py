"""How a model plays a role: decoding, pictures, room."""

from dataclasses import asdict, dataclass, field
from typing import Any

from siturec_gym.core.text import REASON_LIMIT, UTTERANCE_LIMIT
from siturec_gym.llm.messages import Decoding


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """What a role's requests depend on, besides the observation.

    Attributes:
        decoding: How replies are drawn.
        images: Views sent, the current one included: the last so many. 0 plays on text alone.
        map_image: Whether the assistant is sent the layout map as a picture; never with ``images`` 0.
        image_side: Longest side of a picture in pixels; larger ones are shrunk. None sends them as drawn.
        context_tokens: The model's context; the oldest pictures are left out of what would not fit. None: not known.
        utterance_chars: Longest utterance.
        reason_chars: Longest reason in an annotation.
    """

    decoding: Decoding = field(default_factory=Decoding)
    images: int = 1
    map_image: bool = True
    image_side: int | None = 512
    context_tokens: int | None = None
    utterance_chars: int = 400
    reason_chars: int = 160

    def __post_init__(self) -> None:
        if self.images < 0:
            raise ValueError(f"images must be 0 or more, got {self.images}")
        if self.image_side is not None and self.image_side < 28:
            raise ValueError(f"image_side must be at least 28 pixels, got {self.image_side}")
        if self.context_tokens is not None and self.context_tokens < 1024:
            raise ValueError(f"context_tokens must be at least 1024, got {self.context_tokens}")
        if not 1 <= self.utterance_chars <= UTTERANCE_LIMIT:
            raise ValueError(f"utterance_chars must be from 1 to {UTTERANCE_LIMIT}, got {self.utterance_chars}")
        if not 1 <= self.reason_chars <= REASON_LIMIT:
            raise ValueError(f"reason_chars must be from 1 to {REASON_LIMIT}, got {self.reason_chars}")

    @classmethod
    def given(cls, settings: Any) -> "RoleSettings":
        """The settings that a caller gave; the usual ones for None.

        Raises:
            ValueError: They are something else.
        """
        if settings is not None and not isinstance(settings, cls):
            raise ValueError(f"settings: expected RoleSettings, such as RoleSettings(images=0), got {settings!r}")
        return settings or cls()

    def public(self) -> dict[str, Any]:
        """The settings as a manifest keeps them."""
        return asdict(self)
