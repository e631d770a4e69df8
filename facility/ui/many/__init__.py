"""Sweeps in the app: form, worker run, results and selection of a design."""
