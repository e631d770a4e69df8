"""The inputs of a project: what an example left, what is refused, every field of the document."""
