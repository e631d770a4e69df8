"""Flat lists by circuit, cable and rack."""
