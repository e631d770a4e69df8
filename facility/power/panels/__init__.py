"""Panelboards: model, design, and phase balancing."""
