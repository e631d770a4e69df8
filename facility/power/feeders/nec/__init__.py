"""Conductors and devices of a circuit under the NEC."""
