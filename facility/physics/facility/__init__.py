"""Measures of a whole facility, its demand, its halls and its place."""
