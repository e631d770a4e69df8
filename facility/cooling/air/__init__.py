"""The air side: air handlers, doors and other units of a hall, and the limits of air cooling."""
