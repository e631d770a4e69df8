"""What the doors show of each study: results, checks, tables, and lists of the JSON contract."""
