"""Moist air: states, flows, evaporation, the way between unit and rack."""
