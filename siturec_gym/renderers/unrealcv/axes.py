"""Units and axes of Unreal Engine, converted here and nowhere else.

Ours are metres and degrees, right-handed, z up, yaw counter-clockwise from +x. Unreal's are centimetres and degrees,
left-handed, z up, yaw clockwise from +x; pitch is up in both. So y and yaw change their sign.

Numbers cross as decimal text. Metres become centimetres by moving the decimal point of ``repr``, and back, so that
what comes back is the number that was sent, bit for bit.
"""

import math
from collections.abc import Sequence
from decimal import Context, Decimal, InvalidOperation

Number = str | float | Decimal
"""A number as it arrives: its text, or what was made of it. Text and ``Decimal`` are read without rounding twice."""
Triple = tuple[float, float, float]

_CENTI = 2
_LONGEST = 400
"""Characters of the longest number read; any finite double fits."""
_EXACT = Context(prec=_LONGEST)


def cm_text(metres: float) -> str:
    """A length in metres as the text of its centimetres."""
    return _plain(_decimal(metres).scaleb(_CENTI, _EXACT))


def metres_of(centimetres: Number) -> float:
    """A length in centimetres as metres. Raises ValueError for what is no finite number."""
    return float(_decimal(centimetres).scaleb(-_CENTI, _EXACT))


def number_text(value: float) -> str:
    """A number as plain text that reads back as the same number."""
    return _plain(_decimal(value))


def number_of(text: Number) -> float:
    """A number from its text. Raises ValueError for what is no finite number."""
    return float(_decimal(text))


def wrapped_deg(angle_deg: float) -> float:
    """The same direction in [-180, 180]; exact. Angles already there stay as they are, at either end, too."""
    within = math.fmod(angle_deg, 360.0)
    if within > 180.0:
        return within - 360.0
    return within + 360.0 if within < -180.0 else within


def location_text(position_m: Triple) -> str:
    """A point in metres as Unreal's ``x y z``."""
    x, y, z = position_m
    return f"{cm_text(x)} {cm_text(-y)} {cm_text(z)}"


def location_of(words: str | Sequence[Number]) -> Triple:
    """The point in metres that Unreal's ``x y z`` stands for. Raises ValueError for other than three numbers."""
    x, y, z = _numbers(words, 3)
    return metres_of(x), -metres_of(y), metres_of(z)


def rotation_text(yaw_deg: float, pitch_deg: float = 0.0) -> str:
    """A heading and a gaze as Unreal's ``pitch yaw roll``."""
    return f"{number_text(pitch_deg)} {number_text(-wrapped_deg(yaw_deg))} 0"


def rotation_of(words: str | Sequence[Number]) -> tuple[float, float]:
    """Yaw in [-180, 180] and pitch of Unreal's ``pitch yaw roll``, degrees; what is rolled is taken as level.

    Raises:
        ValueError: Other than three numbers.
    """
    pitch, yaw, _ = map(number_of, _numbers(words, 3))
    return wrapped_deg(-yaw), wrapped_deg(pitch)


def pose_text(position_m: Triple, yaw_deg: float, pitch_deg: float = 0.0) -> str:
    """A point and a direction as Unreal's ``x y z pitch yaw roll``."""
    return f"{location_text(position_m)} {rotation_text(yaw_deg, pitch_deg)}"


def pose_of(words: str | Sequence[Number]) -> tuple[Triple, float, float]:
    """Point, yaw and pitch of Unreal's ``x y z pitch yaw roll``. Raises ValueError for other than six numbers."""
    numbers = _numbers(words, 6)
    return location_of(numbers[:3]), *rotation_of(numbers[3:])


def _numbers(words: str | Sequence[Number], count: int) -> Sequence[Number]:
    numbers: Sequence[Number] = words.split() if isinstance(words, str) else words
    if len(numbers) != count:
        raise ValueError(f"expected {count} numbers, got {str(words)[:80]!r}")
    return numbers


def _decimal(value: Number) -> Decimal:
    """The exact decimal of a text, or of the shortest text of a float."""
    text = str(value) if isinstance(value, str | Decimal) else repr(float(value))
    try:
        number = Decimal(text) if len(text) <= _LONGEST else Decimal("NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or not math.isfinite(float(number)):
        raise ValueError(f"expected a finite number, got {text[:80]!r}")
    return number


def _plain(number: Decimal) -> str:
    """Without an exponent, which not every parser of numbers knows, and without zeros at the end."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
