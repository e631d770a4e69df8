"""Sheets of the power chain, from the IT roll-up to the PUE."""
