"""Wrappers that each change one thing."""

from siturec_gym.wrappers.gymnasium_form import GymnasiumForm

__all__ = ["GymnasiumForm"]
