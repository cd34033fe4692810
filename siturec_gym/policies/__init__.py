"""Assistants, chosen by name."""
