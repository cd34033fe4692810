"""Simulated users, chosen by name."""
