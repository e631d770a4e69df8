"""Points list on the terminal and in JSON."""
