"""Largest conductors accepted by the terminals of overcurrent devices."""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue import table
from facility.core.check import Check, Severity
from facility.power.feeders.nec.tables import area_named, wire_sizes
from facility.power.rules import RULES

_MM2 = 1e-6


def terminal_check(
    subject: str, code: str, device_a: float, sets: int, area_m2: float, *, stated: bool
) -> Check:
    """Return the check of line conductor size vs. the device terminals.

    Conductors enlarged for voltage drop may exceed them: advice, since a splice solves it; a
    warning for specified conductors.

    code: NEC or IEC.
    area_m2: Metal area of one conductor [m2].
    stated: Whether the project specifies the conductors.
    """
    rule = RULES["DEVICE-TERMINAL"]
    if stated:
        rule = replace(rule, severity=Severity.WARNING)
    row = table("electrical/device_terminals").above("rating_max_a", device_a, code=code)
    if row is None:
        return rule.not_evaluated(
            subject, f"lugs of {device_a:,g} A devices are ordered for the conductors"
        )
    rule = rule.by_table(row.cite("size_max"))
    max_sets, size = row.integer("sets"), row.text("size_max")
    largest_m2 = area_named(size) if code == "NEC" else float(size) * _MM2
    largest = f"{size} mm2" if code != "NEC" else wire_sizes()[size].label
    words = f"terminals of {device_a:,g} A accept {max_sets} x {largest} per pole"
    if sets > max_sets:
        return rule.verdict(subject, False, f"{sets} conductors per pole; {words}")
    return rule.at_most(subject, area_m2, largest_m2, "cross_section", words)
