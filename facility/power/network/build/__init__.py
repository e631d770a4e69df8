"""Network of a designed facility, or of a standard scheme."""
