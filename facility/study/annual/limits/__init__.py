"""What the year asks of the design: temperatures against their limits, equipment at its load."""
