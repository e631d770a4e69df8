"""The panel pages."""
