"""The project document: what the user said, values and units as typed."""
