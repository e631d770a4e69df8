"""The power section, resolved."""
