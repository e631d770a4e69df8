"""Annual temperatures vs. limits, and annual equipment loading."""
