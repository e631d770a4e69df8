"""Failure cases of the ride-through study, with the states of the power network."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from facility.cooling.hydraulics.headers import flow_without_a_pump
from facility.cooling.plant.makeup import without_makeup
from facility.cooling.ride_through.plant import RidePlant
from facility.cooling.ride_through.schedule import ON_UPS, Part, PowerState, RideCase
from facility.model.facility import Weather
from facility.power.network.build.facility import MECH, MECH_UPS, load_tag
from facility.power.network.graph.types import Outage
from facility.power.network.outages.cases import Case
from facility.power.network.outages.lost import Part as Lost
from facility.power.network.outages.lost import losses, maintenance, utility_outages
from facility.power.network.outages.states import StateSolver
from facility.study.studies import StudyContext

COOLANT_FLOW = "coolant_flow"
_PUMPS: dict[str, tuple[str, Part]] = {
    "P-CHW": ("chw_pump", "chw_pumps"),
    "P-FWS": ("fws_pump", "fws_pumps"),
    "P-CW": ("cw_pump", "rejection"),
    "P-TW": ("tower_pump", "fws_rejection"),
}
"""Pump-failure case of each loop by pump tag, and the part supplied by these pumps.

Chillers stop without flow from the chilled-water or condenser-water pumps.
"""
PUMP_CASES = {tag: id for tag, (id, _) in _PUMPS.items()}
"""Pump-failure case by the tag of the pumps of a loop."""
WITHOUT_STANDBY = {id: f"{id}_only" for id in PUMP_CASES.values()}
"""Case of the same failure without changeover: time until a limit is exceeded."""
WHAT_IF = ("utility_all_on_ups", "utility_none_on_ups", COOLANT_FLOW, *WITHOUT_STANDBY.values())
"""Cases without checks: other settings of ``cooling.on_ups``, all coolant pumps stopped, and
pump failures of water loops without changeover."""
COOLANT_HEADER = "tcs_header"
MAKEUP = "makeup_water"
UTILITY_SET_OUT = "utility_generator"
"""Case of two simultaneous failures: loss of utility with one generator set out of service."""
_TRAIN = ("mv-switchgear", "transformer", "ats", "lv-board", "ups", "ups-output")
_LOST = "power_"
"""Beginning of the ids of lost components of the power train."""
_MAX_POWER_CASES = 12
_DIGITS = 9
"""Shares of a load are sums over many racks: further digits are rounding error."""
_NO_LOAD_W = 1e-9
_BATTERY_DIGITS = 6
"""Microseconds: smaller differences depend on which states were solved together."""


@dataclass(frozen=True, eq=False)
class _Streams:
    """Loads of the network, and their weights in the served shares of a state, by name.

    IT is weighted by its heat to air and to coolant; the cooling of a bus by the heat of its racks
    to either.
    """

    total_w: np.ndarray
    weights: dict[str, np.ndarray]


def transient_cases(design: StudyContext, plant: RidePlant) -> Iterator[RideCase]:
    """Yield the failure cases of a design.

    Loss of utility as designed, with all fans and pumps on the UPS, with none, and with one
    generator set out; one unit of every type and one pump of each water loop; a header section of
    each water loop; and every single loss in the power train down to the UPS outputs that stops
    part of the cooling.
    """
    chain = plant.design.chain
    flags: dict[Part, bool] = {
        "fans": chain.crah.on_ups,
        "cdus": chain.cdu is not None and chain.cdu.on_ups,
        "fws_pumps": chain.chilled_water.pumps_on_ups,
        "chw_pumps": chain.chilled_water.pumps_on_ups,
        "chillers": chain.chilled_water.compressors_on_ups,
    }
    supplied = frozenset(part for part, on in flags.items() if on)
    yield from _utility(design, supplied)
    yield from _units(plant, supplied)
    yield from _pumps(design, plant, supplied)
    yield from _makeup(plant, design.facility.site.design, supplied)


def _units(plant: RidePlant, supplied: frozenset[Part]) -> Iterator[RideCase]:
    """Yield the failure of one unit of every type, and isolated header sections."""
    chilled, banks = plant.design.chilled, plant.banks

    def fails(id: str, unit: str, part: Part) -> RideCase:
        return RideCase(id, f"one {unit} fails", supplied=supplied, lost={part: 1})

    def shut(id: str, water: str, part: Part, unit: Part) -> RideCase:
        loss, title = plant.header(part), f"{water} header section shut off"
        isolated = loss.isolated if loss.left > 0.0 else 0
        doors = min(isolated, plant.door_count) if part == "chw_pumps" else 0
        lost = {unit: isolated} if isolated and not doors else {}
        headers = {part: loss.left}
        return RideCase(id, title, supplied=supplied, lost=lost, headers=headers, doors=doors)

    yield fails("crah", plant.design.chain.crah.path.unit_name, "fans")
    if plant.has_liquid:
        back_s = plant.thermal.restart.pump_changeover_s
        yield replace(fails("cdu_pump", "CDU pump", "cdus"), back_s=back_s)
        yield fails("cdu", "CDU", "cdus")
        stopped: Mapping[Part, int] = {"cdus": banks["cdus"].installed}
        title = "loss of all coolant flow"
        yield RideCase(COOLANT_FLOW, title, supplied=supplied, lost=stopped)
    if plant.has_coolant_header:
        yield _coolant_section(plant, supplied)
    if not plant.direct:
        yield fails("chiller", "chiller", "chillers")
        if banks["rejection"].installed:
            sink = chilled.sink.plan.kind.replace("_", " ")
            yield fails("rejection", f"{sink} of the chillers", "rejection")
        yield shut("chw_header", "chilled-water", "chw_pumps", "fans")
    if banks["fws_rejection"].installed:
        yield fails("fws_rejection", "unit of facility-water rejection", "fws_rejection")
    if plant.has_liquid:
        yield shut("fws_header", "facility-water", "fws_pumps", "cdus")


def _coolant_section(plant: RidePlant, supplied: frozenset[Part]) -> RideCase:
    """Return the case of an isolated coolant-header section.

    Racks on the section stop; the others are simulated with the minimum flow of any rack, at the
    heat of all racks.
    """
    loss, title = plant.header("cdus"), "coolant header section shut off"
    if loss.isolated:
        title += f", {loss.isolated} of {plant.racks} racks isolated"
    none_left = loss.left <= 0.0
    power = PowerState(it_liquid=(0.0, 0.0)) if none_left else PowerState()
    headers: Mapping[Part, float] = {} if none_left else {"cdus": min(loss.min_unit_flow, 1.0)}
    return RideCase(COOLANT_HEADER, title, power, supplied, headers=headers, racks=loss.isolated)


def _pumps(design: StudyContext, plant: RidePlant, supplied: frozenset[Part]) -> Iterator[RideCase]:
    """Yield the failure of one pump of each water loop, with and without changeover.

    Spare pumps run and the remaining pumps speed up at once, or a standby pump starts after its
    delay; the case without changeover has the remaining duty pumps only. Chillers stop without flow
    and restart when it returns. Heat rejection is limited to its share of the flow.
    """
    boards, start_s = design.distribution.plan.boards, plant.thermal.restart.standby_pump_s
    found = {circuit.units.tag: circuit.units for board in boards for circuit, _ in board.units}
    shutoff = plant.design.chain.hydraulics.pump_shutoff

    def fails(id: str, part: Part, running: int, title: str) -> RideCase:
        left = flow_without_a_pump(running, shutoff)
        chillers = left <= 0.0 and part in ("chw_pumps", "rejection")
        stopped: frozenset[Part] = frozenset(("chillers",) if chillers else ())
        return RideCase(id, title, supplied=supplied, pumps={part: left}, stopped=stopped)

    for tag, (id, part) in _PUMPS.items():
        pumps = found.get(tag)
        if pumps is None or not plant.has(part):
            continue
        title = f"one of the {pumps.name} fails"
        if pumps.installed <= pumps.duty:
            yield fails(id, part, pumps.installed, title)
            continue
        running = pumps.installed if start_s is None else pumps.duty
        yield replace(fails(id, part, running, title), standby_s=start_s or 0.0)
        yield fails(WITHOUT_STANDBY[id], part, pumps.duty, f"{title}, no changeover")


def _makeup(plant: RidePlant, weather: Weather, supplied: frozenset[Part]) -> Iterator[RideCase]:
    """Yield the loss of make-up water, from the time the storage is empty.

    Chillers whose dry coolers have dry pads are counted as lost: their capacity at that condenser
    water temperature is not known.
    """
    design, lost = plant.design, dict[Part, int]()
    recirculation_k = design.chain.recirculation_k
    if without_makeup(design.chilled.sink, weather, recirculation_k) is not None:
        lost["rejection"] = plant.banks["rejection"].installed
    if plant.dry is not None and plant.dry.tower:
        lost["fws_rejection"] = plant.banks["fws_rejection"].installed
    dry = plant.dry is not None and not plant.dry.tower
    if not lost and not dry:
        return
    stored_s, title = design.chain.makeup_storage_s, "loss of make-up water"
    if stored_s:
        title = f"{title}, {stored_s / 3600.0:g} h storage empty"
    yield RideCase(MAKEUP, title, supplied=supplied, lost=lost, dry=dry)


def _utility(design: StudyContext, supplied: frozenset[Part]) -> Iterator[RideCase]:
    """Yield the cases caused by the power network."""
    network = design.distribution.plan.network
    solver = design.states.fresh()
    streams, restored_s = _streams(design, solver), cooling_power_back(design)
    outages = list(islice(utility_outages(network), 2))
    for number, (outage, _) in enumerate(outages):
        power = _state(solver, streams, outage, restored_s)
        if number:
            yield RideCase(
                UTILITY_SET_OUT, "loss of utility, one generator set out", power, supplied
            )
            continue
        then = "generators start" if np.isfinite(restored_s) else "no generator set"
        yield RideCase("utility", f"loss of utility, {then}", power, supplied)
        yield RideCase(
            WHAT_IF[0],
            "loss of utility, all fans and pumps on the UPS",
            power,
            supplied | frozenset(ON_UPS),
        )
        yield RideCase(WHAT_IF[1], "loss of utility, no fan or pump on the UPS", power)
    yield from islice(_train(solver, streams, supplied, restored_s), _MAX_POWER_CASES)


def _train(
    solver: StateSolver, streams: _Streams, supplied: frozenset[Part], restored_s: float
) -> Iterator[RideCase]:
    """Yield the single losses of the power train that stop part of the cooling.

    Identical components stop the same loads: the first of each group is representative.
    """
    parts = [p for p in losses(solver.network, down_to_panels=True) if p.kind in _TRAIN]
    groups = solver.grouping.groups(parts)
    stopping: set[str] = set()
    for columns in solver.columns(_loss(group[0]) for group in groups):
        for state in columns.states:
            if state.other_dropped_w > 0.0 or state.interrupted_w > 0.0:
                stopping.add(state.case.component)
    first = {part.name: group[0].name for group in groups for part in group}
    for part in parts:
        if first[part.name] not in stopping:
            continue
        outage = _loss(part).outage
        power = _state(solver, streams, outage, restored_s)
        if power.min_cooling < 1.0:
            id = _LOST + "".join(c if c.isalnum() else "_" for c in part.name.lower())
            yield RideCase(id, outage.id, power, supplied)


def maintained_power(design: StudyContext) -> Iterator[tuple[str, PowerState]]:
    """Yield the maintenance outages of the power train that stop part of the cooling permanently.

    Identical components stop the same loads; generators are started before planned work.
    """
    solver = design.states.fresh()
    streams = _streams(design, solver)
    parts = [p for p in maintenance(solver.network, down_to_panels=True) if p.kind in _TRAIN]
    planned = (_maintenance(group[0]) for group in solver.grouping.groups(parts))
    for columns in solver.columns(planned):
        for state in columns.states:
            if state.other_dropped_w > 0.0:
                outage = state.case.outage
                served = _served(streams, solver.carried(outage).dropped_w)
                pairs = {name: (part, part) for name, part in served.items()}
                power = PowerState(**pairs, restored_s=float("inf"), battery_s=None)
                if power.min_cooling < 1.0:
                    yield outage.id, power


def not_restored(case: RideCase) -> bool:
    """Return whether equipment, or utility and a set, is lost and loads stay without supply."""
    lost = case.id == UTILITY_SET_OUT or case.id.startswith(_LOST)
    return lost and case.power.restored_s == math.inf


def ends_load(case: RideCase) -> bool:
    """Return whether a lost component ends IT load with its battery, all or part of it.

    The failure study has the loss itself; until then the temperatures tell when to shut down.
    """
    power = case.power
    off = min(power.it_air[1], power.it_liquid[1]) < 1.0
    return not_restored(case) and power.exhausted and off


def _loss(part: Lost) -> Case:
    return Case(Outage(f"loss of {part.name}", lost=part.tags), "loss", part.name, part.kind)


def _maintenance(part: Lost) -> Case:
    outage = Outage(f"maintenance of {part.name}", maintained=part.tags)
    return Case(outage, "maintenance", part.name, part.kind)


def cooling_power_back(design: StudyContext) -> float:
    """Return the time to the last generator load step, when all cooling has power [s].

    Infinite without generator sets.
    """
    if not design.chain.generators.count:
        return math.inf
    operation = design.chain.chain.generator.operation
    steps = float(design.results["generator.steps"].si)
    return operation.start_s + (steps - 1.0) * design.facility.thermal.restart.step_s


def _streams(design: StudyContext, solver: StateSolver) -> _Streams:
    wet = {rack.name: rack.coolant_part for rack in design.facility.it.racks}
    chain, loads = design.chain.chain, solver.network.loads
    total_w = np.array([load.kind.total_w for load in loads])
    coolant = np.array([wet.get(load.kind.name, 0.0) for load in loads])
    it_w = total_w * np.array([load.kind.critical for load in loads], dtype=bool)

    def cooling(name: str, parts: tuple[float, ...]) -> np.ndarray:
        of_load = {load_tag(name, bus, len(parts)): part for bus, part in enumerate(parts)}
        return np.array([of_load.get(load.tag, 0.0) for load in loads])

    return _Streams(
        total_w,
        {
            "it_air": it_w * (1.0 - coolant),
            "it_liquid": it_w * coolant,
            "on_ups": cooling(MECH_UPS, chain.bus_air),
            "on_ups_coolant": cooling(MECH_UPS, chain.bus_coolant),
            "on_board": cooling(MECH, chain.bus_air),
            "on_board_coolant": cooling(MECH, chain.bus_coolant),
        },
    )


def _state(solver: StateSolver, streams: _Streams, outage: Outage, restored_s: float) -> PowerState:
    """Return the served loads before and after the generators supply the cooling.

    Loads on a UPS whose input does not return stay on battery until it is empty; nothing is
    restored then. An autonomy of zero means a load outside the discharge table: it is unknown,
    and no load is assumed to stop.
    """
    found = solver.carried(outage)
    after = _served(streams, found.dropped_w)
    before = after if found.before_w is None else _served(streams, found.before_w)
    pairs = {name: (before[name], after[name]) for name in after}
    battery_s = round(found.battery_s, _BATTERY_DIGITS) if found.battery_s else None
    return PowerState(
        **pairs, restored_s=restored_s if found.on_generators else float("inf"), battery_s=battery_s
    )


def _served(streams: _Streams, dropped_w: np.ndarray) -> dict[str, float]:
    """Return the shares of cooling and IT heat served in a state."""
    served = 1.0 - dropped_w / np.maximum(streams.total_w, _NO_LOAD_W)

    def part(weight: np.ndarray) -> float:
        whole = float(weight.sum())
        return round(float((served * weight).sum()) / whole, _DIGITS) if whole > 0.0 else 1.0

    return {name: part(weight) for name, weight in streams.weights.items()}
