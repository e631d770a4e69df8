"""From a project to a complete design."""
