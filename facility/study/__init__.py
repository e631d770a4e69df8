"""Studies of a facility."""
