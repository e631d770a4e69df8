"""Links between the steps of the power chain and those before it."""

from __future__ import annotations

from facility.core.trace import Trace


def step_or_value(trace: Trace, id: str, value: float) -> float | str:
    """Return the id of the step that holds `value`, so that the derivation links to it.

    Where the trace has no such step, or another value under the id, the number itself stands.
    """
    return id if id in trace and trace.value(id) == value else value
