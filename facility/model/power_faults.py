"""The short-circuit study: what is given of the network behind the service, in SI."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FaultBasis:
    """The short-circuit study: what is given of the network behind the service."""
