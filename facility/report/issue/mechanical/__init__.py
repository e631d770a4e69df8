"""Cooling sheets of the issued set."""
