"""Colours of charts by role, on a light and on a dark page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Role = Literal[
    "paper",
    "ink",
    "ink-2",
    "grid",
    "accent",
    "limit",
    "it",
    "cooling",
    "loss",
    "house",
    "liquid",
    "green",
    "heat-0",
    "heat-1",
]
COLOURS: Mapping[Role, tuple[str, str]] = {
    "paper": ("#ffffff", "#161615"),
    "ink": ("#1b1f24", "#eceff1"),
    "ink-2": ("#444b54", "#c3c9d0"),
    "grid": ("#e4e4e0", "#31312e"),
    "accent": ("#1d5f8a", "#6cb4dc"),
    "limit": ("#cf3a31", "#e2584e"),
    "it": ("#1d5f8a", "#4a90ba"),
    "cooling": ("#5a97bc", "#a9d3ea"),
    "loss": ("#8a9096", "#6d7277"),
    "house": ("#c47f0a", "#c98f2b"),
    "liquid": ("#7a5ea8", "#a48bd0"),
    "green": ("#4d7f31", "#82b765"),
    "heat-0": ("#eef4f8", "#1b2a34"),
    "heat-1": ("#0c3c5c", "#bfe2f6"),
}
"""Colour on a light and on a dark page."""
SERIES: tuple[Role, ...] = ("it", "house", "liquid", "cooling", "green", "loss")
"""Roles of series without a fixed meaning, in order."""
DASHES = ("", "6 3", "2 3", "8 3 2 3", "12 4")
"""Dash patterns of such series, in order."""
PHASES: tuple[Role, ...] = ("it", "house", "green")
"""Roles of the lines A, B, C."""
