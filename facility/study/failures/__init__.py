"""Failure study of the power network."""
