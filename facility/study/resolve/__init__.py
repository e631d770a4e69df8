"""Resolution of the user input to a complete facility, with every default in the ledger."""
