"""One number of an object: value, limit, margin, and status relative to the limit."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.views import System, shared_scale, show, show_short
from facility.report.objects.tree import Look, look_of

_TEMPERATURES = ("temperature", "rating_temperature")


@dataclass(frozen=True)
class ObjectFact:
    """A number of an object; `limit` is None without a limit."""

    label: str
    case: str  # State or hour it applies to, as "loss of MVS-A"
    value: float | str  # In the SI unit of `kind`; text where the result is a text
    kind: str
    limit: float | None = None
    sense: str = "<="  # Whether the limit is a maximum or a minimum
    why: str = ""  # Result or rule that explains it; empty for a loading in the network
    outage: str = ""  # State of the power network it is from
    unit: str = ""  # Unit of the trade for it; empty for that of the view
    basis: str = ""  # What it is measured on
    severity: str = "VIOLATION"  # Of a value beyond its limit

    @property
    def margin(self) -> float | None:
        """Margin to a maximum or above a minimum, as a fraction of the limit.

        None without a limit, and for temperatures, whose zero is arbitrary.
        """
        if self.limit is None or isinstance(self.value, str) or self.kind in _TEMPERATURES:
            return None
        if self.limit == 0.0:
            return None
        return self.distance / abs(self.limit)

    @property
    def distance(self) -> float:
        """Distance to the limit in the unit of the value, negative beyond it."""
        if self.limit is None or isinstance(self.value, str):
            return 0.0
        return self.limit - self.value if self.sense == "<=" else self.value - self.limit

    @property
    def look(self) -> Look:
        """Status of the value relative to its limit; if exceeded, by the severity of its check."""
        if self.is_over:
            return "over" if self.severity == "VIOLATION" else "tight"
        return "ok" if self.limit is not None and self.margin is None else look_of(self.margin)

    @property
    def is_over(self) -> bool:
        """Whether the value is beyond its limit."""
        if self.margin is None:
            return self.distance < 0.0
        return look_of(self.margin) == "over"

    def value_text(self, system: System = "si") -> str:
        """Return the value with its unit."""
        return _text(self.value, self.kind, system, *self._scale(system))

    def limit_text(self, system: System = "si") -> str:
        """Return the limit in the unit of the value, a minimum with its sign; empty without one."""
        if self.limit is None:
            return ""
        text = _text(self.limit, self.kind, system, *self._scale(system))
        return text if self.sense == "<=" else f"≥ {text}"

    def _scale(self, system: System) -> tuple[str, int | None]:
        if self.unit or self.limit is None or isinstance(self.value, str) or not self.kind:
            return self.unit, None
        return shared_scale(max(self.value, self.limit, key=abs), self.kind, system)

    def margin_text(self, system: System = "si") -> str:
        """Return the margin, or how much the limit is passed; a difference for temperatures."""
        if self.limit is None or (self.margin is None and self.kind not in _TEMPERATURES):
            return ""
        if self.margin is None:
            text = show(abs(self.distance), "temperature_difference", system)
            return f"{text} over" if self.is_over else text
        text = show(abs(self.margin), "fraction", system)
        return f"{text} over" if self.is_over else text


def _text(value: float | str, kind: str, system: System, unit: str, digits: int | None) -> str:
    if isinstance(value, str):
        return value
    if not kind:
        return f"{value:,.6g}"
    if not unit:
        return show_short(value, kind, system)
    return show(value, kind, system, unit=unit, digits=digits)
