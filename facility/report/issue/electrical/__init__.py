"""Electrical sheets of a set: panels, equipment, cables, load calculations, labels, study data."""
