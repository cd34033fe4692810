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
from siturec_gym.users.agenda.understanding.names import known_as
from siturec_gym.users.agenda.understanding.understand import understand

__all__ = ["Act", "Attribute", "Claim", "Context", "Heading", "Kind", "Meaning", "Slot", "known_as", "understand"]
