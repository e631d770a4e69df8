"""Cost of ownership: capital, operation, and cost per GPU-hour, training run and kW of IT load."""
