"""From what the user said to a complete facility, every default in the ledger."""
