"""Final plausibility test: rejection of physically impossible results."""

from __future__ import annotations

import math

from facility.core.errors import FacilityError
from facility.core.rounding import ROUNDING
from facility.core.table import Results, Value

_NEVER_NEGATIVE = frozenset(
    {
        "active_power", "apparent_power", "heat_flow", "count", "current", "line_voltage", "energy",
        "money", "mass", "length", "area", "volume", "air_flow", "liquid_flow", "mass_flow", "time",
        "charge", "velocity", "power_density",
    }
)  # fmt: skip
_MIN_ONE = ("pue.design", "pue.annual", "pue.estimate")
_MAX_ONE = ("efficiency", "efficiency_normal", "efficiency_failure", "effectiveness")
_PROBABILITIES = ("availability.worst",)
_PARTS = ("loading.max", "voltage.min")


def refuse_impossible(results: Results) -> Results:
    """Return `results` if all of them are physically possible.

    Raises ``IMPOSSIBLE_RESULT`` with exit code 1, an error of the program: a value that is not
    finite, a negative power, flow, size or count, a PUE below 1, an efficiency above 1.
    """
    for key, value in results.items():
        why = _impossible(key, value)
        if why:
            raise FacilityError(
                "IMPOSSIBLE_RESULT",
                key,
                f"the result is {why}.",
                "This is a defect in facility: please report it with the project file.",
            )
    return results


def _impossible(key: str, value: Value) -> str:
    if isinstance(value.si, str | bool):
        return ""
    number = float(value.si)
    name = key.rpartition(".")[2]
    if not math.isfinite(number):
        return "not a finite number"
    if value.kind in _NEVER_NEGATIVE and number < -ROUNDING:
        return f"a negative {value.kind.replace('_', ' ')} ({number:g})"
    if (key in _MIN_ONE or name == "pue") and number < 1.0 - ROUNDING:
        return f"{number:g}: facility power below the IT load"
    if key in _PARTS and number < -ROUNDING:
        return f"a negative fraction of the rating ({number:g})"
    if key in _PROBABILITIES and not 0.0 <= number <= 1.0 + ROUNDING:
        return f"a probability of {number:g}"
    if name in _MAX_ONE and not 0.0 <= number <= 1.0 + ROUNDING:
        return f"an efficiency of {number:g}"
    return ""
