"""IEC selection of overcurrent device and cable of a circuit, Ib <= In <= Iz."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from facility.catalogue import Row
from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, Source
from facility.core.trace import SILENT, Trace
from facility.model.facility import Criteria
from facility.model.power.conductors import ConductorBasis
from facility.physics.circuits.currents import required_rating
from facility.physics.circuits.iec_conductors import equivalent_current, third_harmonic_neutral
from facility.power.feeders.busway import choose_busway, may_be_busway
from facility.power.feeders.generator_sets import terminal_note
from facility.power.feeders.iec.candidate import (
    LOOP,
    WITHSTAND,
    protective_for_fault,
    protective_size,
    refusal,
    voltage_drop,
    withstand_factor,
)
from facility.power.feeders.iec.checks import iec_checks
from facility.power.feeders.iec.grouping import arrangement_of, grouping_row, largest_group
from facility.power.feeders.iec.tables import (
    GROUND_METHODS,
    TABLE_HZ,
    ambient_row,
    capacities,
    harmonic,
    soil_row,
)
from facility.power.feeders.iec.types import IecCable, IecCircuit, IecFrame
from facility.power.feeders.types import (
    OCPD_GIVEN,
    CircuitDemand,
    ConductorChoice,
    let_through_words,
    raised_for_fault,
    series_words,
)
from facility.power.panels.board.breakers import next_breaker, standard_breakers

COUNTED_THIRD_HARMONIC = 0.33
"""Default third harmonic of a counted neutral: the factor 0.86."""

_ANNEX_E = Source("iec-60364-5-52-factors", "annex E")
_NO_CIRCUIT = IecCircuit()
_ARTICLES = (
    "IEC 60364-4-43, 433.1",
    "IEC 60364-4-43, 434.5.2",
    "IEC 60364-5-52, annexes B, E and G",
    "IEC 60364-5-54, 543.1",
    "IEC 60364-4-41, 411.4.4",
)


_Selected = tuple[IecCable, str]
"""Cable, and the criterion that governed it."""


def choose_iec(
    demand: CircuitDemand,
    basis: ConductorBasis,
    criteria: Criteria,
    trace: Trace = SILENT,
    id: str = "",
    circuit: IecCircuit = _NO_CIRCUIT,
) -> ConductorChoice:
    """Return device and cable of a circuit under IEC 60364.

    The smallest size of the fewest parallel cables that passes overload, voltage drop and, for a
    known fault current, short-circuit withstand; a busway if `basis.parallel_sets` are not
    sufficient. Circuits that share a route have the arrangement of the basis; each of their
    parallel cables counts.

    demand: Circuit load; device, size and sets if as-built.
    basis: Metal, insulation (PVC or XLPE), method of installation, ambient, group.
    criteria: Continuous factor (1 in the IEC) and limits of voltage drop.
    trace: Records the steps under `id`.
    id: Prefix of the steps, and subject of the checks.
    circuit: Soil and fuse, if specified.

    Raises ``NO_BREAKER`` for a load above the ratings; ``FUSE_RATING`` for a fuse without a
    rating; ``NO_CABLE`` if no candidate passes; ``UNKNOWN_SIZE``; and the errors of the tables.
    """
    required_a = float(
        trace.do(
            f"{id}.required",
            required_rating,
            "Ib: the IEC applies no factor to continuous load",
            continuous_a=trace.link(f"{id}.continuous", demand.continuous_a),
            other_a=demand.other_a,
            continuous_factor=criteria.continuous_factor,
        )
    )
    limit = demand.drop_allowed(criteria)
    factor = float(ambient_row(basis.method, basis.insulation, basis.ambient_c).require("factor"))
    if basis.method in GROUND_METHODS and circuit.soil_k_m_w is not None:
        factor *= float(soil_row(circuit.soil_k_m_w).require("factor"))
    ratio = _harmonic_ratio(demand)
    device_a = _device(demand, circuit, required_a, criteria, trace, id)
    frame = IecFrame(demand, basis, circuit, required_a, device_a, ratio, factor, limit)
    try:
        selected = _selected(frame, id)
    except FacilityError as error:
        if error.code != "NO_CABLE" or not may_be_busway(demand, frame.device_a):
            raise
        devices_a = frame.device_a, frame.required_a
        return choose_busway(demand, basis, criteria, *devices_a, trace, id)
    return _choice(frame, selected, trace, id)


def _device(
    demand: CircuitDemand,
    circuit: IecCircuit,
    required_a: float,
    criteria: Criteria,
    trace: Trace,
    id: str,
) -> float:
    if demand.ocpd_a is not None:
        return trace.given(f"{id}.ocpd", demand.ocpd_a, "current", DERIVED, OCPD_GIVEN)
    if circuit.fuse:
        raise FacilityError(
            "FUSE_RATING",
            id,
            "no table of fuse ratings is included.",
            "Enter the rating of the fuse, or select a circuit-breaker.",
        )
    standard = standard_breakers("IEC", criteria.edition)
    by_load_a = next_breaker(standard, required_a, id)
    return trace.choose(
        f"{id}.ocpd",
        next_breaker(standard, max(by_load_a, demand.min_device[0]), id),
        "current",
        f"next standard rating, Ib <= In{series_words(demand, by_load_a)}",
        DERIVED,
        required=f"{id}.required",
    )


def _harmonic_ratio(demand: CircuitDemand) -> float:
    """Return the ratio of cable selection current to line current, annex E."""
    if demand.poles != 3 or demand.neutral == "none":
        return 1.0
    third = demand.third_harmonic
    if third is None:
        third = COUNTED_THIRD_HARMONIC if demand.neutral == "counted" else 0.0
    factor, by_neutral = harmonic(third)
    current = float(third_harmonic_neutral.si(1.0, third)) if by_neutral else 1.0
    return max(1.0, float(equivalent_current.si(current, factor)))


def _third(demand: CircuitDemand) -> str:
    """Return the third harmonic basis of the factor, as text."""
    if demand.poles != 3 or demand.neutral == "none":
        return "no three-phase neutral"
    if demand.third_harmonic is not None:
        return f"third harmonic {demand.third_harmonic:.0%}, In at most the factor x Iz"
    if demand.neutral == "counted":
        return "neutral counted: third harmonic up to 33 %, In at most the factor x Iz"
    return "neutral not counted: third harmonic up to 15 %"


def _candidates(frame: IecFrame, sets: int, id: str) -> Iterator[IecCable]:
    demand, basis = frame.demand, frame.basis
    loaded = 3 if demand.poles == 3 else 2
    group = _grouping(frame, sets)
    largest_mm2 = _millimetres(basis.largest_size, id)
    for row in capacities(basis.material, basis.insulation, loaded, basis.method):
        if float(row.require("size_mm2")) <= largest_mm2:
            factor, recalled = float(group.require("factor")), group.is_memory("factor")
            yield IecCable(row, sets, factor, recalled)


def _arrangement(frame: IecFrame) -> str:
    return frame.basis.arrangement or arrangement_of(frame.basis.method)


def _grouping(frame: IecFrame, sets: int) -> Row:
    """Return the grouping factor of all circuits on the route, parallel cables included."""
    basis, cables = frame.basis, frame.demand.grouped_circuits * sets
    cables = math.ceil(cables / basis.trays)
    if frame.demand.groups_split:
        cables = min(cables, largest_group(basis.trays))
    return grouping_row(_arrangement(frame), cables, basis.method, basis.trays)


def _millimetres(text: str, where: str) -> float:
    try:
        return float(text.lower().replace("mm2", "").replace("mm²", "").strip())
    except ValueError:
        raise FacilityError(
            "UNKNOWN_SIZE",
            where,
            f"{text!r} is not a conductor size.",
            "Enter an area, e.g. 240 mm2.",
        ) from None


def _selected(frame: IecFrame, id: str) -> _Selected:
    """Return the passing candidate; without disconnection or withstand if none passes these."""
    demand = frame.demand
    tried = [demand]
    if demand.loop_ohm is not None:
        tried.append(replace(demand, loop_ohm=None))
    if demand.fault_known:
        tried.append(replace(demand, loop_ohm=None, fault_a=None))
    for one in tried[:-1]:
        try:
            return _select(replace(frame, demand=one), id)
        except FacilityError as error:
            if error.code != "NO_CABLE":
                raise
    return _select(replace(frame, demand=tried[-1]), id)


def _select(frame: IecFrame, id: str) -> _Selected:
    """Return the first candidate that passes, or the as-built cable.

    The rule that rejected the previous candidate governs.
    """
    demand = frame.demand
    if demand.size is not None:
        return _built(frame, id), "as built"
    refused = ""
    counts = range(1, frame.basis.parallel_sets + 1) if demand.sets is None else (demand.sets,)
    for sets in counts:
        cables = _grouped(frame, sets, id)
        sizes_m2 = tuple(cable.area_m2 for cable in cables)
        for cable in cables:
            found = refusal(cable, frame, sizes_m2)
            if not found:
                return cable, refused or "smallest size in the table"
            refused = found
    raise FacilityError(
        "NO_CABLE",
        id,
        f"no {frame.basis.material} {frame.basis.insulation} cable in method "
        f"{frame.basis.method} is sufficient for {frame.demand.load_a:,.0f} A over "
        f"{frame.demand.length_m:.0f} m protected by a {frame.device_a:,g} A device; the largest"
        f" fails {refused or 'its size limit'}.",
        "Permit larger sizes, shorten the route, or split the circuit.",
    )


def _grouped(frame: IecFrame, sets: int, id: str) -> tuple[IecCable, ...]:
    """Return the candidates; empty if the parallel cables exceed the group limit."""
    try:
        return tuple(_candidates(frame, sets, id))
    except FacilityError as error:
        if error.code != "GROUP_TOO_LARGE" or sets == 1:
            raise
        return ()


def _built(frame: IecFrame, id: str) -> IecCable:
    size_mm2 = _millimetres(frame.demand.size or "", id)
    cables = list(_candidates(frame, frame.demand.sets or 1, id))
    for cable in cables:
        if cable.size_mm2 == size_mm2:
            return cable
    known = ", ".join(f"{cable.size_mm2:g}" for cable in cables)
    raise FacilityError(
        "UNKNOWN_SIZE",
        id,
        f"{size_mm2:g} mm2 has no ampacity in this installation.",
        f"Known: {known} mm2.",
    )


def _ampacity(frame: IecFrame, cable: IecCable, governed_by: str, trace: Trace, id: str) -> float:
    """Return Iz of all selected cables [A]; record it with its factors, and the size."""
    demand, basis = frame.demand, frame.basis
    table_a, table_source = cable.row.si("ampacity_a"), cable.row.cite("ampacity_a")
    why = f"method {basis.method}, one cable"
    trace.given(f"{id}.table_ampacity", table_a, "current", table_source, why)
    ambient = ambient_row(basis.method, basis.insulation, basis.ambient_c).cite("factor")
    why = f"{basis.ambient_c:g} degC, next listed ambient; soil resistivity if specified"
    trace.given(f"{id}.ambient_factor", frame.factor, "ratio", ambient, why)
    grouped = _grouping(frame, cable.sets).cite("factor")
    why = (
        f"{demand.grouped_circuits} circuits of {cable.sets} cable(s) share the route,"
        f" {_arrangement(frame)}, {basis.trays} tray(s) one above another"
    )
    trace.given(f"{id}.grouping_factor", cable.grouping, "ratio", grouped, why)
    trace.given(f"{id}.harmonic_factor", 1.0 / frame.ratio, "ratio", _ANNEX_E, _third(demand))
    iz_a = cable.ampacity_a(frame, trace, id)
    trace.choose(
        f"{id}.size",
        cable.area_m2,
        "cross_section",
        f"{cable.sets} x {cable.size_mm2:g} mm2; governed by: {governed_by}",
        cable.row.cite("size_mm2"),
        ocpd=f"{id}.ocpd",
        ampacity=f"{id}.ampacity",
    )
    return iz_a


def _choice(frame: IecFrame, selected: _Selected, trace: Trace, id: str) -> ConductorChoice:
    demand, basis, (cable, governed_by) = frame.demand, frame.basis, selected
    drop = voltage_drop(cable, frame)
    sizes_m2 = tuple(one.area_m2 for one in _candidates(frame, cable.sets, id))
    table_m2 = protective_size(cable.area_m2, sizes_m2)
    protective_m2 = protective_for_fault(frame, cable, sizes_m2)
    size, iz_a = f"{cable.size_mm2:g}", _ampacity(frame, cable, governed_by, trace, id)
    hz = frame.basis.reactance_hz(TABLE_HZ)
    notes = [f"conductors at the maximum insulation temperature; reactance at {hz:g} Hz"]
    if frame.demand.poles != 3 and cable.row["loaded_conductors"] == 3:
        notes.append("three-loaded-conductor ampacity: the method has no two-conductor table")
    if frame.basis.method in GROUND_METHODS and frame.circuit.soil_k_m_w is None:
        notes.append("soil of 2.5 K m/W, the reference of the table: resistivity not specified")
    if frame.demand.terminals is not None:
        notes.append(terminal_note(frame.demand, "IEC", ""))
    if governed_by == WITHSTAND:
        notes.append(_without_fault(frame, id))
    if governed_by == LOOP:
        notes.append("size increased for disconnection: a more sensitive trip permits less")
    if cable.sets > 1:
        notes.append("parallel cables of equal length and route share the current evenly")
    return ConductorChoice(
        required_a=frame.required_a,
        ocpd_a=frame.device_a,
        size=size,
        size_unit="mm2",
        sets=cable.sets,
        material=basis.material,
        insulation=basis.insulation,
        area_m2=cable.area_m2,
        ampacity_term_a=cable.tabulated_a,
        ampacity_corrected_a=iz_a,
        ampacity_a=iz_a / frame.ratio,
        ambient_factor=frame.factor,
        bundling_factor=cable.grouping,
        current_carrying=demand.grouped_circuits * cable.sets,
        neutral_size="" if demand.neutral == "none" else size,
        egc_size=f"{protective_m2 * 1e6:g}",
        egc_minimum=f"{table_m2 * 1e6:g}",
        raceway=f"method {basis.method}",
        trade_size="",
        fill=None,
        resistance_ohm=None if drop is None else drop.resistance_ohm,
        reactance_ohm=None if drop is None else drop.reactance_ohm,
        drop_v=None if drop is None else drop.drop_v,
        drop_exact_v=None if drop is None else drop.exact_v,
        voltage_v=demand.voltage_v,
        governed_by=governed_by,
        articles=_ARTICLES,
        checks=tuple(iec_checks(frame, cable, drop, id)),
        notes=tuple(notes),
        harmonic_factor=1.0 / frame.ratio,
    )


def _without_fault(frame: IecFrame, id: str) -> str:
    """Return the note of the size without the fault, and its permitted let-through energy."""
    bare = replace(frame, demand=replace(frame.demand, fault_a=None))
    cable, _ = _select(bare, id)
    k = withstand_factor(frame.basis)
    borne = let_through_words((k * cable.sets * cable.size_mm2) ** 2)
    return raised_for_fault(f"{cable.sets} x {cable.size_mm2:g} mm2", borne)
