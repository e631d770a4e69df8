"""Isolation of equipment for maintenance: switching steps, each verified by the state solver."""
