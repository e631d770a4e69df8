"""The cooling section of the project document."""
