"""Panels and cabinets as CSV."""
