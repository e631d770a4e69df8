"""Thermal ride-through: temperatures after a failure until cooling is restored."""
