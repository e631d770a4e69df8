"""Short-circuit currents of a radial network, and checks of its protective devices."""
