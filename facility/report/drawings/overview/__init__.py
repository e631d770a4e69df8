"""Overviews of a design in one state: power, halls and cooling, legible on a screen and a phone."""
