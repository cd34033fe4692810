"""Private profiles and goals, the task builder and the task bank."""
