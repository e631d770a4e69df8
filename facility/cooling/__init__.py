"""Cooling: from the heat of the equipment to the heat rejected outdoors."""
