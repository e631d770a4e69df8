"""Output of commands that does not fit a table: cabinets, lists of moves."""
