"""Design variables: fields and their permitted values, as typed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from facility.core.errors import FacilityError
from facility.model.inputs.change import normal_path
from facility.study.sweep.axes import NUMBER, UNIT, Axis, axis_of

_BETWEEN = re.compile(rf"\s*({NUMBER})({UNIT})\s*\.\.\s*({NUMBER})({UNIT})\s*", re.ASCII)
_DIGITS = 4
_MAX_TEXT = 120


@dataclass(frozen=True)
class DesignVariable:
    """One design variable: a list of values, or a range of numbers."""

    path: str
    kind: Literal["choice", "step", "whole", "real"]
    values: tuple[str, ...] = ()  # Values of a choice, or of steps in order
    minimum: Decimal = Decimal(0)
    maximum: Decimal = Decimal(0)
    unit: str = ""

    @property
    def bounds(self) -> tuple[float, float]:
        """Minimum and maximum of the number that encodes a value."""
        if self.values:
            return 0.0, float(len(self.values) - 1)
        return float(self.minimum), float(self.maximum)

    @property
    def count(self) -> int | None:
        """Number of values; None for a range of real numbers."""
        if self.values:
            return len(self.values)
        return int(self.maximum - self.minimum) + 1 if self.kind == "whole" else None

    def text(self, number: float) -> str:
        """Return the value encoded by a number, as typed; real numbers with four digits."""
        if self.values:
            return self.values[round(number)]
        if self.kind == "whole":
            return str(round(number))
        exact = Decimal(repr(float(number)))
        digit = exact.adjusted() - _DIGITS + 1
        rounded = exact.quantize(Decimal(1).scaleb(digit), ROUND_HALF_EVEN) if exact else exact
        bounded = min(max(rounded, self.minimum), self.maximum)
        typed = f"{bounded:f}"
        plain = typed.rstrip("0").rstrip(".") if "." in typed else typed
        return f"{plain}{self.unit and ' '}{self.unit}"

    def ends(self) -> Axis:
        """Return the first and the last value as an axis of a sweep."""
        first, last = (self.text(bound) for bound in self.bounds)
        return Axis((self.path,), ((first,), (last,)))


def design_variable(text: str) -> DesignVariable:
    """Return the design variable of ``path=lo..hi``, ``path=lo..hi/step`` or ``path=a,b,c``.

    A range between integers without a unit has integer values.

    Raises ``OPTIMISE_FREE`` for any other text; the errors of `axis_of` for lists and steps.
    """
    path, _, values = text.partition("=")
    if ".." in values and "/" not in values.rpartition("..")[2].split(" ")[0]:
        found = _BETWEEN.fullmatch(values) if len(values) <= _MAX_TEXT else None
        if found is None:
            raise _refused(text, f"{values.strip()[:60]!r} is not a range.")
        minimum, maximum = Decimal(found[1]), Decimal(found[3])
        units = {unit.strip() for unit in (found[2], found[4])} - {""}
        if len(units) > 1:
            raise _refused(
                text, "both ends need the same unit, not " + " and ".join(sorted(units)) + "."
            )
        if minimum >= maximum:
            raise _refused(text, f"{minimum} is not below {maximum}.")
        whole = not units and "." not in found[1] + found[3]
        return DesignVariable(
            normal_path(path), "whole" if whole else "real", (), minimum, maximum, "".join(units)
        )
    axis = axis_of(text)
    listed = tuple(value for (value,) in axis.rows)
    if len(set(listed)) < 2:
        raise _refused(text, "fewer than two values are specified.")
    return DesignVariable(
        axis.paths[0], "step" if ".." in values else "choice", tuple(dict.fromkeys(listed))
    )


def _refused(text: str, message: str) -> FacilityError:
    return FacilityError(
        "OPTIMISE_FREE",
        f"--free {text.partition('=')[0][:60]}",
        message,
        "Write path=lo..hi, path=lo..hi/step or path=a,b,c.",
    )
