"""The IT section, resolved."""
