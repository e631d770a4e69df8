"""The power section of the project document."""
