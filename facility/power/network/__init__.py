"""Power network: one graph of tagged equipment from the utility to the cords, in any state."""
