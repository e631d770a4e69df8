"""The cooling of a facility in SI."""
