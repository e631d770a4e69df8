"""Equations: each once, with its source, on plain SI numbers."""
