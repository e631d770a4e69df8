"""The distribution of a design: its network with conductors, fault currents, code rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.facility import Facility
from facility.physics.circuits import three_phase_current
from facility.physics.ups import recharge_power
from facility.power.chain_types import ChainDesign
from facility.power.faults.arc_flash import ArcFlashInput, arc_flash_inputs
from facility.power.faults.device_checks import FaultDevice, device_checks
from facility.power.faults.of_network import NetworkFaults, network_faults
from facility.power.feeders.code_rules import nec_rules
from facility.power.feeders.schedule import FeederSet, Recharge, size_feeders, sizing_outages
from facility.power.network.build import build_network
from facility.power.network.plan import NetworkPlan
from facility.power.network.solve import Flow, compile_network, solve
from facility.power.network.types import Equipment, Outage
from facility.power.panels import PanelSet
from facility.study.loop import OperatingPoint

_TABLE_9_C = 75.0
_LOAD_VOLTAGE = Rule(
    "VOLTAGE-DROP-TOTAL", "Voltage drop from the UPS output to the farthest rack",
    Severity.WARNING, Source("criteria", "voltage drop, total"),
    "Enlarge the conductors of feeder or branch, or shorten them.",
)  # fmt: skip
_CONDUCTOR_LOSS = Rule(
    "CONDUCTOR-LOSS", "Loss of the conductors chosen against the loss the design reckons with",
    Severity.WARNING, Source("power chain", "wiring losses"),
    "Give power.distribution.branch_loss, feeder_loss and board_loss.",
)  # fmt: skip
_INVERTER_TIME = Rule(
    "FAULT-INVERTER-TIME", "a fault on the inverters is cleared before they shut down",
    Severity.WARNING, Source("UPS maker", "short-circuit current and its duration"),
    "Take faster devices, or let the static bypass clear the fault.",
)  # fmt: skip
_RATED = ("lv-board", "ats", "sts", "mv-switchgear")
_STUDIED = ("lv-board", "ups-output", "sts", "pdu", "panel", "rack-pdu")


@dataclass(frozen=True, eq=False)
class Distribution:
    """Everything between the utility and the cords.

    Attributes
    ----------
    plan : NetworkPlan
        The network, with the conductors chosen.
    feeders : FeederSet
        Every circuit with its conductors.
    normal : Flow
        The network with all in service.
    faults : NetworkFaults
        Fault currents on the utility, the generators and the inverters.
    arc_flash : tuple[ArcFlashInput, ...]
        What an arc-flash study asks for.
    checks : tuple[Check, ...]
        The checks.
    results : dict[str, Value]
        Results by dotted key.
    """

    plan: NetworkPlan
    feeders: FeederSet
    normal: Flow
    faults: NetworkFaults
    arc_flash: tuple[ArcFlashInput, ...]
    checks: tuple[Check, ...]
    results: dict[str, Value]


@dataclass(frozen=True, eq=False)
class Sizing:
    """What the distribution is built from.

    Attributes
    ----------
    facility : Facility
        The facility.
    chain, panels : ChainDesign, PanelSet
        Units and panelboards.
    point : OperatingPoint
        Loads at the design hour.
    ups_input_a : float
        Input current of one UPS system at low line with recharge [A].
    trace : Trace
        Takes the derivations.
    """

    facility: Facility
    chain: ChainDesign
    panels: PanelSet
    point: OperatingPoint
    ups_input_a: float
    trace: Trace


def distribute(sizing: Sizing) -> Distribution:
    """Return network, conductors and fault currents of a sized facility.

    Raises
    ------
    FacilityError
        Where no conductor or device fits (exit code 4), or a network makes no sense; each names
        the circuit or the component.
    """
    facility, criteria = sizing.facility, sizing.facility.criteria
    bases = facility.electrical
    plan, feeders = _wired(sizing)
    normal = solve(compile_network(plan.network), (Outage("normal"),))
    by_tag = {feeder.circuit.tag: feeder for feeder in feeders.feeders}
    from_c = _TABLE_9_C if criteria.code == "NEC" else bases.conductors.insulation_c
    faults = network_faults(plan, by_tag, sizing.chain, facility.site, bases.faults, from_c)
    highest = _highest(plan, faults)
    rules: tuple[Check, ...] = ()
    if criteria.code == "NEC":
        rules = nec_rules(
            feeders.feeders, sizing.panels, highest, bases.faults.clearing_s, bases.conductors,
            criteria,
        )  # fmt: skip
    devices = _devices(plan, faults, highest, bases.faults.ratings_a)
    checks = (
        *feeders.checks,
        *rules,
        *device_checks(devices, faults.states, criteria),
        _inverter_time(facility),
        *_flow_checks(sizing, plan, normal),
    )
    return Distribution(
        plan, feeders, normal, faults, arc_flash_inputs(faults.states, {}), checks,
        _results(sizing, plan, feeders, normal, faults, highest),
    )  # fmt: skip


def _wired(sizing: Sizing) -> tuple[NetworkPlan, FeederSet]:
    """Return the network with its conductors, and the feeder schedule."""
    facility, panels = sizing.facility, sizing.panels
    bare = build_network(sizing.chain, sizing.point.demand, panels, facility.it)
    feeders = size_feeders(
        bare, sizing_outages(bare.network, panels), facility.electrical.conductors,
        facility.criteria, facility.power.panels.listed_100, _recharge(sizing), sizing.trace,
    )  # fmt: skip
    return _rated(bare.wired(feeders.links), feeders), feeders


def _recharge(sizing: Sizing) -> Recharge:
    """Return the currents of the recharge of one lineup."""
    ups, chain = sizing.chain.ups, sizing.chain.chain
    charge_w = recharge_power.si(chain.ups.recharge, ups.modules_per_system, ups.module.rating_w)
    charge_va = charge_w / ups.module.input_power_factor / ups.buses
    return Recharge(
        sizing.ups_input_a / ups.buses,
        float(three_phase_current.si(charge_va, chain.wiring.lv_voltage_v)),
    )


def _rated(plan: NetworkPlan, feeders: FeederSet) -> NetworkPlan:
    """Return the plan with boards and switches rated as the device that feeds them."""
    device_a = {f.circuit.target: f.choice.ocpd_a for f in feeders.feeders if f.choice}

    def rate(one: Equipment) -> Equipment:
        rating_a = device_a.get(one.tag)
        if one.kind == "lv-board" and one.links[0].circuit == "":
            rating_a = device_a.get(one.links[0].source)
        if one.kind not in _RATED or rating_a is None:
            return one
        return replace(one, rating_a=rating_a)

    network = plan.network
    return NetworkPlan(
        replace(network, equipment=tuple(rate(one) for one in network.equipment)), plan.circuits
    )


def _highest(plan: NetworkPlan, faults: NetworkFaults) -> dict[str, float]:
    """Return the highest fault current of any source at each piece of equipment, where known."""
    found: dict[str, float] = {}
    for one in plan.network.equipment:
        bus = faults.bus_of[one.tag]
        for state in faults.states.values():
            if bus in state.highest.tags:
                value_a = float(state.highest.available_a[state.highest.index(bus)])
                if math.isfinite(value_a):
                    found[one.tag] = max(found.get(one.tag, 0.0), value_a)
    return found


def _devices(
    plan: NetworkPlan, faults: NetworkFaults, highest: Mapping[str, float],
    ratings_a: Mapping[str, float],
) -> list[FaultDevice]:  # fmt: skip
    """Return for each kind of equipment the one with the highest fault current."""
    worst: dict[str, Equipment] = {}
    for one in plan.network.equipment:
        if one.kind in _STUDIED and highest.get(one.tag, 0.0) > (
            highest.get(worst[one.kind].tag, 0.0) if one.kind in worst else -1.0
        ):
            worst[one.kind] = one
    return [
        FaultDevice(f"{kind}s, worst at {one.tag}", faults.bus_of[one.tag], ratings_a.get(kind))
        for kind, one in worst.items()
    ]


def _inverter_time(facility: Facility) -> Check:
    basis = facility.electrical.faults
    held_s, clearing_s = basis.sources.ups_duration_s, basis.clearing_s
    if clearing_s is None:
        return _INVERTER_TIME.not_evaluated(
            "UPS outputs", f"the inverters hold their current for {held_s * 1e3:,.0f} ms; how fast"
            " the devices clear is not stated (power.faults.clearing_time)",
        )  # fmt: skip
    return _INVERTER_TIME.compare("UPS outputs", clearing_s, "<=", held_s, "time")


def _flow_checks(sizing: Sizing, plan: NetworkPlan, normal: Flow) -> tuple[Check, ...]:
    limit = sizing.facility.criteria.voltage_drop_total
    racks = [n for n, load in enumerate(plan.network.loads) if load.kind.critical]
    least = racks[int(np.nanargmin(normal.load_voltage_pu[racks, 0]))]
    drop = 1.0 - float(normal.load_voltage_pu[least, 0])
    assumed_w, found_w = _losses(sizing, plan, normal)
    return (
        _LOAD_VOLTAGE.compare(plan.network.loads[least].tag, drop, "<=", limit, "fraction"),
        _CONDUCTOR_LOSS.compare(
            "branches, feeders and boards",
            found_w,
            "<=",
            assumed_w,
            "active_power",
            f"conductors lose {found_w / 1e3:,.1f} kW at the design hour; the design reckons with"
            f" {assumed_w / 1e3:,.1f} kW",
        ),
    )


def _losses(sizing: Sizing, plan: NetworkPlan, normal: Flow) -> tuple[float, float]:
    """Return the loss of all wiring as the design reckons with it, and of the conductors [W]."""
    wiring = ("branch", "feeder", "lv_board")
    assumed_w = sum(float(part.loss_w) for part in sizing.point.flow.parts if part.id in wiring)
    return assumed_w, float(np.nansum(normal.circuit_loss_w[:, 0]))


def _results(
    sizing: Sizing, plan: NetworkPlan, feeders: FeederSet, normal: Flow, faults: NetworkFaults,
    highest: Mapping[str, float],
) -> dict[str, Value]:  # fmt: skip
    _, loss_w = _losses(sizing, plan, normal)
    racks = [n for n, load in enumerate(plan.network.loads) if load.kind.critical]
    drop = 1.0 - float(np.nanmin(normal.load_voltage_pu[racks, 0]))
    values = {
        "network.equipment": Value(sum(len(e.unit_tags) for e in plan.network.equipment), "count"),
        "network.circuits": Value(len(plan.circuits), "count"),
        "feeder.sorts": Value(len({f.alike for f in feeders.feeders if f.choice}), "count"),
        "feeder.loss": Value(loss_w, "active_power", "conductors, all in service"),
        "feeder.drop_max": Value(drop, "fraction", "UPS output to the farthest rack"),
    }
    trace = sizing.trace
    trace.derive("feeder.loss", loss_w, "active_power",
                 "current squared times resistance of every circuit of the network")  # fmt: skip
    trace.derive("feeder.drop_max", drop, "fraction",
                 "power flow of the network, all in service")  # fmt: skip
    values |= _fault_results(plan, faults, highest, sizing.trace)
    inverters = [s.highest for name, s in faults.states.items() if name.startswith("inverter")]
    if inverters:
        duration_s = sizing.facility.electrical.faults.sources.ups_duration_s
        current_a = max(float(found.three_phase_a[0]) for found in inverters)
        values["fault.inverter"] = Value(current_a, "current", "one UPS output on its inverters")
        values["fault.inverter.held"] = Value(duration_s, "time", "then the inverter shuts down")
        sizing.trace.derive("fault.inverter", current_a, "current",
                            "rated current of the modules of one output bus times"
                            " power.faults.ups_multiple")  # fmt: skip
        sizing.trace.derive("fault.inverter.held", duration_s, "time", "as the maker states")
    return values


_PLACES = (
    ("mv-switchgear", "service"), ("lv-board", "board"), ("panel", "panel"),
    ("rack-pdu", "rack_pdu"),
)  # fmt: skip


def _fault_results(
    plan: NetworkPlan, faults: NetworkFaults, highest: Mapping[str, float], trace: Trace
) -> dict[str, Value]:
    """Return the fault currents at the worst bus of each level, by source; unknown ones left out.

    The lowest current is the least of line-to-line, line-to-ground and sustained.
    """
    found: dict[str, float] = {}
    for kind, name in _PLACES:
        tags = [one.tag for one in plan.network.equipment if one.kind == kind]
        if not tags:
            continue
        worst = max(tags, key=lambda tag: highest.get(tag, 0.0))
        bus = faults.bus_of[worst]
        if worst in highest:
            found[f"fault.{name}"] = highest[worst]
        for state in ("utility", "generator"):
            currents = faults.states.get(state)
            if currents is None or bus not in currents.highest.tags:
                continue
            row, low = currents.highest.index(bus), currents.lowest
            found[f"fault.{name}.{state}"] = float(currents.highest.three_phase_a[row])
            ground_a = float(currents.highest.line_ground_a[row])
            found[f"fault.{name}.{state}.line_ground"] = ground_a
            lows = (low.line_line_a, low.line_ground_a, low.sustained_a)
            found[f"fault.{name}.{state}.min"] = min(float(a[low.index(bus)]) for a in lows)
    known = {key: value for key, value in found.items() if math.isfinite(value)}
    for key, value in known.items():
        trace.derive(key, value, "current", "bolted fault, impedances of the network upstream")
    return {key: Value(value, "current", "bolted fault") for key, value in known.items()}
