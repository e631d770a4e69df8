"""Changes of a project that are proved to clear a violation."""
