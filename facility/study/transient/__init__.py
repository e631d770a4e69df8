"""Transient studies of a design: ride-through after failures, availability, dynamic load."""
