"""The cost of ownership: capital, operation, and what a GPU-hour, a run and a kW of IT bear."""
