"""Power distribution of a facility in SI."""
