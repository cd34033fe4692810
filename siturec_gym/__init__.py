"""Environments, simulated shoppers and the evaluation protocol for situated shopping assistants."""
