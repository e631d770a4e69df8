"""Scenarios of a project as tables."""
