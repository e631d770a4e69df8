"""Outdoor air in place of compressors: what it takes, when it is let in, over the hours."""
