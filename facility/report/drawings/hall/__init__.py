"""The plan of a hall and the elevation of a rack: schematic, drawn from counts."""
