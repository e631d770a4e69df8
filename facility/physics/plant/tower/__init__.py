"""Cooling towers by three published models."""
