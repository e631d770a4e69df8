"""From the power section to what the electrical studies rest on."""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue import table
from facility.core.errors import FacilityError, near_matches
from facility.core.sources import PROJECT, RULE, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.battery import BatterySection
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.inputs.power.dc import DcSection
from facility.model.inputs.power.faults import IEEE_1584, FaultSection
from facility.model.inputs.power.reliability import ReliabilitySection
from facility.model.inputs.power.section import PowerSection
from facility.model.power.chain import PowerChain
from facility.model.power.electrical import FEEDER, NOMINAL_V, DcBasis, Electrical, ReliabilityBasis
from facility.model.power.faults import Clearing, FaultBasis, Method, SourceData, VoltageFactors
from facility.study.resolve.power.battery import resolve_battery
from facility.study.resolve.power.conductors import resolve_conductors
from facility.study.resolve.reader import Reader

_IEC = Source("iec-60909-0", "table 1", "2016", "secondary")
_MOLDED_S = 0.025
_RATINGS = {
    "mv-switchgear": "switchgear_rating",
    "lv-board": "board_rating",
    "panel": "panel_rating",
    "rack-pdu": "rack_pdu_rating",
}


def resolve_faults(
    section: FaultSection, power: PowerChain, criteria: Criteria, trace: Trace
) -> FaultBasis:
    """Return the short-circuit study: sources, transformers, conductors, method.

    criteria: The code decides the method: IEC 60909, or per unit.
    trace: Takes givens and assumptions; its ``site.*`` steps say what is known of the utility.
    """
    read = Reader(section, "faults", trace)
    found = read.numbers()
    method: Method = read.word(
        "method",
        section.method,
        "iec-60909" if criteria.code == "IEC" else "per-unit",
        f"{criteria.code}: the method its studies are made by",
    )
    return FaultBasis(
        method=method,
        voltage=VoltageFactors(
            found["prefault_highest"], found["prefault_lowest"], found["low_voltage_tolerance"]
        ),
        sources=SourceData(
            utility_minimum_va=_minimum_level(read),
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
        clearing=_clearing(read, found["molded_case_rating"]),
        trip_multiple=read.si("trip_multiple"),
        ratings_a={
            kind: given for kind, name in _RATINGS.items() if (given := read.si(name)) is not None
        },
    )


def _clearing(read: Reader, molded_to_a: float) -> Clearing:
    """Return the clearing times; that of molded-case breakers is assumed where another is stated.

    Nothing is assumed where nothing is stated: what a breaker lets through is its maker's.
    """
    other_s, molded_s = read.si("clearing_time"), read.si("molded_case_time")
    if molded_s is None and other_s is not None:
        words = (
            "1.5 cycles of 60 Hz, molded case with integral trip; no slower than clearing_time. Of"
            " a breaker that limits the current give its let-through I2t over the square of the"
            " current: conductors behind it are then smaller"
        )
        molded_s = read.trace.assume(
            "faults.molded_case_time", min(_MOLDED_S, other_s), "time", words, IEEE_1584
        )
    return Clearing(other_s, molded_s, molded_to_a)


def _minimum_level(read: Reader) -> float | None:
    """Return the lowest fault level where it is given, else unknown: the highest says nothing.

    What a utility can give at most is no bound on what it gives at least.
    """
    if read.si("utility_minimum_level") is None and "site.fault_level" not in read.trace:
        words = "not given: highest currents on an infinite bus, an upper bound"
        read.trace.ledger.add_text("faults.utility_fault_level", "infinite bus", words, RULE)
    return read.given("utility_minimum_level")


def _utility_x_over_r(trace: Trace) -> float:
    if "site.x_over_r" in trace:
        return trace.value("site.x_over_r")
    words = "R/X 0.1 where the utility does not state it"
    return trace.assume("faults.utility_x_over_r", 10.0, "ratio", words, _IEC)


_LEAST_PARALLEL_M2 = 53.49e-6


def resolve_dc(section: DcSection, power: PowerChain, criteria: Criteria, trace: Trace) -> DcBasis:
    """Return the basis of the direct-current study; without an architecture there is none.

    Raises ``UNKNOWN_SIZE`` for a conductor size that is not in chapter 9, table 8;
    ``PARALLEL_SIZE`` for conductors in parallel below 1/0 AWG.
    """
    if section.architecture in (None, "none"):
        return DcBasis()
    architecture = section.architecture
    trace.ledger.add_text(
        "power.dc.beside",
        "beside the AC design",
        "the direct-current study reports an option: sizes, losses and heat of the AC design are"
        " not changed by it",
        RULE,
    )
    read = Reader(section, "power.dc", trace)
    return DcBasis(
        architecture=architecture,
        voltage_v=read(
            "voltage",
            NOMINAL_V[architecture],
            f"nominal voltage of the architecture {architecture!r}",
        ),
        load_w=read.si("load"),
        length_m=read.given("length") or 0.0,
        section_m2=read.si("busbar_section"),
        size=_size(section) if architecture == FEEDER else "",
        sets=_sets(section, read) if architecture == FEEDER else 1,
        metal="al" if read.word("material", section.material) == "aluminum" else "cu",
        conductor_c=read("conductor_temperature"),
        voltage_min_v=read.si("voltage_min"),
        voltage_max_v=read.si("voltage_max"),
        converter_efficiency=read.si("converter_efficiency"),
        compared_loss=read("compared_loss"),
    )


def _size(section: DcSection) -> str:
    sizes = dict.fromkeys(row.text("size") for row in table("electrical/nec_ch9_table8").rows)
    size = "".join((section.conductor_size or "").upper().split())
    size = size.removesuffix("AWG").removesuffix("KCMIL")
    if size not in sizes:
        raise FacilityError(
            "UNKNOWN_SIZE",
            "power.dc.conductor_size",
            f"{section.conductor_size!r} is not a size of chapter 9, table 8.",
            near_matches(size, sizes) or f"Known: {', '.join(sizes)}.",
        )
    return size


def _sets(section: DcSection, read: Reader) -> int:
    rows = table("electrical/nec_ch9_table8").select(size=_size(section))
    several = section.sets is not None and section.sets > 1
    if several and rows[-1].si("conductor_area_mm2") < _LEAST_PARALLEL_M2:
        raise FacilityError(
            "PARALLEL_SIZE",
            "power.dc.sets",
            f"{section.conductor_size} conductors may not be run in parallel.",
            "Parallel conductors are 1/0 AWG or larger (310.10(G); 310.10(H) before 2020).",
        )
    return read.count("sets")


_KINDS = {"generator": "generator-plant"}


def resolve_reliability(
    section: ReliabilitySection, power: PowerChain, criteria: Criteria, trace: Trace
) -> ReliabilityBasis:
    """Return failure and repair times by kind of component; nothing is assumed for the others."""
    times = {}
    for name in type(section).model_fields:
        given = getattr(section, name)
        if given is None:
            continue
        for field in ("mtbf", "mttr"):
            value = getattr(given, field).si
            trace.given(f"reliability.{name}.{field}", value, "time", PROJECT)
        kind = _KINDS.get(name, name.replace("_", "-"))
        times[kind] = (given.mtbf.si, given.mttr.si)
    return ReliabilityBasis(times)


def resolve_electrical(
    section: PowerSection,
    power: PowerChain,
    criteria: Criteria,
    frequency_hz: float,
    trace: Trace,
) -> Electrical:
    """Return the bases of all electrical studies; what is left open is assumed."""
    conductors = resolve_conductors(
        section.conductors or ConductorSection(), power, criteria, trace
    )
    return Electrical(
        battery=resolve_battery(section.battery or BatterySection(), power, criteria, trace),
        conductors=replace(conductors, frequency_hz=frequency_hz),
        faults=resolve_faults(section.faults or FaultSection(), power, criteria, trace),
        dc=resolve_dc(section.dc or DcSection(), power, criteria, trace),
        reliability=resolve_reliability(
            section.reliability or ReliabilitySection(), power, criteria, trace
        ),
    )
