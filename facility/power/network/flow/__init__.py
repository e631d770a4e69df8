"""Power flow of a network over its states."""
