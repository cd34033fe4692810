"""Wrappers that each change one thing."""
