"""Place Start: the questions of a new project, and imports."""
