"""What an inspection finds."""

from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

State = Literal["ok", "note", "broken", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Attributes:
        subject: What was looked at.
        state: "broken" needs mending; "note" may be as it should; "skipped" could not be looked at.
        detail: What was found.
        fix: What to change, or "".
    """

    subject: str
    state: State
    detail: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class ColorRow:
    """A segmentation colour.

    Attributes:
        called: What has it.
        color: The colour set, red, green, blue.
        seen: The colour it comes out as.
        problem: What it cannot be told from, or "".
    """

    called: str
    color: tuple[int, int, int]
    seen: tuple[int, int, int]
    problem: str = ""


@dataclass
class Report:
    """A whole inspection.

    Attributes:
        findings: In the order in which things were looked at.
        round_trip_ms: Median and 95th percentile of a short question, or None.
        frames_per_s: Of each view, while the user turns.
        colors: Every colour, as set and as seen.
        pictures: The view from the start pose: "lit" and "mask" (height, width, 3) uint8, "depth" (height, width)
            float32 metres.
    """

    findings: list[Finding] = field(default_factory=list)
    round_trip_ms: tuple[float, float] | None = None
    frames_per_s: dict[str, float] = field(default_factory=dict)
    colors: list[ColorRow] = field(default_factory=list)
    pictures: dict[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is broken."""
        return all(finding.state in ("ok", "note") for finding in self.findings)
