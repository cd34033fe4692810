"""Environments: each folder holds env, spaces, state, transition, observe, termination."""
