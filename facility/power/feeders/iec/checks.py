"""Checks of a circuit by IEC 60364: overload, drop, withstand, disconnection, harmonics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import adiabatic_current
from facility.physics.circuits.iec_conductors import (
    largest_loop_impedance,
    loop_fault_current,
    tabulated_drop,
)
from facility.power.feeders.busway import busway_withstand, parallel_sets
from facility.power.feeders.iec.candidate import (
    Drop,
    clearing_time,
    conductor_resistance,
    overload_limit,
    withstand,
    withstand_factor,
)
from facility.power.feeders.iec.tables import cable_row, device_row, tabulated_column
from facility.power.feeders.iec.types import IecCable, IecFrame
from facility.power.feeders.types import ConductorChoice

_LEAST_VOLTAGE_FACTOR = 0.95
_LARGEST_VOLTAGE_FACTOR = 1.05
_ASYMMETRY_S = 0.1
"""Clearing time below which 434.5.2 asks for the let-through energy of the device [s]."""
_FINAL_CIRCUIT_A = 32.0
_KM_M = 1000.0

_OVERLOAD_SOURCE = Source("iec-60364-4-43-overload", "433.1", verified="secondary")
_SHORT = Source("iec-60364-4-43", "434.5.2")
_ANNEX_E = Source("iec-60364-5-52-factors", "annex E", "2009")
_ANNEX_G = Source("iec-60364-5-52-annex-g", "annex G", "2009", "secondary")
_PROTECTIVE_SOURCE = Source("iec-60364-5-54", "543.1", verified="secondary")
_DISCONNECTION_SOURCE = Source("iec-60364-4-41", "411.3.2, 411.4.4", verified="secondary")
_LARGER = "Choose a larger cable, or more of them in parallel."

_LOAD = Rule(
    "IEC-DESIGN-CURRENT",
    "Design current within the device, Ib <= In",
    Severity.VIOLATION,
    _OVERLOAD_SOURCE,
    "Choose a larger device.",
)
_OVERLOAD = Rule(
    "IEC-OVERLOAD",
    "Device within the cable, In <= Iz and I2 <= 1.45 Iz",
    Severity.VIOLATION,
    _OVERLOAD_SOURCE,
    _LARGER,
)
_DROP = Rule("IEC-VOLTAGE-DROP", "Voltage drop of the circuit", Severity.WARNING, _ANNEX_G, _LARGER)
SHORT_CIRCUIT = "IEC-SHORT-CIRCUIT"
"""Rule of the withstand of cables."""

_WITHSTAND = Rule(
    SHORT_CIRCUIT,
    "Cable withstands the fault, k2S2 >= I2t",
    Severity.VIOLATION,
    _SHORT,
    "Choose a larger cable, or a device that clears faster.",
)
_PROTECTIVE = Rule(
    "IEC-PROTECTIVE-CONDUCTOR",
    "Protective conductor withstands the earth fault",
    Severity.VIOLATION,
    _PROTECTIVE_SOURCE,
    "Choose a larger protective conductor.",
)
DISCONNECTION = "IEC-DISCONNECTION"
"""Rule of the disconnection of earth faults."""

_DISCONNECTION = Rule(
    DISCONNECTION,
    "Earth-fault loop disconnects in time, Zs Ia <= 0.95 U0",
    Severity.VIOLATION,
    _DISCONNECTION_SOURCE,
    "Choose a larger cable, a more sensitive trip, or residual-current protection.",
)
_ISOLATED = replace(
    _DISCONNECTION,
    title="Second earth fault disconnects in time",
    source=Source("iec-60364-4-41", "411.6", verified="memory"),
    remedy="Show the monitoring of the first fault, and prove the loop of a second one, 411.6.4.",
)
_HARMONICS = Rule(
    "IEC-HARMONICS",
    "Third harmonic of the neutral is known",
    Severity.ADVICE,
    _ANNEX_E,
    "State the third harmonic of the load.",
)
_MEMORY = Rule(
    "IEC-UNVERIFIED",
    "Figures of the choice are read from a source",
    Severity.ADVICE,
    Source("iec-60947-2-ranges", "single steps recalled", verified="memory"),
    "Confirm the rating with the maker of the device, and the reactance with that of the cable.",
)


def iec_checks(
    frame: IecFrame, cable: IecCable, protective_m2: float, drop: Drop | None, subject: str
) -> Iterator[Check]:
    """Yield every check of a chosen cable; what nobody stated leaves its rule not evaluated."""
    yield _LOAD.compare(subject, frame.demand.load_a, "<=", frame.device_a, "current")
    yield _OVERLOAD.compare(
        subject,
        frame.device_a,
        "<=",
        overload_limit(cable, frame),
        "current",
        f"In {frame.device_a:g} A; Iz {cable.ampacity_a(frame):.1f} A, operating at "
        f"{frame.multiple:g} In, cable loaded {frame.ratio:.2f} times the line current",
    )
    yield parallel_sets(subject, cable.sets, frame.basis)
    yield _drop(frame, cable, drop, subject)
    yield _withstand(frame, cable, subject)
    protective_ohm = conductor_resistance(protective_m2 * 1e6, frame)
    loop_ohm = _loop(frame, cable, drop, protective_ohm)
    yield _protective(frame, cable, protective_m2, subject)
    yield _disconnection(frame, loop_ohm, subject)
    if frame.demand.poles == 3 and frame.demand.neutral != "none":
        yield _harmonics(frame, subject)
    yield _memory(frame, cable, subject)


def short_circuit_check(
    subject: str,
    choice: ConductorChoice,
    fault_a: float | None,
    clearing_s: float | None,
    basis: ConductorBasis,
) -> Check:
    """Return the check that the chosen cable withstands the fault current at its beginning.

    subject: Tag of the circuit.
    choice: Its cables, which share the current evenly.
    fault_a: Highest fault current at the beginning [A]; None where not known.
    clearing_s: Clearing time of the device ahead [s]; None where not stated.
    basis: Metal and insulation.
    """
    if choice.is_busway:
        return busway_withstand(subject, choice, fault_a, clearing_s)
    if fault_a is None:
        return _WITHSTAND.not_evaluated(subject, "the fault current ahead of it is not known")
    if clearing_s is None:
        return _WITHSTAND.not_evaluated(
            subject,
            f"{fault_a / 1e3:.1f} kA ahead of it; how fast its device clears is not"
            " stated (power.faults.clearing_time)",
        )
    one_a = adiabatic_current.si(choice.area_m2, clearing_s, withstand_factor(basis))
    carried_a = choice.sets * float(one_a)
    return _withstand_check(subject, fault_a, carried_a, clearing_s)


def _withstand_check(subject: str, fault_a: float, carried_a: float, clearing_s: float) -> Check:
    why = f"{fault_a / 1e3:.2f} kA symmetrical for {clearing_s * 1e3:.0f} ms"
    if clearing_s < _ASYMMETRY_S:
        why += "; under 0.1 s the offset counts too: hold k2S2 against the maker's let-through I2t"
    return _WITHSTAND.compare(subject, fault_a, "<=", carried_a, "current", why)


def service_check(subject: str) -> Check:
    """Return the check of the cables of a service, ahead of the first device of the site."""
    return _WITHSTAND.not_evaluated(subject, "only a device of the utility stands ahead of it")


def isolated_check(subject: str, grounding_a: float) -> Check:
    """Return the check of disconnection where a high resistance grounds the neutral (IT).

    grounding_a: Current of the first earth fault [A].
    """
    return _ISOLATED.not_evaluated(
        subject,
        f"IT: a first earth fault of {grounding_a:g} A is monitored and does not disconnect; the"
        " loop of a second one, 411.6.4, is not known",
    )


def _drop(frame: IecFrame, cable: IecCable, drop: Drop | None, subject: str) -> Check:
    if drop is None:
        size = f"{frame.basis.material} {cable.size_mm2:g} mm2"
        return _DROP.not_evaluated(subject, f"no resistance of {size} is carried")
    volts = frame.demand.voltage_v
    text = f"{drop.drop_v:.2f} V by R and X, {drop.exact_v:.2f} V exact"
    listed_v = millivolt_drop(frame, cable)
    if listed_v is not None:
        text += f", {listed_v:.2f} V by mV/(A m) at the worst power factor"
    return _DROP.compare(subject, drop.drop_v / volts, "<=", frame.drop_limit, "fraction", text)


def millivolt_drop(frame: IecFrame, cable: IecCable) -> float | None:
    """Return the drop by the table of millivolts per ampere and metre [V]; None without one."""
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


def _withstand(frame: IecFrame, cable: IecCable, subject: str) -> Check:
    carried_a, fault_a = withstand(cable, frame), frame.fault_a
    clearing_s = clearing_time(frame)
    if carried_a is None or fault_a is None or clearing_s is None:
        return _WITHSTAND.not_evaluated(
            subject, "the fault current or the time in which it is cleared is not known"
        )
    return _withstand_check(subject, fault_a, carried_a, clearing_s)


def _loop(
    frame: IecFrame, cable: IecCable, drop: Drop | None, protective_ohm: float | None
) -> float | None:
    """Return the earth-fault loop Zs [ohm], magnitudes added: never below the true one.

    The reactance of the cable counts twice, for line and protective conductor.
    """
    source_ohm = frame.circuit.source_loop_ohm
    if source_ohm is None or drop is None or protective_ohm is None:
        return None
    resistance = (drop.resistance_ohm + protective_ohm) / cable.sets
    reactance = 2.0 * drop.reactance_ohm / cable.sets
    return source_ohm + float((resistance**2 + reactance**2) ** 0.5)


def _protective(frame: IecFrame, cable: IecCable, protective_m2: float, subject: str) -> Check:
    """Judge the earth fault at the origin of the circuit, where it is largest."""
    circuit = frame.circuit
    fault_a = circuit.fault_a
    if circuit.source_loop_ohm is not None:
        fault_a = float(
            loop_fault_current.si(
                frame.demand.v_ln, _LARGEST_VOLTAGE_FACTOR, circuit.source_loop_ohm
            )
        )
    if circuit.clearing_s is None or fault_a is None:
        return _PROTECTIVE.not_evaluated(
            subject,
            f"{protective_m2 * 1e6:g} mm2 by table 54.2; earth-fault current or clearing time is "
            "not known",
        )
    k = withstand_factor(frame.basis)
    carried_a = cable.sets * float(adiabatic_current.si(protective_m2, circuit.clearing_s, k))
    return _PROTECTIVE.compare(subject, fault_a, "<=", carried_a, "current")


def _disconnection(frame: IecFrame, loop_ohm: float | None, subject: str) -> Check:
    operating_a = frame.circuit.operating_a
    is_final = frame.demand.location == "branch" and frame.device_a <= _FINAL_CIRCUIT_A
    time = "0.4 s (final circuit up to 32 A)" if is_final else "5 s (distribution circuit)"
    if loop_ohm is None or operating_a is None:
        return _DISCONNECTION.not_evaluated(
            subject,
            f"the loop ahead of the circuit or the current that trips within {time} is not known",
        )
    limit_ohm = float(
        largest_loop_impedance.si(frame.demand.v_ln, _LEAST_VOLTAGE_FACTOR, operating_a)
    )
    return _DISCONNECTION.compare(
        subject,
        loop_ohm,
        "<=",
        limit_ohm,
        "resistance",
        f"Zs {loop_ohm:.4f} ohm of {limit_ohm:.4f} ohm for {operating_a:g} A within {time}",
    )


def _harmonics(frame: IecFrame, subject: str) -> Check:
    third = frame.circuit.third_harmonic
    if third is not None:
        return _HARMONICS.verdict(subject, True, f"third harmonic {third:.0%} as stated")
    counted = frame.demand.neutral == "counted"
    taken = "15 to 33 % is taken, factor 0.86" if counted else "up to 15 % is taken, no factor"
    return _HARMONICS.not_evaluated(subject, f"no third harmonic is stated: {taken}")


def _memory(frame: IecFrame, cable: IecCable, subject: str) -> Check:
    recalled = []
    device = device_row(frame.device_a)
    if device is not None and device.is_memory("rated_current_a") and not frame.circuit.fuse:
        recalled.append(f"rating {frame.device_a:g} A")
    row = cable_row(cable.size_mm2)
    if row is not None and row.is_memory("x_default_ohm_per_km"):
        recalled.append("reactance 0.08 ohm/km")
    if cable.row.is_memory("ampacity_a"):
        recalled.append(f"ampacity of {cable.size_mm2:g} mm2")
    if cable.grouping_recalled:
        recalled.append(f"grouping factor {cable.grouping:g}")
    why = f"recalled, not read: {', '.join(recalled)}" if recalled else "all figures were read"
    return _MEMORY.verdict(subject, not recalled, why)
