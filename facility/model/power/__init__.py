"""The power distribution of a facility in SI."""
