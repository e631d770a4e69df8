"""Presentation of lists for those who build and operate."""
