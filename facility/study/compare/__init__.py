"""Ways to cool the same racks, held against each other."""
