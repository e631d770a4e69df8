"""Session data: project, history, saving, and cached studies."""
