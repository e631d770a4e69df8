"""The cooling plant: chillers, heat rejection, pumping, for one hour or many."""
