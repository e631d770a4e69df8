"""Panels, cabinets and halls as CSV."""
