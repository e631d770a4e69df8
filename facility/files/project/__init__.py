"""The project file: safe YAML in, changes by path, the same text out."""
