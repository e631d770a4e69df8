"""The air of a hall as a study: racks, inlets, moisture, units, sensors."""
