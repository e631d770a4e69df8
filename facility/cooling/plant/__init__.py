"""The cooling plant: chillers, heat rejection, pumping, over an hour or over all of them."""
