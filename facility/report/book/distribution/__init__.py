"""Sheets of the distribution: feeders, faults, voltage drop, failures."""
