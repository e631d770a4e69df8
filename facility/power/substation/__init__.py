"""Transformers between utility and UPS, and interrupting ratings of their switchgear."""
