"""Short-circuit currents of a radial network, and the checks of its protective devices."""
