"""Drawings that can be zoomed and clicked."""
