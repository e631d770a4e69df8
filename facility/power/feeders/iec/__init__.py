"""Conductors and devices of a circuit by IEC 60364."""
