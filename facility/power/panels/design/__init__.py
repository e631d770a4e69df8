"""Panelboards of the halls: rack assignment and checks."""
