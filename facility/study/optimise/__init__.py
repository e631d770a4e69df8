"""Optimisation of designs: variable fields, objectives, limits, and the Pareto front."""
