"""The graph of a network: its types, and what it must be to be solved."""
