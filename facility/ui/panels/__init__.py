"""Panels page: circuits, schedule, balancing, import and export."""
