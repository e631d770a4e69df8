"""Neutral tables for terminal, app and workbook."""
