"""Studies: what is asked of a facility."""
