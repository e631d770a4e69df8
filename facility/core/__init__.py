"""Ground floor: units, sources, equations, trace, checks, tables, errors."""

from __future__ import annotations

__version__ = "0.5.0"
"""The version of the tool, printed on all output."""
