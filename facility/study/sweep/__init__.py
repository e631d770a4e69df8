"""Many designs: the fields that vary, each design once, and what came of it as one row."""
