"""Explanations of results: side drawer, search and navigation."""
