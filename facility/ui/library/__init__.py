"""The project library in the app: list, revisions, conflicts."""
