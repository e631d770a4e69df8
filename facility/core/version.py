"""The version of the tool, printed on all output."""

from __future__ import annotations

__version__ = "0.5.0"
