"""Conductors and devices of a circuit by the NEC."""
