"""The agenda user: a seeded shopper made of rules and word lists, who hears plain text."""

from siturec_gym.users.agenda.policy import AgendaUser

__all__ = ["AgendaUser"]
