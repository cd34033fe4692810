"""The agenda user: a seeded shopper made of rules and word lists, who hears plain text."""
