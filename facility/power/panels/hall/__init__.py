"""Balance of a whole hall: cords, racks on panels, turns of phases."""
