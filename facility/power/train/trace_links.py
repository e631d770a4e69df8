"""Links between the steps of the power chain and those before it."""

from __future__ import annotations

import math

from facility.core.trace import Trace

_ROUNDING = 1e-12


def step_or_value(trace: Trace, id: str, value: float) -> float | str:
    """Return the id of the step that holds `value`, so that the derivation links to it.

    Sums taken in another order hold it too. Where the trace has no such step, or another value
    under the id, the number itself stands.
    """
    held = id in trace and math.isclose(trace.value(id), value, rel_tol=_ROUNDING)
    return id if held else value
