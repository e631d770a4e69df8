"""Parts that every branch of the cooling is made of: coils, CDUs, pumps, fluids, counts."""
