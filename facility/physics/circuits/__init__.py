"""Currents, losses and voltages of circuits, and what conductors carry."""
