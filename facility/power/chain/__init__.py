"""Sizing and solving the power chain from the racks to the utility."""
