"""Directions in the words of prompts."""


def bearing_words(bearing_deg: float, ahead_deg: float = 0.5) -> str:
    """Where to turn to face something: "ahead", or whole degrees to a side.

    Args:
        bearing_deg: Its bearing; bearings grow to the left.
        ahead_deg: How far to a side still counts as ahead.
    """
    if abs(bearing_deg) <= ahead_deg:
        return "ahead"
    return f"{abs(bearing_deg):.0f} degrees {'left' if bearing_deg > 0 else 'right'}"
