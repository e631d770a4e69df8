"""A panel as a search problem, and the search for its phases."""
