"""Coolants and water: properties, pipes, cold plates, use of water."""
