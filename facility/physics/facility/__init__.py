"""Metrics of a facility, its demand, halls and site."""
