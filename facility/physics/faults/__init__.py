"""Short-circuit currents and the impedances that they flow through."""
