"""The library of projects as the app shows it: cards, revisions, conflicts."""
