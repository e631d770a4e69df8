"""The UPS batteries: sized, recorded, checked."""
