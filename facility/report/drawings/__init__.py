"""Drawings as neutral shapes."""
