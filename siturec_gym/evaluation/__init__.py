"""Episode loop, runner and run folders."""
