"""A design followed through the failures of its cooling and its power."""
