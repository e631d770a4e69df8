"""The designed facility through the hours of a typical year: energy, water, cost, carbon."""
