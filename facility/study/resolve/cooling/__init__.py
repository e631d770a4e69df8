"""The cooling section, resolved."""
