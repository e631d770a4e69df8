"""Checks of protective devices against the fault currents of every source state.

Each device is checked on its own: no series rating is assumed. Selectivity needs trip curves and
is not computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from facility.catalogue.articles import article
from facility.core.check import Check, Outcome, Rule, Severity
from facility.core.rounding import first_largest, first_least, within
from facility.model.facility import Criteria
from facility.physics.faults.currents import interrupting_multiplier
from facility.power.faults.types import FaultCurrents
from facility.power.rules import RULES
from facility.power.substation.interrupting_ratings import (
    StandardRating,
    least_rating,
    making_capacity,
    step_of,
)

_LOW_VOLTAGE_V = 1000.0


@dataclass(frozen=True)
class FaultDevice:
    """A protective device or an assembly with a short-circuit rating."""

    tag: str
    bus: str  # Bus at its line terminals
    # Interrupting rating, SCCR or breaking capacity [A]; None where not stated.
    interrupting_a: float | None = None
    load_bus: str = ""  # Bus at the far end of what it protects; empty where there is none
    # Current at which it trips within the time of disconnection [A]; None where not known.
    trip_a: float | None = None
    # Ratings that it is made for, rising; empty where none is known.
    standard: tuple[StandardRating, ...] = ()
    # The standard rating that the design asks for, where the project states none.
    chosen: StandardRating | None = None
    # Fault current that is assumed where the one of the source is not known [A], and its source.
    assumed_a: float | None = None
    assumed_source: str = ""


class StateCurrents(NamedTuple):
    """Highest and lowest currents of one source state."""

    highest: FaultCurrents
    lowest: FaultCurrents


def with_rating(
    device: FaultDevice, states: Mapping[str, StateCurrents], criteria: Criteria
) -> FaultDevice:
    """Return the device with the least standard rating that bears the fault, where none is stated.

    The offset of the current counts: the first peak at the X/R of the place for the NEC, the
    making capacity for the IEC. Where no standard rating is enough, the largest is kept and fails.
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
    """Return the highest current at a device, as assumed where it is not known [A]."""
    found = float(highest.available_a[highest.index(device.bus)])
    return found if math.isfinite(found) or device.assumed_a is None else device.assumed_a


def short_circuit_duty(
    rating_a: float, available: float, highest: FaultCurrents, row: int, criteria: Criteria
) -> float:
    """Return the current to be compared with a rating at low voltage, its offset counted [A].

    NEC: for the first peak at the X/R of the place; IEC: for the making capacity. As available
    where X/R is not known, and at medium voltage.
    """
    if highest.voltage_v[row] > _LOW_VOLTAGE_V:
        return available
    if criteria.code == "NEC":
        duty = _duty_a(available, float(highest.x_over_r[row]), rating_a)
    else:
        duty = _peak_a(highest, row) * rating_a / making_capacity(rating_a)[0]
    return available if math.isnan(duty) else max(available, duty)


def _worst(device: FaultDevice, states: Mapping[str, StateCurrents]) -> str | None:
    """Return the state of the highest current at the device; None where no state reaches it."""
    with_bus = {n: s for n, s in states.items() if device.bus in s.highest.tags}
    if not with_bus:
        return None
    currents = [_order(_available(device, state.highest)) for state in with_bus.values()]
    return [*with_bus][first_largest(currents)]


def device_checks(
    devices: Sequence[FaultDevice], states: Mapping[str, StateCurrents], criteria: Criteria
) -> list[Check]:
    """Return the checks of all devices: interrupting, X/R, making, lowest current, selectivity.

    devices: What is checked.
    states: Currents by source state: ``"utility"``, ``"generator"``, ``"inverter"``. A device
        counts in the states whose network holds its bus.

    They are in the order of the devices; one of selectivity at the end.
    """
    rules = _rules(criteria)
    found: list[Check] = []
    for device in devices:
        found.extend(_of_device(device, states, criteria, rules))
    found.append(
        rules["FAULT-SELECTIVITY"].not_evaluated(
            "all devices", "selective tripping needs the curves of the devices: not computed"
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
                device.tag, "the tables of test circuits are those of low-voltage breakers"
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
            f"the fault current at {device.bus} is not known: the fault level of the source is"
            " not given (site.fault_level) and no impedance lies before it"
        )
        if device.standard:
            most = device.standard[-1]
            words += f"; the largest standard rating is {most.rating_a / 1e3:g} kA ({most.source})"
        return rule.not_evaluated(device.tag, words)
    found = f"{available / 1e3:,.2f} kA at {device.bus} on the {state}"
    if math.isnan(highest.line_ground_a[row]):
        found += " (three-phase; to ground unknown for want of a zero-sequence impedance)"
    if not math.isfinite(highest.available_a[row]):
        found += f", assumed: {device.assumed_source} (site.fault_level)"
    if device.interrupting_a is not None:
        rated = _rated(device, available, state, float(highest.voltage_v[row]))
        return rule.at_most(
            device.tag, available, device.interrupting_a, "current", f"{found}, {rated}"
        )
    if highest.voltage_v[row] > _LOW_VOLTAGE_V:
        return rule.not_evaluated(device.tag, f"its rating is not stated; {found}")
    step = least_rating(available)
    if step is None:
        return rule.verdict(device.tag, False, f"{found}: above the usual ratings")
    return rule.not_evaluated(
        device.tag,
        f"its rating is not stated; {found} asks for at least {step.rating_a / 1e3:,.0f} kA"
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
            words += (
                "; site.fault_level is above what switchgear of site.utility_voltage is made for"
            )
        return words
    return f"{words}: the next standard rating, chosen ({device.chosen.source})"


def _duty_a(available: float, x_over_r: float, rating_a: float) -> float:
    """Return the current to be compared with a rating, for the first peak at this X/R [A]."""
    return available * float(interrupting_multiplier.si(x_over_r, step_of(rating_a).x_over_r))


def _peak_a(highest: FaultCurrents, row: int) -> float:
    """Return the first peak of the larger of three-phase and line-to-ground current [A]."""
    peak = float(highest.peak_a[row])
    return peak * float(highest.available_a[row] / highest.three_phase_a[row])


def _offset(device: FaultDevice, available: float, x_over_r: float, rule: Rule) -> Check:
    rating = float(device.interrupting_a or 0.0)
    if math.isnan(x_over_r):
        return rule.not_evaluated(device.tag, f"the X/R at {device.bus} is not known")
    test = step_of(rating).x_over_r
    duty = _duty_a(available, x_over_r, rating)
    why = (
        f"X/R {x_over_r:.1f} against {test:.1f} of the test of a molded-case breaker:"
        f" {duty / 1e3:,.2f} kA to be compared with {rating / 1e3:,.0f} kA"
    )
    return rule.at_most(device.tag, duty, rating, "current", why)


def lowest_check(
    devices: Sequence[FaultDevice], states: Mapping[str, StateCurrents], criteria: Criteria
) -> Check:
    """Return the check of the lowest current of the device whose trip it is the least over.

    Not evaluated where it is so of any of them.
    """
    rule = _rules(criteria)["FAULT-LOWEST"]
    found = [_lowest(device, states, rule) for device in devices]
    unknown = [check for check in found if check.outcome is Outcome.NOT_EVALUATED]
    ratios = [(check.value or 0.0) / (check.limit or 1.0) for check in found]
    return unknown[0] if unknown else found[first_least(ratios)]


def _lowest(device: FaultDevice, states: Mapping[str, StateCurrents], rule: Rule) -> Check:
    if device.trip_a is None:
        return rule.not_evaluated(device.tag, "the current of its instantaneous trip is not stated")
    found = [
        (_least(state.lowest, device.load_bus), name)
        for name, state in states.items()
        if device.load_bus in state.lowest.tags
    ]
    unknown = [name for low, name in found if math.isnan(low)]
    if not found or unknown:
        return rule.not_evaluated(
            device.tag,
            f"the lowest fault current at {device.load_bus} is not known on the"
            f" {', '.join(unknown) or 'sources given'}: lowest fault level or zero-sequence"
            " impedance not given",
        )
    low, name = found[first_least([one for one, _ in found])]
    why = (
        f"{low:,.0f} A at {device.load_bus} on the {name}, generators in the sustained state;"
        f" trips at {device.trip_a:,.0f} A"
    )
    return rule.at_least(device.tag, low, device.trip_a, "current", why)


def _least(lowest: FaultCurrents, bus: str) -> float:
    """Return the least of line-to-line, line-to-ground and sustained current, NaN if unknown."""
    row = lowest.index(bus)
    currents = lowest.line_line_a, lowest.line_ground_a, lowest.sustained_a
    return float(np.min([values[row] for values in currents]))
