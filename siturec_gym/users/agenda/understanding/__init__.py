"""Free text to meaning: what a shopper takes from what the assistant says."""

from siturec_gym.users.agenda.understanding.meaning import (
    Act,
    Attribute,
    Claim,
    Context,
    Heading,
    Kind,
    Meaning,
    Slot,
)

__all__ = ["Act", "Attribute", "Claim", "Context", "Heading", "Kind", "Meaning", "Slot"]
