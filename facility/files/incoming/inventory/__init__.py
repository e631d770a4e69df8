"""Inventories of racks and devices, read into the halls of a project."""
