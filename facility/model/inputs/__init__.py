"""The project document: user inputs, values and units as typed."""
