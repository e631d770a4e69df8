"""Atomic file writing, bounded reading, and safe text."""
