"""Handles said aloud: hearing them, and masking them for the other side (S14)."""

from siturec_gym.wrappers.spoken_handles.hearing import MASK, Mention, SpokenHandles

__all__ = ["MASK", "Mention", "SpokenHandles"]
