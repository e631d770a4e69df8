"""Sheets of the cooling."""
