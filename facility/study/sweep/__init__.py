"""Sweep of designs: varied fields, one row of results per design."""
