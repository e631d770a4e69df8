"""Cases of circuits, panels, faults and the power chain."""
