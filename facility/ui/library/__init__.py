"""The project library in the app: cards, revisions, conflicts."""
