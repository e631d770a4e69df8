"""Units of mechanical schedules and diagrams: tons, feet of head and horsepower in the IP view."""

from __future__ import annotations

from collections.abc import Mapping

from facility.core.views import System, show

TRADE_UNITS: Mapping[str, str] = {
    "heat_flow": "ton_refrigeration",
    "pressure": "ftH2O",
    "active_power": "hp",
}
"""Unit of cooling capacities, heads of pumps, and motors in IP, by kind."""


def show_trade(si_value: float, kind: str, system: System) -> str:
    """Return a value in the unit of the trade under IP, else in that of the view."""
    return show(si_value, kind, system, unit="" if system == "si" else TRADE_UNITS[kind])
