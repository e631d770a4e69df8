"""Workbooks: written, split, read back safely, verified."""
