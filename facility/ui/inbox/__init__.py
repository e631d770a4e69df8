"""Place Checks: the list of checks, and the assumptions."""
