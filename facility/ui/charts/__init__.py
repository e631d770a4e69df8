"""Charts of the app."""
