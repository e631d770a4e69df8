"""Electrical design: from the IT load to the utility."""
