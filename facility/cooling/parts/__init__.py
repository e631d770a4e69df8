"""Components of all cooling branches: coils, CDUs, pumps, fluids, counts."""
