"""Temperatures after a failure, until the cooling is back."""
