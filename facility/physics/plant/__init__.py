"""Machines of the cooling plant: fans and pumps, chillers, towers."""
