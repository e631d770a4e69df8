"""Objects of the open design: selection, known data, search."""
