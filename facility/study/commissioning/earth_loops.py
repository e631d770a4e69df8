"""Earth-fault loop impedance tests of the circuits, IEC 60364-6."""

from __future__ import annotations

from collections.abc import Iterator

from facility.core.check import Check
from facility.study.commissioning.expected import ExpectedValues
from facility.study.commissioning.model import ExpectedReading, PlanStep

_RULE = "IEC-DISCONNECTION"


def earth_loop_steps(values: ExpectedValues) -> Iterator[PlanStep]:
    """Yield the loop impedance test of the circuits of a design under IEC; ids follow later."""
    checks = [one for one in values.design.distribution.checks if one.rule == _RULE]
    if checks:
        yield PlanStep(
            "GND",
            2,
            tuple(check.subject for check in checks),
            "Earth-fault loop impedance at the end of each circuit, with the protective conductor "
            "connected",
            "Impedance at most the limit for the disconnection time of the device installed",
            "memory-iec-60364-6",
            tuple(_reading(check) for check in checks),
        )


def _reading(check: Check) -> ExpectedReading:
    """Return the calculated impedance of a circuit with its limit, or the input it depends on."""
    quantity, origin = f"Loop impedance: {check.subject}", f"check {_RULE}, {check.subject}"
    if check.value is None or check.limit is None:
        return ExpectedReading(quantity, origin=origin, missing=check.why)
    low, high = (check.limit, None) if check.sense == ">=" else (None, check.limit)
    sense = "at least" if low is not None else "at most"
    return ExpectedReading(
        quantity, check.value, check.kind, "", origin, f"{sense} the limit", low, high
    )
