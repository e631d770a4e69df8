"""Annual electricity bill: energy by period, demand, power factor, fixed charges."""
