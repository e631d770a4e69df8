"""Places of the app, and where the pages of earlier versions are now."""

from __future__ import annotations

from typing import Literal

Place = Literal["start", "design", "studies", "checks", "documents", "library"]

PLACES: dict[Place, str] = {
    "start": "Start",
    "design": "Design",
    "studies": "Studies",
    "checks": "Checks",
    "documents": "Documents",
    "library": "Library",
}
"""Title of each place; the key is the last part of its URL."""

MOVED: dict[str, tuple[Place, str]] = {
    "design": ("design", ""),
    "new": ("start", "new"),
    "import": ("start", "import"),
    "inputs": ("design", "inputs"),
    "power": ("design", "one-line"),
    "panels": ("design", "panels"),
    "hall": ("design", "hall"),
    "cooling": ("design", "cooling"),
    "scenarios": ("studies", "scenarios"),
    "load-that-moves": ("studies", "job-load"),
    "compare-cooling": ("studies", "cooling"),
    "ride-through": ("studies", "ride-through"),
    "year": ("studies", "year"),
    "meter-logs": ("studies", "meter-logs"),
    "ranges": ("studies", "ranges"),
    "sweep": ("studies", "sweep"),
    "assumptions": ("checks", "assumptions"),
    "export": ("documents", "set"),
    "projects": ("library", "projects"),
    "revisions": ("library", "revisions"),
}
"""Place and view of each page of version 0.5, and of Design, by the last part of the URL."""
