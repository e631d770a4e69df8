"""One panelboard: circuits, poles, currents, harmonics, groups."""
