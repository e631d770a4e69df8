"""The bill for the electricity of a year: energy by period, demand, power factor, fixed."""
