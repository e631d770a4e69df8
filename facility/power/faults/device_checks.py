"""Checks of protective devices vs. the fault currents of every source state.

Each device is checked individually: no series rating is assumed. Selective coordination requires
trip curves and is not calculated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from facility.catalogue.articles import article
from facility.core.check import Check, Outcome, Rule, Severity
from facility.core.rounding import argmax_within_rounding, argmin_within_rounding, within
from facility.model.facility import Criteria
from facility.physics.faults.currents import interrupting_multiplier
from facility.power.faults.types import FaultCurrents
from facility.power.rules import RULES
from facility.power.substation.interrupting_ratings import (
    StandardRating,
    lowest_rating,
    making_capacity,
    step_of,
)

_LOW_VOLTAGE_V = 1000.0


@dataclass(frozen=True)
class FaultDevice:
    """Protective device or assembly with a short-circuit rating."""

    tag: str
    bus: str  # Bus at its line terminals
    # Interrupting rating, SCCR or breaking capacity [A]; None if not specified.
    interrupting_a: float | None = None
    load_bus: str = ""  # Bus at the load end of the protected circuit; empty if none
    # Current that trips it within the disconnection time [A]; None if unknown.
    trip_a: float | None = None
    # Available ratings, rising; empty if unknown.
    standard: tuple[StandardRating, ...] = ()
    # Standard rating required by the design, if the project specifies none.
    chosen: StandardRating | None = None
    # Assumed fault current if the source current is unknown [A], and its source.
    assumed_a: float | None = None
    assumed_source: str = ""


class StateCurrents(NamedTuple):
    """Maximum and minimum currents of one source state."""

    highest: FaultCurrents
    lowest: FaultCurrents


def with_rating(
    device: FaultDevice, states: Mapping[str, StateCurrents], criteria: Criteria
) -> FaultDevice:
    """Return the device with the lowest sufficient standard rating, unless one is specified.

    The DC offset is included: for the NEC the first peak at the X/R of the location, for the IEC
    the making capacity. If no standard rating is sufficient, the largest is used and fails.
    """
    worst = _worst(device, states)
    if device.interrupting_a is not None or not device.standard or worst is None:
        return device
    highest, row = states[worst].highest, states[worst].highest.index(device.bus)
    available = _available(device, highest)
    if not math.isfinite(available):
        return device
    chosen = next(
        (
            one
            for one in device.standard
            if within(
                short_circuit_duty(one.rating_a, available, highest, row, criteria), one.rating_a
            )
        ),
        device.standard[-1],
    )
    return replace(device, interrupting_a=chosen.rating_a, chosen=chosen)


def _available(device: FaultDevice, highest: FaultCurrents) -> float:
    """Return the maximum current at a device, or the assumed value if unknown [A]."""
    found = float(highest.available_a[highest.index(device.bus)])
    return found if math.isfinite(found) or device.assumed_a is None else device.assumed_a


def short_circuit_duty(
    rating_a: float, available: float, highest: FaultCurrents, row: int, criteria: Criteria
) -> float:
    """Return the fault current for comparison with an LV rating, DC offset included [A].

    NEC: first peak at the X/R of the location; IEC: making capacity. Available current if X/R is
    unknown, and at medium voltage.
    """
    if highest.voltage_v[row] > _LOW_VOLTAGE_V:
        return available
    if criteria.code == "NEC":
        duty = _duty_a(available, float(highest.x_over_r[row]), rating_a)
    else:
        duty = _peak_a(highest, row) * rating_a / making_capacity(rating_a)[0]
    return available if math.isnan(duty) else max(available, duty)


def _worst(device: FaultDevice, states: Mapping[str, StateCurrents]) -> str | None:
    """Return the state of the maximum current at the device; None if no state reaches it."""
    with_bus = {n: s for n, s in states.items() if device.bus in s.highest.tags}
    if not with_bus:
        return None
    currents = [_order(_available(device, state.highest)) for state in with_bus.values()]
    return [*with_bus][argmax_within_rounding(currents)]


def device_checks(
    devices: Sequence[FaultDevice], states: Mapping[str, StateCurrents], criteria: Criteria
) -> list[Check]:
    """Return the checks of all devices: interrupting, X/R, making, minimum current, selectivity.

    devices: Devices to check.
    states: Currents by source state: ``"utility"``, ``"generator"``, ``"inverter"``. A device is
        checked in the states whose network includes its bus.

    Checks are in the order of the devices; one for selective coordination at the end.
    """
    rules = _rules(criteria)
    found: list[Check] = []
    for device in devices:
        found.extend(_of_device(device, states, criteria, rules))
    found.append(
        rules["FAULT-SELECTIVITY"].not_evaluated(
            "all devices", "selective coordination requires the device curves: not calculated"
        )
    )
    return found


def _rules(criteria: Criteria) -> dict[str, Rule]:
    rating = article("interrupting rating", criteria.edition, criteria.code)
    trip = article("clearing of faults", criteria.edition, criteria.code)
    lowest = RULES["FAULT-LOWEST"].by(trip)
    if criteria.code == "NEC":
        lowest = replace(lowest, severity=Severity.WARNING)
    return {
        **RULES,
        "FAULT-INTERRUPTING": RULES["FAULT-INTERRUPTING"].by(rating),
        "FAULT-LOWEST": lowest,
        "FAULT-SELECTIVITY": RULES["FAULT-SELECTIVITY"].by(trip),
    }


def _of_device(
    device: FaultDevice,
    states: Mapping[str, StateCurrents],
    criteria: Criteria,
    rules: Mapping[str, Rule],
) -> Iterator[Check]:
    worst = _worst(device, states)
    if worst is None:
        yield rules["FAULT-INTERRUPTING"].not_evaluated(
            device.tag, f"no source state reaches {device.bus!r}"
        )
        return
    highest = states[worst].highest
    row = highest.index(device.bus)
    available = float(highest.available_a[row])
    yield _interrupting(device, worst, highest, row, rules["FAULT-INTERRUPTING"])
    if device.interrupting_a is not None and math.isfinite(available):
        name = "FAULT-X-OVER-R" if criteria.code == "NEC" else "FAULT-MAKING"
        if highest.voltage_v[row] > _LOW_VOLTAGE_V:
            yield rules[name].not_evaluated(
                device.tag, "the test-circuit tables apply to low-voltage breakers"
            )
        elif criteria.code == "NEC":
            yield _offset(device, available, float(highest.x_over_r[row]), rules[name])
        else:
            making, _ = making_capacity(float(device.interrupting_a or 0.0))
            peak = _peak_a(highest, row)
            why = f"peak {peak / 1e3:,.1f} kA, making capacity at least {making / 1e3:,.1f} kA"
            yield rules[name].at_most(
                device.tag, peak, making, "current", "" if math.isnan(peak) else why
            )
    if device.load_bus:
        yield _lowest(device, states, rules["FAULT-LOWEST"])


def _order(current: float) -> float:
    return math.inf if math.isnan(current) else current


def _interrupting(
    device: FaultDevice, state: str, highest: FaultCurrents, row: int, rule: Rule
) -> Check:
    available = _available(device, highest)
    if not math.isfinite(available):
        words = (
            f"the fault current at {device.bus} is not known: the source fault level is not"
            " specified (site.fault_level), and there is no upstream impedance"
        )
        if device.standard:
            maximum = device.standard[-1]
            words += (
                f"; the largest standard rating is {maximum.rating_a / 1e3:g} kA ({maximum.source})"
            )
        return rule.not_evaluated(device.tag, words)
    found = f"{available / 1e3:,.2f} kA at {device.bus} on the {state}"
    if math.isnan(highest.line_ground_a[row]):
        found += " (three-phase; line-to-ground unknown: zero-sequence impedance missing)"
    if not math.isfinite(highest.available_a[row]):
        found += f", assumed: {device.assumed_source} (site.fault_level)"
    if device.interrupting_a is not None:
        rated = _rated(device, available, state, float(highest.voltage_v[row]))
        return rule.at_most(
            device.tag, available, device.interrupting_a, "current", f"{found}, {rated}"
        )
    if highest.voltage_v[row] > _LOW_VOLTAGE_V:
        return rule.not_evaluated(device.tag, f"its rating is not specified; {found}")
    step = lowest_rating(available)
    if step is None:
        return rule.verdict(device.tag, False, f"{found}: above the standard ratings")
    return rule.not_evaluated(
        device.tag,
        f"its rating is not specified; {found} requires at least {step.rating_a / 1e3:,.0f} kA"
        f" ({step.source})",
    )


def _rated(device: FaultDevice, available: float, state: str, voltage_v: float) -> str:
    rating_a = float(device.interrupting_a or 0.0)
    words = f"rated {rating_a / 1e3:,.0f} kA"
    if device.chosen is None:
        return f"{words} as stated; no series rating is assumed"
    if available > rating_a:
        words += f": the largest standard rating ({device.chosen.source})"
        if state == "utility" and voltage_v > _LOW_VOLTAGE_V:
            words += "; site.fault_level exceeds the switchgear ratings for site.utility_voltage"
        return words
    return f"{words}: the next standard rating, selected ({device.chosen.source})"


def _duty_a(available: float, x_over_r: float, rating_a: float) -> float:
    """Return the current for comparison with a rating, for the first peak at this X/R [A]."""
    return available * float(interrupting_multiplier.si(x_over_r, step_of(rating_a).x_over_r))


def _peak_a(highest: FaultCurrents, row: int) -> float:
    """Return the first peak of the larger of three-phase and line-to-ground currents [A]."""
    peak = float(highest.peak_a[row])
    return peak * float(highest.available_a[row] / highest.three_phase_a[row])


def _offset(device: FaultDevice, available: float, x_over_r: float, rule: Rule) -> Check:
    rating = float(device.interrupting_a or 0.0)
    if math.isnan(x_over_r):
        return rule.not_evaluated(device.tag, f"the X/R at {device.bus} is not known")
    test = step_of(rating).x_over_r
    duty = _duty_a(available, x_over_r, rating)
    why = (
        f"X/R {x_over_r:.1f}, molded-case breaker test {test:.1f}:"
        f" adjusted {duty / 1e3:,.2f} kA vs. {rating / 1e3:,.0f} kA"
    )
    return rule.at_most(device.tag, duty, rating, "current", why)


def lowest_check(
    devices: Sequence[FaultDevice], states: Mapping[str, StateCurrents], criteria: Criteria
) -> Check:
    """Return the minimum-current check of the device with the smallest margin to its trip.

    Not evaluated if any device is not evaluated.
    """
    rule = _rules(criteria)["FAULT-LOWEST"]
    found = [_lowest(device, states, rule) for device in devices]
    unknown = [check for check in found if check.outcome is Outcome.NOT_EVALUATED]
    ratios = [(check.value or 0.0) / (check.limit or 1.0) for check in found]
    return unknown[0] if unknown else found[argmin_within_rounding(ratios)]


def _lowest(device: FaultDevice, states: Mapping[str, StateCurrents], rule: Rule) -> Check:
    if device.trip_a is None:
        return rule.not_evaluated(device.tag, "the instantaneous trip setting is not specified")
    found = [
        (_minimum(state.lowest, device.load_bus), name)
        for name, state in states.items()
        if device.load_bus in state.lowest.tags
    ]
    unknown = [name for low, name in found if math.isnan(low)]
    if not found or unknown:
        return rule.not_evaluated(
            device.tag,
            f"the minimum fault current at {device.load_bus} is not known on the"
            f" {', '.join(unknown) or 'stated sources'}: minimum fault level or zero-sequence"
            " impedance not specified",
        )
    low, name = found[argmin_within_rounding([one for one, _ in found])]
    why = (
        f"{low:,.0f} A at {device.load_bus} on the {name}, generators in the sustained state;"
        f" trips at {device.trip_a:,.0f} A"
    )
    return rule.at_least(device.tag, low, device.trip_a, "current", why)


def _minimum(lowest: FaultCurrents, bus: str) -> float:
    """Return the minimum of line-to-line, line-to-ground and sustained currents; NaN if unknown."""
    row = lowest.index(bus)
    currents = lowest.line_line_a, lowest.line_ground_a, lowest.sustained_a
    return float(np.min([values[row] for values in currents]))
