"""Uncertainty of annual results: sampled inputs, quantiles, sensitivity."""
