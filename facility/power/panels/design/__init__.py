"""The panelboards of the halls: which racks hang where, and their checks."""
