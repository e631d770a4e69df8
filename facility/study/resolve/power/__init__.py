"""Power section, resolved."""
