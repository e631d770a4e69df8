"""Graph of a network: types and validation."""
