"""Renderers behind one interface, chosen by name."""

from siturec_gym.renderers.choice import RENDERERS, make_renderer

__all__ = ["RENDERERS", "make_renderer"]
