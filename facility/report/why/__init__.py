"""Derivation of a number and its dependents, for interactive interfaces."""
