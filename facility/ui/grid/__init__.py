"""Grids and trees: typed cells that are edited in place, or read, sorted and explained."""
