"""Renderers behind one interface, chosen by name."""
