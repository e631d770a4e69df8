"""Sweeps: their requests, their runs, and the designs made in the worker."""
