"""Judges of finished conversations and the moderator of running ones, each by rules or by a language model."""
