"""Derivations of page results outside the design: an hour, a state, a panel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facility.core.check import Check
from facility.core.kinds import money_kind
from facility.core.rounding import argmax_within_rounding
from facility.core.sources import Source
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.it import Rack
from facility.physics.circuits import phasor
from facility.physics.facility.metrics import power_usage_effectiveness
from facility.power.network.graph.types import Network
from facility.power.network.outages.by_kind import most_loaded_by_kind
from facility.power.panels.board.currents import PanelLoad, panel_power
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel
from facility.power.panels.moves.pareto import MovePlan
from facility.report.drawings.live.card import CardRow
from facility.report.drawings.live.moments import LiveState
from facility.report.tables.states import worst_first
from facility.report.why.known import Known
from facility.report.why.names import OF_CELL
from facility.study.compare.option import CoolingOption
from facility.study.compare.parts import POWER_PARTS, density_id, part_id
from facility.study.compare.variants import LABELS
from facility.study.compare.ways import CoolingComparison
from facility.study.cooling_hour import CoolingHour
from facility.study.design.rack_positions import RackPosition
from facility.study.failures.study import FailureStudy
from facility.study.transient.result import after_words
from facility.study.transient.study import TransientStudy

_BOARD = Source("project", "panels as placed")
_RACK = Source("project", "it.racks")
_PLATE = Source("derivation", "nameplate as designed")
_PLATED, _OF_LOADING = ("Rating", "Voltage"), ("Rating", "Output", "Current")
_MAX_NAMED = 12


def _known(
    trace: Trace, results: Mapping[str, Value] | None = None, checks: Sequence[Check] = ()
) -> Known:
    return Known({}, results or {}, trace, checks, {}, True)


def of_hour(hour: CoolingHour) -> Known:
    """Return the cooling of an hour, and the load of the facility in it."""
    trace, point = hour.trace.draft(), hour.point
    power = "active_power"
    because = f"design IT load times {100.0 * hour.it_fraction:g} %"
    trace.derive("load.it", point.demand.it_w, power, because)
    parts = [f"losses.{part.id}" for part in point.flow.parts]
    for id, part in zip(parts, point.flow.parts, strict=True):
        trace.derive(id, part.loss_w, power, "power chain losses at the hourly load")
    trace.sum("load.losses", power, "of the power chain", *parts)
    trace.derive("load.house", point.demand.house_w, power, "constant in all hours")
    point.facility(trace=trace)
    if point.demand.it_w > 0.0:
        trace.do(
            "pue.hour",
            power_usage_effectiveness,
            "hourly value, not annual",
            facility_w="load.facility",
            it_w="load.it",
        )
    rejected = [
        f"{of}.outdoors" if f"{of}.outdoors" in trace else f"{of}.rejected"
        for of in ("plant.rejection", "fws.rejection")
    ]
    names = {f"part_{n}": id for n, id in enumerate(rejected) if id in trace}
    because = "heat rejected outdoors by towers, dry coolers or condenser air"
    trace.derive("heat.rejected", point.cooling.rejected_w, "heat_flow", because, **names)
    return _known(trace, checks=point.cooling.checks)


def of_outages(study: FailureStudy) -> Known:
    """Return verdicts and counts of the outages, and the failure that drops the largest load."""
    trace, watts = Trace(), "active_power"
    losses = [state for state in study.states if state.case.kind in ("loss", "utility")]
    worst = worst_first(losses)[0]
    basis = f"power flow in {worst.case.outage.id}"
    trace.derive("load_dropped.dark", worst.dropped_w, watts, f"IT load without power: {basis}")
    because = f"IT load off until generators start: {basis}"
    trace.derive("load_dropped.interrupted", worst.interrupted_w, watts, because)
    dropped = ("load_dropped.dark", "load_dropped.interrupted")
    because = f"worst of {len(losses):,} single-failure states, {len(worst.racks):,} racks"
    trace.sum("load_dropped.loss", watts, because, *dropped)
    points = [point.component for point in study.single_points]
    more = f" and {len(points) - _MAX_NAMED} more types" if len(points) > _MAX_NAMED else ""
    count = sum(len(point.alike) for point in study.single_points)
    because = ", ".join(points[:_MAX_NAMED]) + more if points else "no single failure drops IT load"
    trace.derive("single_points", count, "count", because)
    return _known(trace, study.results, study.checks)


def of_moment(live: LiveState, network: Network) -> Known:
    """Return the most loaded equipment of each type at a time in an outage."""
    trace, flow = Trace(), live.flow
    for kind, one in most_loaded_by_kind(network, live.loading).items():
        row, name = network.index[one.tag], one.tag.replace(".", "-")
        carried = {
            "apparent_power": (float(flow.output_va[row, 0]), "apparent_power"),
            "active_power": (float(flow.output_w[row, 0]), "active_power"),
            "largest_current": (float(flow.current_a[row, :, 0].max()), "current"),
        }
        rated = {
            "rated_apparent_power": (one.rating_va, "apparent_power"),
            "rated_active_power": (one.rating_w, "active_power"),
            "rated_current": (one.rating_a, "current"),
        }
        for part, (value, what) in carried.items():
            trace.derive(f"{name}.{part}", value, what, f"power flow, {live.words}")
        known = {part: (value, what) for part, (value, what) in rated.items() if value is not None}
        for part, (value, what) in known.items():
            trace.given(f"{name}.{part}", value, what, _PLATE, "of one unit")
        units = len(one.unit_tags)
        shared = f", shared by up to {units} units" if units > 1 else ""
        because = (
            f"most loaded {kind}: {one.tag}, {live.words}; maximum over the phases of load / "
            f"rating, for each of its ratings{shared}"
        )
        inputs = {part: f"{name}.{part}" for part in (*carried, *known)}
        trace.derive(
            loading_id(kind), max(0.0, float(live.loading[row])), "fraction", because, **inputs
        )
    return _known(trace)


def of_card(title: str, rows: Sequence[CardRow], words: str) -> tuple[Known, list[str]]:
    """Return the numbers of an equipment card, and the id of each row.

    title: Equipment type with its tag.
    words: The state shown, in words.
    """
    trace, ids, loads = Trace(), list[str](), dict[str, str]()
    for row in rows:
        kind = row.kind.replace("_", " ")
        repeats = row.quantity.lower() == kind
        id = row.id or f"{title}{OF_CELL}{row.quantity}{'' if repeats else f', {kind}'}"
        if row.si is None:
            id = ""
        elif row.quantity in _PLATED and not row.id:
            trace.given(id, row.si, row.kind, _PLATE, row.source)
        elif not row.id:
            trace.derive(id, row.si, row.kind, f"{row.source}: {words}")
        if id in trace and row.quantity in _OF_LOADING:
            loads[f"{row.quantity}_{row.kind}".lower()] = id
        ids.append(id)
    for n, row in enumerate(rows):
        if row.kind == "fraction" and row.si is not None:
            ids[n] = f"{title}{OF_CELL}{row.quantity}"
            because = "maximum over the phases of load / rating, for each of its ratings"
            trace.derive(ids[n], row.si, row.kind, f"{because}: {words}", **loads)
    return _known(trace), ids


def of_state(live: LiveState, network: Network) -> Known:
    """Return dropped load, overloads and the most loaded equipment of each type in a state."""
    found, state, flow = of_moment(live, network), live.state, f"power flow, {live.case.outage.id}"
    trace, racks = found.trace, [tag for tag, _ in state.racks]
    first, more = ", ".join(racks[:_MAX_NAMED]) or "none", len(racks) - _MAX_NAMED
    for name, watts, words in (
        ("load_dropped", state.dropped_w, "IT load without power"),
        ("load_capped", state.capped.load_w, "power-capped IT load"),
        ("load_interrupted", state.interrupted_w, "IT load off until generators start"),
        ("load_unprotected", state.unprotected_w, "IT load on UPS bypass"),
        ("other_dropped", state.other_dropped_w, "cooling and building load without power"),
    ):
        trace.derive(f"state.{name}", watts, "active_power", f"{words}: {flow}")
    because = f"{first}{f' and {more:,} more' if more > 0 else ''}: {flow}"
    trace.derive("state.racks", len(racks), "count", because)
    for name, figure, words in (
        ("overload", next(iter(state.overloads), None), "load / rating"),
        ("highest_loading", state.worst_loading, "most loaded equipment"),
        ("lowest_voltage", state.lowest_voltage, "relative to nominal voltage"),
    ):
        if figure is not None:
            trace.derive(f"state.{name}", figure[1], "fraction", f"{figure[0]}: {words}, {flow}")
    if state.battery_s is not None:
        units = ", ".join(tag for tag, _ in state.riding[:_MAX_NAMED])
        because = f"shortest autonomy of the batteries on load: {units}; {flow}"
        trace.derive("state.battery", state.battery_s, "time", because)
    return found


def loading_id(kind: str) -> str:
    """Return the id of the maximum loading of an equipment type."""
    return f"loading.{kind}"


def of_ride(study: TransientStudy) -> Known:
    """Return the failures over time: number ridden through, and the earliest limit."""
    trace, real = Trace(), study.evaluated
    short = [found for found in real if not found.holds]
    passed_count = len(real) - len(short)
    words = "; ".join(f"{one.case.title}: {one.first_words}" for one in short[:_MAX_NAMED])
    because = f"of {len(real)} failures" + (f"; not: {words}" if short else "")
    trace.derive("ride.held", passed_count, "count", because)
    passed = [(one.first, one.case.title) for one in short if one.first is not None]
    if passed:
        (limit, soonest_s), title = min(passed, key=lambda one: (one[0][1], one[1]))
        because = f"{title}: {limit.title} is exceeded {after_words(soonest_s)}"
        trace.derive("ride.soonest", soonest_s, "time", because)
    for one in study.cases:
        for name, values in one.series.items():
            at_s = float(study.time_s[argmax_within_rounding(values)])
            because = f"{one.case.title}: maximum, {after_words(at_s)}"
            id = f"ride.{one.case.id}.peak.{name}"
            if id in study.results:
                trace.derive(id, float(study.results[id].si), "temperature", because)
    return _known(trace, study.results, study.checks)


def of_comparison(found: CoolingComparison) -> Known:
    """Return the cooling methods: number feasible, crossover, power by density."""
    trace = Trace()
    for curve in found.curves:
        for point in curve.points:
            if point.power_w is not None:
                because = (
                    f"{LABELS[curve.name]}: project heat in compute racks of "
                    f"{point.density_w / 1e3:.4g} kW each, with resized unit counts"
                )
                id = density_id(curve.name, point.density_w)
                trace.derive(id, point.power_w, "active_power", because)
        if curve.ends_w is not None:
            id, because = part_id(curve.name, "densest"), f"{LABELS[curve.name]}: {curve.because}"
            trace.derive(id, curve.ends_w, "active_power", because)
    for option in found.options:
        if option.feasible and option.design is not None:
            _parts_of_way(option, trace)
    feasible = [option.label for option in found.options if option.feasible]
    because = f"of {len(found.options)} cooling methods: {', '.join(feasible) or 'none'}"
    trace.derive("option.feasible", len(feasible), "count", because)
    return _known(trace, found.results, found.checks)


def _parts_of_way(option: CoolingOption, trace: Trace) -> None:
    """Record power and known cost of the parts of a feasible cooling method."""
    assert option.design is not None
    assert option.cost is not None
    power_w = option.design.cooling_flow.power.parts
    for part, names in POWER_PARTS.items():
        terms = {name.replace("_", " "): power_w[name] for name in names}
        because = f"{option.label}, at the design hour"
        trace.add(part_id(option.name, part), "active_power", because, terms)
    for of in option.cost.parts:
        if of.cost is not None and of.source is not None:
            id, money = part_id(option.name, f"cost.{of.part}"), money_kind(option.cost.currency)
            trace.given(id, of.cost, money, of.source, f"{option.label}: {of.units} x {of.why}")


def of_panel(
    panel: Panel,
    load: PanelLoad,
    before: PanelLoad | None = None,
    at: str = "panel",
    limit_a: float | None = None,
) -> Known:
    """Return the currents of a placed panel in one state.

    panel: The panel, its circuits placed.
    load: Its load in the state.
    before: Load of the same state before circuits were moved.
    at: Prefix of the ids.
    limit_a: Permitted line current, if the margin is requested.
    """
    trace = Trace()
    _lines(panel, load, at, trace)
    was = "" if before is None else f"; before the moves {before.current_max_a:,.1f} A"
    lines = {f"line_{phase}": f"{at}.line_{phase}" for phase in PHASES}
    because = f"largest line of {panel.tag}, state {load.state}{was}"
    largest = max(trace.value(id) for id in lines.values())
    trace.derive(f"{at}.largest_line", largest, "current", because, **lines)
    if limit_a is not None:
        trace.given(f"{at}.limit", limit_a, "current", _BOARD, "permitted, continuous")
        margin, because = 1.0 - largest / limit_a, "1 - largest line / permitted current"
        trace.derive(
            f"{at}.margin",
            margin,
            "fraction",
            because,
            largest=f"{at}.largest_line",
            limit=f"{at}.limit",
        )
    of_lines = dict(zip(("a_a", "b_a", "c_a"), lines.values(), strict=True))
    was = "" if before is None else f"before the moves {before.imbalance:.2%}"
    trace.do(f"{at}.imbalance", phasor.imbalance, was, **of_lines)
    because = "magnitude of minus the phasor sum of the lines, fundamental only"
    trace.derive(f"{at}.neutral", load.neutral_a, "current", because, **lines)
    of_schedule = {}
    for name, phase, va in zip(of_lines, PHASES, load.phase_va, strict=True):
        of_schedule[name] = id = f"{at}.schedule_{phase}"
        trace.do(
            id, phasor.schedule_current, "", phase_va=float(va), phase_voltage_v=float(panel.v_ln)
        )
    was = "" if before is None else f"before the moves {before.imbalance_va:.2%}"
    trace.do(f"{at}.imbalance_va", phasor.imbalance, was, **of_schedule)
    return _known(trace)


def _lines(panel: Panel, load: PanelLoad, at: str, trace: Trace) -> None:
    """Record the current of each line from the power on its phase and pairs."""
    power = panel_power(panel)[panel.states.index(load.state)]
    for line, phase in enumerate(PHASES):
        own, leading, lagging = power[line], power[3 + line], power[3 + (line + 2) % 3]
        powers = {
            f"{name}_{unit}": part
            for name, at_line in (("neutral", own), ("leading", leading), ("lagging", lagging))
            for unit, part in (("w", at_line.real), ("var", at_line.imag))
        }
        because, volts = f"state {load.state}", float(panel.v_ll)
        trace.do(f"{at}.line_{phase}", phasor.line_current, because, line_voltage_v=volts, **powers)


def of_plan(plan: MovePlan, state: int, at: str) -> Known:
    """Return a plan of moves, and the panel load after them.

    state: Index of the state of the currents.
    at: Prefix of the id of the number of moves.
    """
    steps = "; ".join(plan.steps[:_MAX_NAMED]) or "existing panel"
    sure = "exhaustive for this number of moves" if plan.exact else "best found"
    found = of_panel(plan.panel, plan.loads[state])
    found.trace.derive(f"{at}.moves", len(plan.moves), "count", f"{steps}; {sure}")
    return found


def of_board(panel: Panel) -> Known:
    """Return poles used and longest circuit of a panel."""
    trace = Trace()
    poles = " + ".join(
        f"{sum(circuit.poles == n for circuit in panel.circuits)} of {n}"
        for n in sorted({circuit.poles for circuit in panel.circuits})
    )
    because = f"circuits of {panel.tag}, including spare breakers, excluding spaces"
    trace.derive("panel.circuits", len(panel.circuits), "count", because)
    because = f"poles of {len(panel.circuits)} circuits of {panel.tag}: {poles or 'none'}"
    trace.derive("panel.poles_used", panel.poles_used, "count", because)
    measured = [circuit for circuit in panel.circuits if circuit.length_m is not None]
    if measured:
        longest = measured[argmax_within_rounding([_length_m(circuit) for circuit in measured])]
        because = f"circuit {longest.id}, from the panel to its rack"
        trace.given("panel.longest_circuit", _length_m(longest), "length", _BOARD, because)
    return _known(trace)


def of_pole(panel: Panel, circuit: Circuit, pole: int, state: int) -> Known:
    """Return the load of a circuit pole in a state, and its trip rating if known."""
    trace, whose = Trace(), f"{circuit.id} of {panel.tag}"
    total_va, because = abs(circuit.total_va(state)), f"{whose}, state {panel.states[state]}"
    trace.given("panel.circuit.va", total_va, "apparent_power", _BOARD, because)
    part = f"share of {whose} on the phase of this pole, divided over {circuit.poles} poles"
    va = float(circuit.pole_va(state)[pole])
    trace.derive("panel.circuit.pole_va", va, "apparent_power", part, whole="panel.circuit.va")
    active_w = circuit.total_va(state).real
    trace.given("panel.circuit.power", active_w, "active_power", _BOARD, because)
    if total_va > 0.0:
        factor, because = abs(active_w) / total_va, "active over apparent power"
        of = {"active": "panel.circuit.power", "apparent": "panel.circuit.va"}
        trace.derive("panel.circuit.power_factor", factor, "ratio", because, **of)
    if circuit.breaker_a is not None:
        trace.given("panel.circuit.trip", circuit.breaker_a, "current", _BOARD, f"of {whose}")
    return _known(trace)


def _length_m(circuit: Circuit) -> float:
    return circuit.length_m or 0.0


def circuit_id(circuit: Circuit) -> str:
    """Return the id of the load of a rack circuit."""
    return f"rack.circuit.{circuit.id}"


def trip_id(circuit: Circuit) -> str:
    """Return the id of the trip rating of a rack circuit."""
    return f"rack.circuit.{circuit.id}.trip"


def of_rack_kind(kind: Rack, name: str) -> Known:
    """Return the input of a rack type as the sum of its devices, and its peak."""
    trace, power = Trace(), "active_power"
    terms = {
        f"{placed.count} x {placed.device.model}": placed.count * placed.input_w
        for placed in kind.placed
    }
    trace.add("rack.input", power, f"devices of {name}", terms)
    trace.given("rack.peak", kind.peak_w, power, _RACK, "short-time peak of its devices")
    return _known(trace)


def of_rack(rack: RackPosition) -> Known:
    """Return the input of a rack as the sum of its devices, and the load of its circuits."""
    found, power = of_rack_kind(rack.kind, rack.name), "active_power"
    trace = found.trace
    for panel, circuit in rack.circuits:
        because = f"on {panel.tag}, all in service: its share of the rack, with its rack PDU"
        trace.derive(circuit_id(circuit), circuit.total_va(0).real, power, because)
        if circuit.breaker_a is not None:
            because = f"breaker of {circuit.id} on {panel.tag}, {circuit.poles} poles"
            trace.given(trip_id(circuit), circuit.breaker_a, "current", _BOARD, because)
    return found
