"""What a run is told as: one page, its tables and its plots."""
