"""Scenarios of the session's project, side by side."""
