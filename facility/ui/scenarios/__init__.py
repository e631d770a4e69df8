"""Scenarios of the project of a session, side by side."""
