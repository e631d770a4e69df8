"""Benchmarks: measured, printed, never asserted."""
