"""Complete design of a project."""
