"""The menu of the pages where the screen is narrow: its name, and its end with a choice."""
