"""Selection of medium-voltage cables: relay pickup, ampacity, voltage drop, withstand."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.catalogue.articles import article
from facility.core.check import Check
from facility.core.errors import FacilityError
from facility.core.rounding import reaches, within
from facility.core.sources import Source
from facility.core.trace import SILENT, Trace
from facility.model.facility import Criteria
from facility.model.inputs.power.mv_cables import PICKUP
from facility.model.power.conductors import ConductorBasis
from facility.model.power.mv_cables import MvCableBasis
from facility.physics.circuits.conductors import (
    adiabatic_current,
    ambient_factor,
    corrected_ampacity,
)
from facility.physics.circuits.currents import required_rating
from facility.power.feeders.drop import Drop, drop_along
from facility.power.feeders.iec.tables import adiabatic_k
from facility.power.feeders.mv.tables import (
    MvCable,
    cables,
    insulation_class,
    outside_words,
    reference_c,
    together,
)
from facility.power.feeders.nec.candidate import withstand as nec_withstand
from facility.power.feeders.nec.grounding import table_egc
from facility.power.feeders.nec.tables import wire_size
from facility.power.feeders.types import CircuitDemand, ConductorChoice
from facility.power.rules import RULES

_STEP_A = 5.0
_MAX_PICKUP = 6.0
_MIN_GROUNDING = {"cu": "6", "al": "4"}
_WAYS = {
    "NEC": {"duct": "underground duct", "air": "conduit in air"},
    "IEC": {"buried": "direct buried", "duct": "underground duct", "air": "in air"},
}
_GROUPING = Source("iec-60502-2-grouping", "tables B.19 and B.21")
WITHSTAND = "short-circuit withstand"
"""Governing criterion of a size above the requirements of ampacity and drop."""


@dataclass(frozen=True)
class _Frame:
    """Fixed data before cable selection."""

    demand: CircuitDemand
    basis: ConductorBasis
    mv: MvCableBasis
    criteria: Criteria
    insulation: str
    required_a: float  # Load with the continuous-load factor [A]
    pickup_a: float
    carried_a: float  # Minimum ampacity [A]
    ambient: float  # Factor for the ambient temperature of the cables


@dataclass(frozen=True)
class _Candidate:
    cable: MvCable
    sets: int
    ampacity_a: float
    drop: Drop
    withstand_a: float


def choose_mv(
    demand: CircuitDemand,
    basis: ConductorBasis,
    criteria: Criteria,
    trace: Trace = SILENT,
    id: str = "",
) -> ConductorChoice:
    """Return relay pickup and cables of a medium-voltage circuit.

    The smallest size of the fewest parallel sets that carries the pickup and passes voltage drop
    and, if the fault current is known, short-circuit withstand. `ConductorChoice.ocpd_a` is
    the pickup of the phase overcurrent relay. With a specified pickup under the NEC the cables
    carry only the load: a pickup of six times their ampacity is permitted, 245.27(A).

    demand: Circuit load; `grouped_circuits` leave the same board.
    basis: Frequency, and the medium-voltage cables.
    criteria: Code, factor on continuous load and limit of voltage drop.
    trace: Records the steps under `id`.
    id: Prefix of the steps, and subject of the checks.

    Raises ``MV_VOLTAGE`` outside the voltages of the tables, ``NO_CABLE`` if no candidate passes.
    """
    mv = basis.mv
    assert mv is not None
    insulation = insulation_class(demand.voltage_v, criteria.code, mv.conductor_c)
    if insulation is None:
        why = outside_words(demand.voltage_v, criteria.code)
        raise FacilityError(
            "MV_VOLTAGE", id, why, "Request the ampacity from the cable manufacturer."
        )
    factor = 1.0 if demand.listed_100 else criteria.continuous_factor
    required_a = float(
        trace.do(
            f"{id}.required",
            required_rating,
            "minimum pickup of the relay",
            continuous_a=trace.link(f"{id}.continuous", demand.continuous_a),
            other_a=demand.other_a,
            continuous_factor=factor,
        )
    )
    minimum_a = max(required_a, mv.pickup * demand.load_a)
    pickup_a = trace.choose(
        f"{id}.ocpd",
        _STEP_A * math.ceil(round(minimum_a / _STEP_A, 9)),
        "current",
        f"pickup of the phase overcurrent relay, {mv.pickup:g} x load",
        PICKUP,
        required=f"{id}.required",
    )
    ambient = ambient_factor.si(
        mv.conductor_c, mv.ambient_c, reference_c(criteria.code, mv.installation)
    )
    by_load = criteria.code == "NEC" and mv.pickup_stated
    carried_a = required_a if by_load else pickup_a
    frame = _Frame(
        demand, basis, mv, criteria, insulation, required_a, pickup_a, carried_a, float(ambient)
    )
    try:
        found, governed_by = _select(frame, id)
    except FacilityError as error:
        if error.code != "NO_CABLE" or demand.fault_a is None:
            raise
        found, governed_by = _select(replace(frame, demand=replace(demand, fault_a=None)), id)
    return _choice(frame, found, governed_by, trace, id)


def _circuits(frame: _Frame, sets: int) -> int:
    """Return the number of circuits in one duct bank or trench, parallel sets counted."""
    stated = frame.mv.grouped_circuits
    circuits = (frame.demand.grouped_circuits if stated is None else stated) * sets
    return together(circuits, frame.mv, frame.criteria.code)


def _candidates(frame: _Frame, sets: int) -> Iterator[_Candidate]:
    demand, mv, basis = frame.demand, frame.mv, frame.basis
    circuits = _circuits(frame, sets)
    for cable in cables(basis, mv, frame.criteria, demand.voltage_v, circuits):
        ampacity_a = corrected_ampacity.si(
            cable.tabulated_a, sets, frame.ambient, cable.grouping * mv.correction
        )
        ohms = cable.resistance_ohm_m * demand.length_m, cable.reactance_ohm_m * demand.length_m
        drop = drop_along(demand, sets, *ohms)
        withstand_a = sets * mv_withstand_current(cable.area_m2, frame.insulation, mv)
        yield _Candidate(cable, sets, float(ampacity_a), drop, withstand_a)


def mv_withstand_current(area_m2: float, insulation: str, mv: MvCableBasis) -> float:
    """Return the fault current that one conductor withstands over the clearing time [A].

    ICEA P-32-382 under the NEC, otherwise IEC 60949 without heat loss: from the ampacity
    temperature to 250 degC.
    """
    if insulation.startswith("MV-"):
        return nec_withstand(area_m2, mv.clearing_s, mv.material, insulation, mv.conductor_c)
    k = adiabatic_k(mv.material, "XLPE")
    return float(adiabatic_current.si(area_m2, mv.clearing_s, k))


def _refusal(frame: _Frame, found: _Candidate) -> str:
    """Return the criterion that a candidate fails; empty if it passes."""
    demand = frame.demand
    if not reaches(found.ampacity_a, frame.carried_a):
        return "ampacity"
    if not within(found.drop.drop_v, demand.drop_allowed(frame.criteria) * demand.voltage_v):
        return "voltage drop"
    if demand.fault_a is not None and not reaches(found.withstand_a, demand.fault_a):
        return WITHSTAND
    return ""


def _select(frame: _Frame, id: str) -> tuple[_Candidate, str]:
    """Return the first candidate that passes, and the criterion that rejected the previous one."""
    refused = ""
    for sets in range(1, frame.mv.parallel_sets + 1):
        for found in _candidates(frame, sets):
            why = _refusal(frame, found)
            if not why:
                return found, refused or "smallest size in the table"
            refused = why
    refused = refused or "the minimum size at this voltage"
    raise FacilityError(
        "NO_CABLE",
        id,
        f"no {frame.mv.material} {frame.insulation} cable up to {frame.mv.parallel_sets} x"
        f" {frame.mv.largest_size} carries {frame.carried_a:,.0f} A over"
        f" {frame.demand.length_m:,.0f} m; the largest fails {refused}.",
        "Permit larger or more parallel cables (power.mv_cables.largest_size, parallel_sets), or"
        " use a higher site.utility_voltage.",
    )


def _choice(
    frame: _Frame, found: _Candidate, governed_by: str, trace: Trace, id: str
) -> ConductorChoice:
    demand, mv, cable, code = frame.demand, frame.mv, found.cable, frame.criteria.code
    bundling = cable.grouping * mv.correction
    _record(frame, found, governed_by, trace, id)
    egc = _grounding(frame, found)
    number = _circuits(frame, found.sets)
    together = f"{number} circuits" if number > 1 else "one circuit"
    soil = "Rho 90" if frame.criteria.code == "NEC" else "soil 1.5 K m/W, 0.8 m deep"
    where = (
        f"air {mv.ambient_c:g} degC, circuits spaced apart"
        if mv.installation == "air"
        else f"earth {mv.ambient_c:g} degC, {soil}, {together} in a bank or trench"
    )
    return ConductorChoice(
        required_a=frame.required_a,
        ocpd_a=frame.pickup_a,
        size=cable.size,
        size_unit=cable.unit,
        sets=found.sets,
        material=mv.material,
        insulation=frame.insulation,
        area_m2=cable.area_m2,
        ampacity_term_a=found.ampacity_a,
        ampacity_corrected_a=found.ampacity_a,
        ampacity_a=found.ampacity_a,
        ambient_factor=frame.ambient,
        bundling_factor=bundling,
        current_carrying=3,
        neutral_size="",
        egc_size=egc,
        egc_minimum=egc,
        raceway=_WAYS[code][mv.installation],
        trade_size="",
        fill=None,
        resistance_ohm=found.drop.resistance_ohm,
        reactance_ohm=found.drop.reactance_ohm,
        drop_v=found.drop.drop_v,
        drop_exact_v=found.drop.exact_v,
        voltage_v=demand.voltage_v,
        governed_by=governed_by,
        articles=_articles(cable, frame.criteria),
        checks=tuple(_checks(frame, found, id)),
        notes=(
            f"device: pickup of the phase overcurrent relay; {where}",
            "resistance at 90 degC; withstand of the metallic shield not evaluated",
        ),
    )


def _grounding(frame: _Frame, found: _Candidate) -> str:
    """Return the equipment grounding conductor of each raceway (NEC), or the screen (IEC).

    By Table 250.122 for the pickup, at least 6 AWG copper or 4 AWG aluminum, 250.190(C), and at
    most the line conductor.
    """
    if frame.criteria.code != "NEC":
        return ""
    table = table_egc(frame.pickup_a, frame.mv.material, frame.criteria.edition)
    minimum = max(table, wire_size(_MIN_GROUNDING[frame.mv.material]), key=lambda size: size.rank)
    return min(minimum, wire_size(found.cable.size), key=lambda size: size.rank).name


def _record(frame: _Frame, found: _Candidate, governed_by: str, trace: Trace, id: str) -> None:
    """Record ampacity, factors and size, with the step names of the other circuits."""
    mv, cable, code = frame.mv, found.cable, frame.criteria.code
    nec, circuits = code == "NEC", _circuits(frame, found.sets)
    grouping, size, ampacity = (
        ("bundling_factor", "conductor", "ampacity_corrected")
        if nec
        else ("grouping_factor", "size", "ampacity")
    )
    words = f"{frame.insulation}, {_WAYS[code][mv.installation]}"
    words += f", column of {circuits} circuits" if nec else ""
    trace.given(f"{id}.table_ampacity", cable.tabulated_a, "current", cable.source, words)
    trace.do(
        f"{id}.ambient_factor", ambient_factor, f"{mv.ambient_c:g} degC around the cables",
        conductor_c=mv.conductor_c, ambient_c=mv.ambient_c,
        base_c=reference_c(code, mv.installation),
    )  # fmt: skip
    source = cable.source if nec else _GROUPING
    words = f"{circuits} circuits together; power.mv_cables.correction {mv.correction:g}"
    trace.given(f"{id}.{grouping}", cable.grouping * mv.correction, "ratio", source, words)
    trace.do(
        f"{id}.{ampacity}", corrected_ampacity, "all sets together",
        table_a=trace.link(f"{id}.table_ampacity", cable.tabulated_a), sets=found.sets,
        ambient=trace.link(f"{id}.ambient_factor", frame.ambient),
        bundling=trace.link(f"{id}.{grouping}", cable.grouping * mv.correction),
    )  # fmt: skip
    words = (
        f"{found.sets} x {cable.size} {cable.unit} {mv.material}, {frame.insulation};"
        f" governed by: {governed_by}"
    )
    area_m2, refs = (
        found.sets * cable.area_m2,
        {"ocpd": f"{id}.ocpd", "ampacity": f"{id}.{ampacity}"},
    )
    trace.choose(f"{id}.{size}", area_m2, "cross_section", words, cable.source, **refs)


def _articles(cable: MvCable, criteria: Criteria) -> tuple[str, ...]:
    if criteria.code != "NEC":
        return ("IEC 60502-2, annex B", "IEC 60949")
    subjects = ("mv feeder", "mv pickup", "mv grounding", "mv minimum size", "mv terminations")
    found = [article(subject, criteria.edition).locator for subject in subjects]
    return (cable.source.locator, *found, "ICEA P-32-382")


def _checks(frame: _Frame, found: _Candidate, id: str) -> Iterator[Check]:
    """Yield ampacity and pickup checks; the withstand check requires the fault currents."""
    label = f"{found.sets} x {found.cable.size} {found.cable.unit}, {frame.insulation}"
    load = f"load {frame.demand.load_a:,.0f} A"
    need = "relay pickup" if frame.carried_a == frame.pickup_a else "load with its factor"
    yield (
        RULES["MV-CABLE"]
        .by(found.cable.source)
        .at_least(id, found.ampacity_a, frame.carried_a, "current", f"{label}; {need}, {load}")
    )
    if frame.criteria.code == "NEC":
        yield RULES["MV-PICKUP"].by(article("mv pickup", frame.criteria.edition)).at_most(
            id, frame.pickup_a, _MAX_PICKUP * found.ampacity_a, "current",
            f"{_MAX_PICKUP:.0%} of the ampacity of {label}; {load}",
        )  # fmt: skip
