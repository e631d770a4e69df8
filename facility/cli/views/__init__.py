"""What verbs print that is too large for a table: cabinets, lists of moves."""
