"""Currents, losses and voltages of circuits, and conductor ampacity."""
