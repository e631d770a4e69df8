"""Conductors and devices of a circuit under IEC 60364."""
