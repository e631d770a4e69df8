"""From the faults section of the project to its basis in SI."""

from __future__ import annotations

from facility.core.sources import RULE, Source
from facility.core.trace import Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.faults import IEEE_1584, FaultSection
from facility.model.power.chain import PowerChain
from facility.model.power.faults import Clearing, FaultBasis, Method, SourceData, VoltageFactors
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

    section: What the user said.
    power: The chain that is studied.
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
        unused=_unused(section, method),
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
        dry_transformer_tolerance=found["dry_transformer_tolerance"],
        transformer_zero=found["transformer_zero_sequence"],
        cable_zero_resistance=found["cable_zero_resistance"],
        cable_zero_reactance=found["cable_zero_reactance"],
        clearing=_clearing(read, found["molded_case_rating"]),
        trip_multiple=read.si("trip_multiple"),
        delayed_trip_multiple=read.si("delayed_trip_multiple"),
        ratings_a={
            kind: given for kind, name in _RATINGS.items() if (given := read.si(name)) is not None
        },
    )


def _unused(section: FaultSection, method: Method) -> tuple[str, ...]:
    """Return the fields stated that the method does not know: IEC 60909 has its factor c."""
    iec = method == "iec-60909"
    names = ("prefault_highest", "prefault_lowest") if iec else ("low_voltage_tolerance",)
    return tuple(name for name in names if getattr(section, name) is not None)


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
