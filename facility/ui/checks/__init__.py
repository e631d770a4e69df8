"""Place Checks: checks by cause with their fixes, and the assumptions."""
