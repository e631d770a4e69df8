"""What things cost: the tariff of the electricity, and the cost of ownership."""
