"""Fewest moves against imbalance, for a panel that stands."""
