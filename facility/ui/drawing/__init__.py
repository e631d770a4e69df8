"""Interactive drawings: zoom, pan and selection of shapes."""
