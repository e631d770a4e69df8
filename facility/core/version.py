"""The version of the tool, as it stands on everything it writes."""

from __future__ import annotations

__version__ = "0.5.0"
