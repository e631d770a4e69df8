"""Common types of the power train: states, shares, flows, results."""
