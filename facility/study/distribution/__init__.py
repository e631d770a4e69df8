"""The distribution of a design: conductors, faults, rules of the code."""
