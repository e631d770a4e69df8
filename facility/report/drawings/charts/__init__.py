"""Charts as neutral lines."""
