"""Cases of air, water, exchangers and the cooling plant."""
