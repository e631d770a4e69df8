"""Unit of an axis: one unit for all values of a chart, chosen by its largest value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

from facility.core.kinds import KINDS, FloatArray, value_in
from facility.core.views import System, printed_unit, readable_unit

_LARGE = 10_000.0
_LARGER = {"kW": "MW", "MWh": "GWh"}


@dataclass(frozen=True)
class AxisUnit:
    """Unit of the values of a chart."""

    kind: str
    token: str

    @property
    def text(self) -> str:
        """The unit as printed."""
        return printed_unit(self.token)

    def title(self, quantity: str) -> str:
        """Return the title of an axis."""
        return f"{quantity} ({self.text})" if self.token else quantity

    @overload
    def of(self, si: float) -> float: ...
    @overload
    def of(self, si: FloatArray) -> FloatArray: ...
    def of(self, si: float | FloatArray) -> float | FloatArray:
        """Return SI values in the unit."""
        return value_in(KINDS[self.kind], si, self.token)  # type: ignore[arg-type]  # or an array

    def show(self, si: float) -> str:
        """Return an SI value with four significant digits and the unit."""
        return f"{significant(self.of(si))} {self.text}".rstrip()


def axis_unit(kind: str, highest: float, system: System) -> AxisUnit:
    """Return the unit of a chart.

    highest: Largest value of the chart, in SI.
    """
    token = readable_unit(highest, kind, system)
    if value_in(KINDS[kind], abs(highest), token) >= _LARGE:
        token = _LARGER.get(token, token)
    return AxisUnit(kind, token)


def significant(value: float, digits: int = 4) -> str:
    """Return a number with the given significant digits and thousands separators."""
    return f"{float(f'{value:.{digits}g}'):,.10g}"
