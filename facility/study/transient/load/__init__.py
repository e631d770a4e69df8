"""Load that moves: a training job seen at rack, UPS, generator and utility, and what smooths it."""
