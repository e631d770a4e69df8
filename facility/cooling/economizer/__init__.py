"""Economizers: heat removal by outdoor air, control, hourly operation."""
