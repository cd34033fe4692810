"""Stores at rest: fixtures, instances, waypoints, structures and maps."""
