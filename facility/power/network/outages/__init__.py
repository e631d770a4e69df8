"""Outages, their effects, and the verdicts over all of them."""
