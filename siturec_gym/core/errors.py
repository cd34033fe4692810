"""The failures a user of this package can meet, one class for each boundary that can break.

A caller's own mistake (unknown name, value outside a range) is a ``ValueError`` that shows the value received and
what was allowed. Everything below is a failure of something the caller does not control, wrapped once, at the
boundary, with ``raise ... from``.
"""


class SituRecError(Exception):
    """Base of every failure raised at a boundary of this package."""


class DataError(SituRecError):
    """Shipped or user-supplied data is missing, changed, inconsistent or malformed."""


class RendererError(SituRecError):
    """A renderer could not start, answer or draw."""


class SimulatorError(SituRecError):
    """A simulated user failed to give an action."""


class ModelError(SituRecError):
    """A policy backed by a model failed to give an action."""


class JudgeError(SituRecError):
    """A judge or moderator failed to give a verdict."""


class RunError(SituRecError):
    """A run folder cannot be written, read or continued."""
