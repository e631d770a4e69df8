"""Lists for construction and operation."""
