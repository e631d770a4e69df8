"""Page menu on narrow screens: its label, and closing after a selection."""
