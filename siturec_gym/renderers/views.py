"""What views every renderer draws, and the one way to refuse others."""

from collections.abc import Sequence

from siturec_gym.renderers.interface import ALL_MODALITIES

PRESETS = ("rl", "vlm")
SMALLEST_PX, LARGEST_PX = 16, 4096
"""Least and most pixels of a width or a height."""


def check_view(width: int, height: int, preset: str) -> None:
    """Raises ValueError for a size or a preset that no renderer draws."""
    check_choice("preset", preset, PRESETS)
    for name, value in (("width", width), ("height", height)):
        if not isinstance(value, int) or not SMALLEST_PX <= value <= LARGEST_PX:
            raise ValueError(f"{name} must be an integer from {SMALLEST_PX} to {LARGEST_PX}, received {value!r}")


def check_modalities(modalities: Sequence[str]) -> None:
    """Raises ValueError where one of them is none."""
    for modality in modalities:
        check_choice("modality", modality, ALL_MODALITIES)


def check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    """Raises ValueError where a value is none of those allowed."""
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, received {value!r}")
