"""What the stages of the power train share: states, shares, flows, results."""
