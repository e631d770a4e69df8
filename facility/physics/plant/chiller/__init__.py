"""Chillers by lift and by published curves."""
