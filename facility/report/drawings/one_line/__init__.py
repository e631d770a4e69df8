"""The one-line diagram of a network in one state."""
