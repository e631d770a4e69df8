"""Place Design: views of the open project."""
