"""Checks of a circuit under IEC 60364: overload, drop, withstand, disconnection, harmonics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from facility.core.check import Check, Rule
from facility.core.rounding import within
from facility.core.sources import Source
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.iec_conductors import (
    largest_loop_impedance,
    loop_fault_current,
    tabulated_drop,
)
from facility.power.feeders.busway import parallel_sets
from facility.power.feeders.drop import Drop
from facility.power.feeders.iec.candidate import (
    MIN_VOLTAGE_FACTOR,
    is_final,
    loop_at_end,
    overload_limit,
    withstand,
)
from facility.power.feeders.iec.tables import cable_row, device_row, tabulated_column
from facility.power.feeders.iec.types import IecCable, IecFrame
from facility.power.feeders.let_through import Protection
from facility.power.feeders.terminals import terminal_check
from facility.power.feeders.types import ConductorChoice, let_through_words
from facility.power.rules import RULES

_ASYMMETRY_S = 0.1
"""Clearing time below which 434.5.2 requires the let-through energy of the device [s]."""
_FINAL_TIMES = ((120.0, 0.8), (230.0, 0.4), (400.0, 0.2))
"""Times of table 41.1 for TN a.c.: up to the nominal voltage to earth [V], [s]."""
_NOMINAL = 1.01
"""400 V and 208 V are 230.9 V and 120.1 V to earth, nominal 230 V and 120 V."""
_BEYOND_TABLE_S = 0.1
_DISTRIBUTION_S = 5.0
_FINAL = "final circuit up to 32 A"
_DISTRIBUTION = "distribution circuit, or final above 32 A"
_KM_M = 1000.0
_MM2 = 1e-6


SHORT_CIRCUIT = "IEC-SHORT-CIRCUIT"
"""Rule of cable short-circuit withstand."""

_ISOLATED = replace(
    RULES["IEC-DISCONNECTION"],
    title="Disconnection of a second earth fault",
    source=Source("iec-60364-4-41", "411.6", verified="memory"),
    remedy="Document first-fault monitoring, and verify the second-fault loop (411.6.4).",
)


def iec_checks(
    frame: IecFrame, cable: IecCable, drop: Drop | None, subject: str
) -> Iterator[Check]:
    """Yield every check of a selected cable; not evaluated where data are not specified."""
    yield RULES["IEC-DESIGN-CURRENT"].at_most(
        subject, frame.demand.load_a, frame.device_a, "current"
    )
    yield RULES["IEC-OVERLOAD"].at_most(
        subject,
        frame.device_a,
        overload_limit(cable, frame),
        "current",
        f"In {frame.device_a:,g} A; Iz {cable.ampacity_a(frame):,.1f} A, operating at "
        f"{frame.multiple:g} In, cable loaded {frame.ratio:.2f} times the line current",
    )
    yield parallel_sets(subject, cable.sets, frame.basis)
    stated = frame.demand.size is not None
    yield terminal_check(subject, "IEC", frame.device_a, cable.sets, cable.area_m2, stated=stated)
    yield _drop(frame, cable, drop, subject)
    rule, fault_a, found = RULES["IEC-SHORT-CIRCUIT"], frame.demand.fault_a, frame.of_fault
    if fault_a is None or found is None:
        yield rule.not_evaluated(subject, "the upstream fault current is not known")
    else:
        yield _withstand(rule, subject, cable.area_m2, cable.sets, fault_a, found, frame.basis)
    if frame.demand.poles == 3 and frame.demand.neutral != "none":
        yield _harmonics(frame, subject)
    recalled = []
    device = device_row(frame.device_a)
    if device is not None and device.is_memory("rated_current_a") and not frame.circuit.fuse:
        recalled.append(f"rating {frame.device_a:,g} A")
    row = cable_row(cable.size_mm2)
    if row is not None and row.is_memory("x_default_ohm_per_km"):
        recalled.append("reactance 0.08 ohm/km")
    if cable.row.is_memory("ampacity_a"):
        recalled.append(f"ampacity of {cable.size_mm2:g} mm2")
    if cable.grouping_recalled:
        recalled.append(f"grouping factor {cable.grouping:g}")
    why = f"unverified: {', '.join(recalled)}" if recalled else "all data read from sources"
    yield RULES["IEC-UNVERIFIED"].verdict(subject, not recalled, why)


def short_circuit_check(
    subject: str,
    choice: ConductorChoice,
    fault_a: float | None,
    found: Protection | None,
    basis: ConductorBasis,
) -> Check:
    """Return the check of fault withstand of the selected cable and its neutral.

    choice: Cables sharing the current evenly.
    fault_a: Maximum fault current at the supply end [A]; None if unknown.
    found: Let-through of the upstream device.
    basis: Metal and insulation.
    """
    rule = RULES["IEC-SHORT-CIRCUIT"]
    if fault_a is None or found is None:
        return rule.not_evaluated(subject, "the upstream fault current is not known")
    return _withstand(rule, subject, choice.area_m2, choice.sets, fault_a, found, basis)


def _withstand(
    rule: Rule,
    subject: str,
    area_m2: float,
    sets: int,
    fault_a: float,
    found: Protection,
    basis: ConductorBasis,
) -> Check:
    """Return the check of one size; not evaluated if it fails only on an upper limit."""
    bears = let_through_words(withstand(area_m2, sets, 1.0, basis) ** 2)
    if found.duration_s is None:
        return rule.not_evaluated(
            subject,
            f"{fault_a / 1e3:.1f} kA upstream; the clearing time of the device is not specified"
            f" (power.faults.clearing_time); the cable withstands {bears}",
        )
    carried_a = withstand(area_m2, sets, found.duration_s, basis)
    lasts = found.words or f"for {found.duration_s * 1e3:.3g} ms"
    why = f"{area_m2 / _MM2:g} mm2, {fault_a / 1e3:.2f} kA symmetrical, {lasts}"
    if not found.known and not within(fault_a, carried_a):
        return rule.not_evaluated(
            subject,
            f"{why}: the let-through energy is not known; it must not exceed k2S2, {bears}"
            " (power.faults.let_through, or backup_device)",
        )
    if not found.known:
        why += f", for {found.duration_s * 1e3:.3g} ms at most"
    elif not found.words and found.duration_s < _ASYMMETRY_S:
        why += (
            "; below 0.1 s the DC offset counts too: the manufacturer's let-through I2t must not"
            f" exceed k2S2, {bears}"
        )
    return rule.at_most(subject, fault_a, carried_a, "current", why)


def service_check(subject: str) -> Check:
    """Return the check of service cables, upstream of the first device on site."""
    return RULES["IEC-SHORT-CIRCUIT"].not_evaluated(subject, "only a utility device is upstream")


def protective_check(
    subject: str,
    choice: ConductorChoice,
    fault_a: float | None,
    found: Protection | None,
    basis: ConductorBasis,
) -> Check:
    """Return the check of earth-fault withstand of the protective conductors.

    choice: Cables whose protective conductors share the current evenly.
    fault_a: Maximum earth-fault current at the supply end [A]; None if unknown.
    found: Let-through of the upstream device.
    basis: Metal and insulation.
    """
    rule = RULES["IEC-PROTECTIVE-CONDUCTOR"]
    if choice.is_busway:
        return rule.not_evaluated(subject, "busway housing: manufacturer's data required")
    if fault_a is None or found is None:
        missing = "the earth-fault current is not known"
        return rule.not_evaluated(subject, f"{choice.egc_size} mm2 by table 54.2; {missing}")
    area_m2 = float(choice.egc_size) * _MM2
    return _withstand(rule, subject, area_m2, choice.sets, fault_a, found, basis)


def loop_impedance_at_end(choice: ConductorChoice, source_ohm: float | None) -> float | None:
    """Return the earth-fault loop impedance at the end of a circuit [ohm]; None if unknown.

    choice: Selected cables.
    source_ohm: Loop impedance at the supply end.
    """
    resistance_ohm, reactance_ohm = choice.group_resistance_ohm, choice.group_reactance_ohm
    if source_ohm is None or choice.is_busway or resistance_ohm is None or reactance_ohm is None:
        return None
    line_ohm = complex(resistance_ohm, reactance_ohm)
    sizes_mm2 = float(choice.size), float(choice.egc_size)
    loop_ohm = loop_at_end(source_ohm, line_ohm, *sizes_mm2, choice.material)
    return loop_ohm if math.isfinite(loop_ohm) else None


def disconnection_check(
    subject: str,
    choice: ConductorChoice,
    v_ln: float,
    loop_ohm: float | None,
    trip: tuple[float | None, float],
    *,
    branch: bool,
    sustained_s: float = 0.0,
) -> Check:
    """Return the check of disconnection time for an earth fault at the end of a circuit.

    If 5 s are permitted and the loop impedance is too high for the stated trip, the long-time trip
    decides, which is not known.

    choice: Its device.
    v_ln: Nominal voltage to earth [V].
    loop_ohm: Earth-fault loop impedance at the end [ohm]; None if unknown.
    trip: Trip current of the device [A], None if unknown, and its delay [s].
    branch: Whether it is a final circuit.
    sustained_s: Duration of inverter fault current that may not trip the device [s].
    """
    rule = RULES["IEC-DISCONNECTION"]
    operating_a, delay_s = trip
    final = is_final("branch" if branch else "", choice.ocpd_a)
    allowed_s = _final_time(v_ln) if final else _DISTRIBUTION_S
    time = f"{allowed_s:g} s ({_FINAL if final else _DISTRIBUTION})"
    missing = []
    if loop_ohm is None:
        missing.append(
            "the earth-fault loop impedance (power.faults.utility_minimum_level; manufacturer's"
            " data of a busway)"
        )
    if operating_a is None:
        missing.append(
            f"the current at which {choice.ocpd_a:,g} A trips (power.faults.trip_multiple up to"
            " molded_case_rating, delayed_trip_multiple and clearing_time above)"
        )
    if loop_ohm is None or operating_a is None:
        return rule.not_evaluated(subject, f"not known for {time}: {' and '.join(missing)}")
    limit_ohm = float(largest_loop_impedance.si(v_ln, MIN_VOLTAGE_FACTOR, operating_a))
    min_a = float(loop_fault_current.si(v_ln, MIN_VOLTAGE_FACTOR, loop_ohm))
    why = (
        f"Zs {loop_ohm:.4f} ohm, limit {limit_ohm:.4f} ohm: {min_a:,.0f} A on the utility or the"
        f" generators, {operating_a:,.0f} A required within {time}"
    )
    if sustained_s > allowed_s:
        return rule.not_evaluated(
            subject,
            f"{why}; inverters supply a smaller current for {sustained_s:g} s"
            " (power.faults.ups_duration), and whether it trips the device is not known",
        )
    if not final and not within(loop_ohm, limit_ohm):
        how = f"after {delay_s:g} s" if delay_s else "at once"
        return rule.not_evaluated(
            subject, f"{why} {how}; whether its long-time trip acts within 5 s is not known"
        )
    if not within(delay_s, allowed_s):
        return rule.verdict(subject, False, f"{why}; it trips after {delay_s:g} s")
    return rule.at_most(subject, loop_ohm, limit_ohm, "resistance", why)


def _final_time(v_ln: float) -> float:
    """Return the maximum disconnection time of a final circuit, by its voltage to earth [s]."""
    times = (time_s for max_v, time_s in _FINAL_TIMES if v_ln <= _NOMINAL * max_v)
    return next(times, _BEYOND_TABLE_S)


def disconnected_upstream(subject: str) -> Check:
    """Return the disconnection check of a circuit from a source: its device is at its end."""
    return RULES["IEC-DISCONNECTION"].not_evaluated(
        subject, "cleared by an unknown device upstream of the source or the transformer"
    )


def isolated_check(subject: str, grounding_a: float) -> Check:
    """Return the disconnection check with a high-resistance-grounded neutral (IT).

    grounding_a: First earth-fault current [A].
    """
    return _ISOLATED.not_evaluated(
        subject,
        f"IT system: a first earth fault of {grounding_a:,g} A is monitored and does not"
        " disconnect; the second-fault loop (411.6.4) is not known",
    )


def _drop(frame: IecFrame, cable: IecCable, drop: Drop | None, subject: str) -> Check:
    rule = RULES["IEC-VOLTAGE-DROP"]
    if drop is None:
        size = f"{frame.basis.material} {cable.size_mm2:g} mm2"
        return rule.not_evaluated(subject, f"no resistance of {size} is included")
    volts = frame.demand.voltage_v
    text = f"{drop.drop_v:.2f} V by R and X, {drop.exact_v:.2f} V exact"
    listed_v = millivolt_drop(frame, cable)
    if listed_v is not None:
        text += f", {listed_v:.2f} V by mV/(A m) at the worst power factor"
    return rule.at_most(subject, drop.drop_v / volts, frame.drop_limit, "fraction", text)


def millivolt_drop(frame: IecFrame, cable: IecCable) -> float | None:
    """Return the voltage drop by the table of millivolts per ampere and metre [V], if listed."""
    loaded = 3 if frame.demand.poles == 3 else 2
    column = tabulated_column(frame.basis.method, frame.basis.insulation, loaded)
    row = cable_row(cable.size_mm2)
    listed = row[column] if row is not None and column else None
    if listed is None or frame.basis.material != "cu":
        return None
    return float(
        tabulated_drop.si(
            float(listed), _KM_M, frame.demand.length_m, frame.demand.load_a, cable.sets
        )
    )


def _harmonics(frame: IecFrame, subject: str) -> Check:
    rule = RULES["IEC-HARMONICS"]
    third = frame.demand.third_harmonic
    if third is not None:
        return rule.verdict(subject, True, f"third harmonic {third:.0%} as specified")
    counted = frame.demand.neutral == "counted"
    taken = "15 to 33 % assumed, factor 0.86" if counted else "up to 15 % assumed, no factor"
    return rule.not_evaluated(subject, f"third harmonic not specified: {taken}")
