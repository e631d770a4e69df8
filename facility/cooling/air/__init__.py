"""The air side: air handlers, doors and other units of a hall, and where air ends."""
