"""Frame of every page: places and their views, project bar, keys and style."""
