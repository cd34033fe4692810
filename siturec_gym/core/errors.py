"""The failures a user of this package can meet, one class for each boundary that can break.

A caller's own mistake (unknown name, value outside a range) is a ``ValueError`` that shows the value received and
what was allowed. Everything below is a failure of something the caller does not control, wrapped once, at the
boundary, with ``raise ... from``.
"""

_LONGEST = 2000
"""Characters of an error's text that are kept."""


def words_of(error: BaseException) -> str:
    """What an error says, whatever it is: one line of valid text, at most 2000 characters, and never another error."""
    try:
        words = str(error)
    except Exception as second:
        words = f"(its text cannot be had: {type(second).__name__})"
    if len(words) > _LONGEST:
        words = words[: _LONGEST - 3] + "..."
    return " ".join(words.encode(errors="replace").decode().split())


class SituRecError(Exception):
    """Base of every failure raised at a boundary of this package."""


class DataError(SituRecError):
    """Shipped or user-supplied data is missing, changed, inconsistent or malformed."""


class RendererError(SituRecError):
    """A renderer could not start, answer or draw."""


class SimulatorError(SituRecError):
    """A simulated user failed to give an action."""


class ModelError(SituRecError):
    """A role backed by a model failed to give an answer.

    Attributes:
        kind: The type of the failure, as records and summaries name it.
        url: Public address of the endpoint that failed; None where none did.
    """

    kind = "model"
    url: str | None = None


class TransientModelError(ModelError):
    """The endpoint was busy, slow, unreachable or broken, and still so after every retry.

    Attributes:
        retry_after_s: Seconds the endpoint asked to wait, where it did.
    """

    kind = "transient"

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class DeterministicModelError(ModelError):
    """The endpoint refuses this request and would do so again: an unknown model, a wrong key, a wrong argument.

    Attributes:
        status: The HTTP status it answered with, where it answered.
    """

    kind = "deterministic"

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ReplyError(ModelError):
    """The model answered, but not in the form that was asked for, after every repetition."""

    kind = "parse"


class ContextOverflowError(ModelError):
    """The request is longer than the model's context."""

    kind = "overflow"


class JudgeError(SituRecError):
    """A judge or moderator failed to give a verdict."""


class RunError(SituRecError):
    """A run folder cannot be written, read or continued."""


class RunInterruptedError(RunError):
    """A person stopped a run; what was complete is kept."""
