"""Faults section of the project, resolved to SI."""

from __future__ import annotations

from collections.abc import Mapping

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.rounding import within
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.faults import IEEE_1584, FaultSection
from facility.model.power.faults import (
    Clearing,
    EnergyLimits,
    FaultBasis,
    LetThroughPoint,
    Method,
    SmallDevice,
    SourceData,
    TripBasis,
    VoltageFactors,
)
from facility.study.resolve.reader import Reader

_INFINITE = Source("rocky-mountain-fault-current", "secondary fault current")
_IEC = Source("iec-60909-0", "table 1", "2016", "secondary")
_MOLDED_S, _POWER_S = 0.025, 0.05
_RATINGS = {
    "mv-switchgear": "switchgear_rating",
    "lv-board": "board_rating",
    "panel": "panel_rating",
    "rack-pdu": "rack_pdu_rating",
    "pdu": "pdu_rating",
    "ups-output": "ups_output_rating",
    "ats": "ats_rating",
    "sts": "sts_rating",
    "generator-bus": "generator_bus_rating",
}


def resolve_faults(section: FaultSection, criteria: Criteria, trace: Trace) -> FaultBasis:
    """Return the short-circuit study: sources, transformers, conductors, method.

    criteria: Code, which determines the method: IEC 60909, or per unit.
    trace: Records given and assumed values; its ``site.*`` steps contain the utility data.
    """
    read = Reader(section, "faults", trace)
    found = read.numbers()
    method: Method = read.word(
        "method",
        section.method,
        "iec-60909" if criteria.code == "IEC" else "per-unit",
        f"{criteria.code}: its usual calculation method",
    )
    # IEC 60909 uses its factor c: inputs that the method does not use are reported.
    iec = method == "iec-60909"
    names = ("prefault_highest", "prefault_lowest") if iec else ("low_voltage_tolerance",)
    return FaultBasis(
        method=method,
        unused=tuple(name for name in names if getattr(section, name) is not None),
        voltage=VoltageFactors(
            found["prefault_highest"], found["prefault_lowest"], found["low_voltage_tolerance"]
        ),
        sources=_sources(read, found),
        dry_transformer_tolerance=found["dry_transformer_tolerance"],
        transformer_zero=found["transformer_zero_sequence"],
        cable_zero_resistance=found["cable_zero_resistance"],
        cable_zero_reactance=found["cable_zero_reactance"],
        clearing=_clearing(section, read, found, criteria.code),
        trip_multiple=read.si("trip_multiple"),
        delayed_trip_multiple=read.si("delayed_trip_multiple"),
        ratings_a={
            kind: given for kind, name in _RATINGS.items() if (given := read.si(name)) is not None
        },
        trips=TripBasis(
            found["electronic_trip_above"],
            read.flag("ground_fault_protection"),
            read.word("arc_energy_reduction", section.arc_energy_reduction),
        ),
    )


def _sources(read: Reader, found: Mapping[str, float]) -> SourceData:
    # The maximum fault level of a utility does not bound its minimum.
    if read.si("utility_minimum_level") is None and "site.fault_level" not in read.trace:
        words = (
            "utility fault level not specified (site.fault_level): interrupting ratings downstream"
            " of transformers are selected for an infinite bus, an upper bound; minimum currents"
            " and arc energy do not use it"
        )
        read.trace.ledger.add_text("faults.utility_fault_level", "infinite bus", words, _INFINITE)
    return SourceData(
        utility_minimum_va=read.given("utility_minimum_level"),
        utility_x_over_r=_utility_x_over_r(read.trace),
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
    )


def _clearing(
    section: FaultSection, read: Reader, found: Mapping[str, float], code: str
) -> Clearing:
    """Return the clearing times; above the instantaneous trip of breakers they are assumed."""
    other_s, molded_s = read.si("clearing_time"), read.si("molded_case_time")
    limits = _limits(section, read, found["small_breaking_capacity"], code)
    assumed = molded_s is None and other_s is None
    if molded_s is None:
        words = (
            "1.5 cycles at 60 Hz, molded case with integral trip; at most the clearing time"
            " (clearing_time). Conductors of small devices are checked with the let-through energy"
            " instead (power.faults.small_device)"
        )
        time_s = _MOLDED_S if other_s is None else min(_MOLDED_S, other_s)
        molded_s = read.trace.assume("faults.molded_case_time", time_s, "time", words, IEEE_1584)
    power_s = read.si("power_breaker_time")
    if power_s is None and other_s is None:
        words = (
            "3 cycles at 60 Hz, power or insulated case with integral trip, instantaneous"
            " function in use; clearing below that trip is left to the coordination study"
        )
        id = "faults.power_breaker_time"
        power_s = read.trace.assume(id, _POWER_S, "time", words, IEEE_1584)
    molded_to_a = found["molded_case_rating"]
    return Clearing(other_s, molded_s, molded_to_a, limits, power_s, assumed)


def _limits(section: FaultSection, read: Reader, breaking_a: float, code: str) -> EnergyLimits:
    """Return the energy limits of small devices: by the code, unless a time is specified."""
    usual: SmallDevice = "listed breaker" if code == "NEC" else "type C"
    words = f"{code}: the typical final-circuit device"
    if section.molded_case_time is not None:
        usual, words = "by time", "molded_case_time is specified"
    device: SmallDevice = read.word("small_device", section.small_device, usual, words)
    points = tuple(
        LetThroughPoint(p.rating.si, p.fault_current.si, p.energy.si)
        for p in section.let_through or ()
    )
    backup_a = read.si("backup_rating") or 0.0
    if section.backup_device is not None:
        rows = table("electrical/let_through").select(device=section.backup_device)
        largest_a = max(row.si("rating_max_a") for row in rows)
        if not within(backup_a, largest_a):
            raise FacilityError(
                "OUT_OF_RANGE",
                "power.faults.backup_rating",
                f"{backup_a:,g} A: the let-through energy tables of {section.backup_device} fuses"
                f" end at {largest_a:,g} A.",
                "Select a smaller back-up fuse, or enter power.faults.let_through.",
            )
    return EnergyLimits(device, breaking_a, points, section.backup_device, backup_a)


def _utility_x_over_r(trace: Trace) -> float:
    if "site.x_over_r" in trace:
        return trace.value("site.x_over_r")
    words = "R/X 0.1 if the utility does not state it"
    return trace.assume("faults.utility_x_over_r", 10.0, "ratio", words, _IEC)
