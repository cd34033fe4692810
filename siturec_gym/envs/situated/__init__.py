"""The two-agent shopping environment in a 3D store."""
