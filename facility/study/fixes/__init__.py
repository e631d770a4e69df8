"""Verified project changes that clear a violation."""
