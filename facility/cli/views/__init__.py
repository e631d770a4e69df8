"""What verbs print that is too large for a table: halls, cabinets, lists of moves."""
