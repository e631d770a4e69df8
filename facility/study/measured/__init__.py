"""Measured facility power compared with the model of the design."""
