"""UPS batteries: sizing, results, checks."""
