"""Metrics as plain functions of recorded episodes."""
