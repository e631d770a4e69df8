"""Checks of transformer secondary conductors by NEC 240.21(C)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.core.check import Check, Rule, Severity
from facility.core.kinds import KINDS
from facility.core.sources import Source
from facility.physics.circuits.conductors import tap_ampacity

_FOOT_M = KINDS["length"].units["ft"][0]
_REMEDY = "Use larger conductors, shorten them, or protect them at their beginning."


@dataclass(frozen=True)
class _TapRule:
    clause: str
    feet: float
    ratio: float
    above_load: bool


_SECONDARIES = (
    _TapRule("240.21(C)(2)", 10.0, 0.1, True),
    _TapRule("240.21(C)(6)", 25.0, 1 / 3, False),
)


def secondary_checks(
    subject: str,
    ampacity_a: float,
    load_a: float,
    end_device_a: float,
    primary_ocpd_a: float,
    length_m: float,
    edition: str,
    primary_v: float,
    secondary_v: float,
) -> tuple[Check, ...]:
    """Return the checks of transformer secondary conductors by the 10 ft or the 25 ft rule.

    The primary device does not protect the secondary conductors of a delta-wye transformer, and
    the next standard rating above their ampacity is not allowed.

    Parameters
    ----------
    subject : str
        Tag of the circuit.
    ampacity_a : float
        Ampacity of the secondary conductors [A].
    load_a : float
        Computed load they serve, continuous load with its factor [A].
    end_device_a : float
        Rating of the device they end in [A].
    primary_ocpd_a : float
        Rating of the primary overcurrent device [A].
    length_m : float
        One-way length [m].
    edition : str
        Edition of the NEC.
    primary_v, secondary_v : float
        Line-to-line voltages [V].
    """
    within = (r for r in _SECONDARIES if length_m <= r.feet * _FOOT_M * (1.0 + 1e-9))
    chosen = next(within, _SECONDARIES[-1])
    source = Source("nec-240-21", chosen.clause, edition)
    ratio_a = float(tap_ampacity.si(primary_ocpd_a, chosen.ratio, primary_v, secondary_v))

    def rule(id: str, title: str) -> Rule:
        return Rule(id, f"{title} ({chosen.feet:.0f} ft rule)", Severity.VIOLATION, source, _REMEDY)

    def found() -> Iterator[Check]:
        yield rule("NEC-TAP-LENGTH", "Length of the conductors").compare(
            subject, length_m, "<=", chosen.feet * _FOOT_M, "length"
        )
        yield rule("NEC-TAP-RATIO", "Ampacity against the device ahead").compare(
            subject, ampacity_a, ">=", ratio_a, "current"
        )
        yield rule("NEC-TAP-DEVICE", "Ampacity not below the device at the end").compare(
            subject, ampacity_a, ">=", end_device_a, "current"
        )
        if chosen.above_load:
            yield rule("NEC-TAP-LOAD", "Ampacity for the computed load").compare(
                subject, ampacity_a, ">=", load_a, "current"
            )

    return tuple(found())
