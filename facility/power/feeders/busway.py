"""Feeder busway for circuits with more parallel conductors than is practical."""

from __future__ import annotations

from dataclasses import replace

from facility.catalogue import Row, table
from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.rounding import reaches, within
from facility.core.sources import Source
from facility.core.trace import SILENT, Trace
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.conductors import ambient_factor
from facility.power.feeders.drop import drop_along
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.power.rules import RULES

_FOOT_M = KINDS["length"].units["ft"][0]
_RATED_C, _HOT_C, _FACTORS_TO_C = 40.0, 95.0, 70.0
"""Reference ambient with 55 K rise; highest ambient with manufacturers' factors."""
_TABLE_HZ = 60.0
"""Frequency of the reactances in the manufacturer's table."""
_MAX_RUNS = 2
_MIN_A = 800.0
_CYCLES_S = 0.1


def parallel_sets(subject: str, sets: int, basis: ConductorBasis) -> Check:
    """Return the check of parallel conductor sets vs. the practical limit."""
    return RULES["PARALLEL-SETS"].at_most(subject, sets, basis.parallel_sets, "count")


def may_be_busway(demand: CircuitDemand, ocpd_a: float) -> bool:
    """Return whether a busway suits a circuit whose cables are not specified."""
    if demand.size is not None or demand.sets is not None:
        return False
    return demand.poles == 3 and ocpd_a >= _MIN_A and demand.location != "branch"


def choose_busway(
    demand: CircuitDemand,
    basis: ConductorBasis,
    criteria: Criteria,
    ocpd_a: float,
    required_a: float,
    trace: Trace = SILENT,
    id: str = "",
) -> ConductorChoice:
    """Return the smallest busway for its device, voltage drop and known fault current.

    One run, or two in parallel. A busway carries its rating continuously, above 40 degC its rating
    derated for ambient; the upstream device includes the continuous-load factor. The housing is the
    equipment grounding conductor.

    basis: Metal and ambient.
    ocpd_a, required_a: Rating of the overcurrent device, and the minimum for the load [A].
    trace: Records the choice below `id`, with the device recorded there.
    id: Tag of the circuit, for messages, checks and trace.

    Raises ``NO_BUSWAY`` (no feasible solution) if two of the largest are insufficient.
    """
    limit, min_a = demand.drop_allowed(criteria), max(ocpd_a, demand.min_ampacity_a)
    rows = table("electrical/feeder_busway").select(conductor=basis.material)
    rising = sorted(rows, key=lambda row: row.si("rated_a"))
    # Derating for ambient: losses vary with the square of the current
    factor = min(1.0, float(ambient_factor.si(_HOT_C, basis.ambient_c, _RATED_C)))
    for withstand_a in (_fault_in_six_cycles(demand, ocpd_a), 0.0):
        for runs in range(1, _MAX_RUNS + 1):
            for row in rising:
                if not reaches(runs * factor * row.si("rated_a"), min_a):
                    continue
                found = _choice(demand, basis, row, runs, factor, ocpd_a, required_a)
                withstands = reaches(row.si("withstand_a"), withstand_a)
                if withstands and within(found.drop or 0.0, limit):
                    edition, code = criteria.edition, criteria.code
                    device = RULES["BUSWAY-DEVICE"].by(article("busway device", edition, code))
                    rating = RULES["BUSWAY-RATING"].by(article("busway rating", edition, code))
                    words = f"{found.ambient_factor:.3f} x rating after derating"
                    ambient = RULES["BUSWAY-AMBIENT"]
                    checks = (
                        device.at_least(id, found.ocpd_a, found.required_a, "current"),
                        rating.at_most(id, found.ocpd_a, found.ampacity_a, "current"),
                        RULES["BUSWAY-VOLTAGE-DROP"].at_most(
                            id, found.drop or 0.0, limit, "fraction"
                        ),
                        ambient.at_most(id, basis.ambient_c, _FACTORS_TO_C, "temperature", words),
                    )
                    source = Source("eaton-td01701001e", "tables 7 and 8")
                    trace.choose(
                        f"{id}.busway",
                        found.ampacity_a,
                        "current",
                        found.label,
                        source,
                        ocpd=f"{id}.ocpd",
                    )
                    return replace(found, checks=checks, articles=(rating.source.locator,))
    raise FacilityError(
        "NO_BUSWAY",
        id,
        f"{min_a:,.0f} A over {demand.length_m:.0f} m exceeds {_MAX_RUNS} runs of the largest"
        f" busway, {rising[-1].si('rated_a'):,g} A"
        + (f" x {factor:.3f} at {basis.ambient_c:g} degC." if factor < 1.0 else "."),
        "Split the load over more boards, or shorten the run.",
    )


def _fault_in_six_cycles(demand: CircuitDemand, ocpd_a: float) -> float:
    """Return the fault current if its duration is within the short-circuit rating time."""
    clearing_s = demand.clearing.of(ocpd_a)
    if demand.fault_a is None or clearing_s is None or clearing_s > _CYCLES_S:
        return 0.0
    return demand.fault_a


def _choice(
    demand: CircuitDemand,
    basis: ConductorBasis,
    row: Row,
    runs: int,
    factor: float,
    ocpd_a: float,
    required_a: float,
) -> ConductorChoice:
    rated_a = row.si("rated_a")
    ampacity_a = runs * factor * rated_a
    per_metre = 1e-3 / (100.0 * _FOOT_M)
    resistance, reactance = (
        float(row.require(name)) * per_metre * demand.length_m
        for name in ("r_mohm_per_100ft", "x_mohm_per_100ft")
    )
    reactance *= basis.reactance_factor(_TABLE_HZ)
    drop = drop_along(demand, runs, resistance, reactance)
    size = f"{rated_a:g}"
    return ConductorChoice(
        required_a=required_a, ocpd_a=ocpd_a, size=size, size_unit="A busway", sets=runs,
        material="cu" if row.text("conductor") == "cu" else "al", insulation="busway",
        area_m2=0.0, ampacity_term_a=runs * rated_a, ampacity_corrected_a=ampacity_a,
        ampacity_a=ampacity_a, ambient_factor=factor, bundling_factor=1.0, current_carrying=3,
        neutral_size="" if demand.neutral == "none" else size, egc_size="", egc_minimum="",
        raceway="busway", trade_size="", fill=None, resistance_ohm=resistance,
        reactance_ohm=reactance, drop_v=drop.drop_v, drop_exact_v=drop.exact_v,
        voltage_v=demand.voltage_v,
        governed_by="parallel conductors above the practical limit", articles=(),
        checks=(), notes=("housing as equipment grounding conductor; confirm with manufacturer",),
    )  # fmt: skip


def busway_withstand(
    subject: str, choice: ConductorChoice, fault_a: float | None, clearing_s: float | None
) -> Check:
    """Return the check of the short-circuit rating of a busway.

    fault_a: Maximum fault current at the supply end [A]; None if unknown.
    clearing_s: Clearing time of the upstream device [s]; None if not specified.
    """
    rule = RULES["BUSWAY-WITHSTAND"]
    if fault_a is None:
        return rule.not_evaluated(subject, "the upstream fault current is not known")
    if clearing_s is None or clearing_s > _CYCLES_S:
        return rule.not_evaluated(
            subject,
            f"{fault_a / 1e3:.1f} kA upstream; the rating applies for six cycles, and the"
            " clearing time is longer or not specified (power.faults.clearing_time)",
        )
    key = choice.material, float(choice.size)
    withstand_a = table("electrical/feeder_busway").get(key).si("withstand_a")
    return rule.at_most(subject, fault_a, withstand_a, "current")
