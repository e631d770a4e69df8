"""Checks of the session's design: gathered results, cards and filtered list."""
