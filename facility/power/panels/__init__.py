"""Panelboards: what one is, those of a design, and their balance."""
