"""Comparison of cooling methods for the same racks."""
