"""The year of a design whose inputs are not known to one value: samples, quantiles, influence."""
