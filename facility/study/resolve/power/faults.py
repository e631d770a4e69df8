"""From the faults section of the project to its basis in SI."""

from __future__ import annotations

from typing import NamedTuple

from facility.core.parse import Measured
from facility.core.sources import PROJECT, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.faults import FaultSection
from facility.model.power.chain import PowerChain
from facility.model.power.faults import FaultBasis, Method, SourceData, VoltageFactors
from facility.study.resolve.criteria import given_or_assumed

_MEMORY = Source("planning-value", "recalled, not read", verified="memory")
_RULE = Source("planning-rule", "default of this program", verified="computed")
_IEC = Source("iec-60909-0", "table 1", "2016", "secondary")
_MOTORS = Source("bussmann-quick-fault", "4 times the full-load current of the motor load")
_LEVEL_ID = "faults.utility_minimum_level"


class _Default(NamedTuple):
    value: float
    kind: str
    basis: str
    source: Source


_DEFAULTS = {
    "prefault_highest": _Default(1.0, "ratio", "nominal voltage before the fault", _RULE),
    "prefault_lowest": _Default(
        0.95,
        "ratio",
        "5 % below nominal before the fault, the lower limit of service voltage",
        _RULE,
    ),
    "low_voltage_tolerance": _Default(
        0.06, "fraction", "c 1.05 and 0.95 up to 1000 V: supply kept within 6 %", _IEC
    ),
    "utility_zero_sequence": _Default(
        1.0, "ratio", "Z0 equal to Z1; behind a delta winding it does not matter", _MEMORY
    ),
    "generator_reactance": _Default(
        0.12, "fraction", 'X"d of low-voltage diesel sets lies between 7 and 25 %', _MEMORY
    ),
    "generator_x_over_r": _Default(20.0, "ratio", "typical of alternators of some MVA", _MEMORY),
    "generator_zero_sequence": _Default(
        0.5, "ratio", 'X0 about half of X"d: ground faults above three-phase ones', _MEMORY
    ),
    "generator_sustained": _Default(
        3.0, "ratio", "held by an exciter with a permanent magnet or auxiliary winding", _MEMORY
    ),
    "motor_multiple": _Default(4.0, "ratio", "first-cycle current over the rated one", _MOTORS),
    "motor_x_over_r": _Default(
        1.0 / 0.42, "ratio", "R/X 0.42 of a group of low-voltage motors", _IEC
    ),
    "motor_share": _Default(
        1.0, "fraction", "all mechanical load on motors without drives: an upper bound", _RULE
    ),
    "ups_multiple": _Default(
        2.4,
        "ratio",
        "240 % of the rated current on inverter, of one make",
        Source("vertiv-apm2-manual", "output short-circuit current"),
    ),
    "ups_duration": _Default(
        0.2,
        "time",
        "200 ms on inverter, of one make",
        Source("vertiv-apm2-manual", "output short-circuit current"),
    ),
    "transformer_tolerance": _Default(
        0.075, "fraction", "7.5 % of the nameplate impedance, IEEE C57.12", _MEMORY
    ),
    "dry_transformer_tolerance": _Default(
        0.10, "fraction", "10 % of the nameplate impedance, UL 1561", _MEMORY
    ),
    "transformer_zero_sequence": _Default(
        1.0, "ratio", "Z0 equal to Z1 at a grounded winding beside a delta; 0.85 to 1.0", _MEMORY
    ),
    "cable_zero_resistance": _Default(
        4.0, "ratio", "R0 = R1 + 3 R of a return conductor of the same size", _RULE
    ),
    "cable_zero_reactance": _Default(
        4.0, "ratio", "X0 as R0: a return conductor of the same size", _MEMORY
    ),
}


def resolve_faults(
    section: FaultSection, power: PowerChain, criteria: Criteria, trace: Trace
) -> FaultBasis:
    """Return the short-circuit study: sources, transformers, conductors, method.

    Parameters
    ----------
    section : FaultSection
        What the user said.
    power : PowerChain
        The chain that is studied.
    criteria : Criteria
        The code decides the method: IEC 60909, or per unit.
    trace : Trace
        Takes givens and assumptions; its ``site.*`` steps say what is known of the utility.
    """
    found = {name: _value(section, name, trace) for name in _DEFAULTS}
    return FaultBasis(
        method=_method(section, criteria, trace),
        voltage=VoltageFactors(
            found["prefault_highest"], found["prefault_lowest"], found["low_voltage_tolerance"]
        ),
        sources=SourceData(
            utility_minimum_va=_minimum_level(section, trace),
            utility_x_over_r=_utility_x_over_r(trace),
            utility_zero=found["utility_zero_sequence"],
            generator_reactance=found["generator_reactance"],
            generator_x_over_r=found["generator_x_over_r"],
            generator_zero=found["generator_zero_sequence"],
            generator_sustained=found["generator_sustained"],
            motor_multiple=found["motor_multiple"],
            motor_x_over_r=found["motor_x_over_r"],
            motor_share=found["motor_share"],
            ups_multiple=found["ups_multiple"],
            ups_duration_s=found["ups_duration"],
        ),
        transformer_tolerance=found["transformer_tolerance"],
        dry_transformer_tolerance=found["dry_transformer_tolerance"],
        transformer_zero=found["transformer_zero_sequence"],
        cable_zero_resistance=found["cable_zero_resistance"],
        cable_zero_reactance=found["cable_zero_reactance"],
        clearing_s=None if section.clearing_time is None else section.clearing_time.si,
        trip_multiple=None if section.trip_multiple is None else section.trip_multiple.si,
        ratings_a={
            kind: given.si
            for kind, given in (
                ("mv-switchgear", section.switchgear_rating),
                ("lv-board", section.board_rating),
                ("panel", section.panel_rating),
                ("rack-pdu", section.rack_pdu_rating),
            )
            if given is not None
        },
    )


def _value(section: FaultSection, name: str, trace: Trace) -> float:
    given: Measured | None = getattr(section, name)
    value, kind, basis, source = _DEFAULTS[name]
    return given_or_assumed(trace, f"faults.{name}", given, value, kind, basis, source)


def _method(section: FaultSection, criteria: Criteria, trace: Trace) -> Method:
    if section.method is not None:
        return section.method
    name: Method = "iec-60909" if criteria.code == "IEC" else "per-unit"
    words = f"{criteria.code}: the method its studies are made by"
    trace.ledger.add_text("faults.method", name, words, _RULE)
    return name


def _minimum_level(section: FaultSection, trace: Trace) -> float | None:
    """Return the lowest fault level where it is given, else unknown: the highest says nothing.

    What a utility can give at most is no bound on what it gives at least.
    """
    given = section.utility_minimum_level
    if given is not None:
        return trace.given(_LEVEL_ID, given.si, "apparent_power", PROJECT)
    if "site.fault_level" not in trace:
        words = "not given: highest currents on an infinite bus, an upper bound"
        trace.ledger.add_text("faults.utility_fault_level", "infinite bus", words, _RULE)
    words = "not given: lowest currents on the utility are not evaluated"
    trace.ledger.add_text(_LEVEL_ID, "unknown", words, _RULE)
    return None


def _utility_x_over_r(trace: Trace) -> float:
    if "site.x_over_r" in trace:
        return trace.value("site.x_over_r")
    words = "R/X 0.1 where the utility does not state it"
    return trace.assume("faults.utility_x_over_r", 10.0, "ratio", words, _IEC)
