"""Fewest moves vs. imbalance, for an existing panel."""
