"""Power distribution of a design: conductors, fault currents, code rules."""
