"""The inputs of a project: every field, rejected entries, and values kept from an example."""
