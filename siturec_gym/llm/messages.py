"""What is sent to a chat model and what comes back, as values."""

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

ChatRole = Literal["system", "user", "assistant"]
_OURS = frozenset({"model", "messages", "response_format", "stream", "n", "temperature", "top_p", "max_tokens", "seed"})
"""Fields of a request that follow from other settings, or from how replies are read."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of text."""

    text: str


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image as the bytes of its file.

    Attributes:
        data: File content.
        media_type: "image/png" or "image/jpeg".
    """

    data: bytes
    media_type: str = "image/png"

    @property
    def url(self) -> str:
        """The image as a data URL."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode()}"


Part = TextPart | ImagePart


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model. ``role`` is the chat protocol's, not an agent's."""

    role: ChatRole
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, role: ChatRole, *parts: str | Part) -> "Message":
        """A message of texts and images in order."""
        return cls(role, tuple(TextPart(part) if isinstance(part, str) else part for part in parts))

    @property
    def text(self) -> str:
        """The text parts, one after the other."""
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a reply is drawn. None leaves a setting to the endpoint.

    Attributes:
        temperature: 0 is greedy.
        top_p: Nucleus of the distribution, 0..1.
        max_tokens: Most tokens of a reply, reasoning included.
        seed: What the seed of each reply follows from, together with the request, its seed and its trial, where the
            endpoint honours seeds; None sends none.
        extra: Further fields of the request's body, such as a server's own settings; none that is set otherwise.
    """

    temperature: float | None = 0.0
    top_p: float | None = None
    max_tokens: int | None = 2048
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0.0 <= self.temperature <= 2.0:
            raise ValueError(f"temperature must be from 0 to 2, got {self.temperature}")
        if self.top_p is not None and not 0.0 < self.top_p <= 1.0:
            raise ValueError(f"top_p must be above 0 and at most 1, got {self.top_p}")
        if self.max_tokens is not None and self.max_tokens < 1:
            raise ValueError(f"max_tokens must be at least 1, got {self.max_tokens}")
        if ours := sorted(_OURS & self.extra.keys()):
            raise ValueError(f"extra must not hold {', '.join(ours)}: that is set otherwise, or what a role depends on")


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call of a model.

    Attributes:
        messages: The conversation so far.
        decoding: How the reply is drawn.
        schema: JSON schema that the reply must meet, or None for free text.
        seed: Seed of the episode and role that ask, part of the cache's key.
        trial: Attempt at the task, part of the cache's key.
    """

    messages: tuple[Message, ...]
    decoding: Decoding = Decoding()
    schema: Mapping[str, Any] | None = None
    seed: int = 0
    trial: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls of a model took.

    Attributes:
        requests: Calls that an endpoint answered.
        cache_hits: Calls that the cache answered; they add to no other count.
        prompt_tokens: Tokens read.
        completion_tokens: Tokens written, reasoning included.
        unparsed: Replies that were not in the form asked for.
        unanswered: Questions given up because no reply was in that form.
        retries: Times that a request was sent again before it was answered, because its endpoint had failed.
        cost_usd: Price of the tokens, in dollars; 0 where no price is known.
        unpriced: Requests whose price is not known.
    """

    requests: int = 0
    cache_hits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unparsed: int = 0
    unanswered: int = 0
    retries: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(*(getattr(self, name) + getattr(other, name) for name in USAGE_COUNTS))

    def counts(self) -> dict[str, float]:
        """The counts that are not 0, by name."""
        return {name: value for name, value in asdict(self).items() if value}


USAGE_COUNTS = tuple(count.name for count in fields(Usage))


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model answered.

    Attributes:
        text: The reply without its reasoning; may be empty.
        reasoning: What a thinking model wrote before it; never shown to another role.
        finish_reason: Why it ended: "stop", "length", "content_filter" or the endpoint's own word.
        usage: What the call took.
        token_ids: Tokens of the reply as they were drawn, reasoning included, where the endpoint was asked for them.
        logprobs: Natural logarithm of each token's probability, where asked for.
        prompt_token_ids: Tokens of the prompt, where asked for.
        model: Name of the model that answered, as its endpoint tells it; empty where it tells none.
    """

    text: str
    reasoning: str = ""
    finish_reason: str = "stop"
    usage: Usage = Usage(requests=1)
    token_ids: tuple[int, ...] | None = None
    logprobs: tuple[float, ...] | None = None
    prompt_token_ids: tuple[int, ...] | None = None
    model: str = ""
