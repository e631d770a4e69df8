"""Project brief: a few questions from which a project begins, each with a default."""
