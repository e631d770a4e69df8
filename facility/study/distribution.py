"""The distribution of a design: its network with conductors, fault currents, code rules."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.core.table import Value
from facility.power.faults.arc_flash import ArcFlashInput, arc_flash_inputs
from facility.power.faults.device_checks import FaultDevice, device_checks
from facility.power.faults.of_network import NetworkFaults, network_faults
from facility.power.feeders.code_rules import nec_rules
from facility.power.feeders.schedule import FeederSet, size_feeders, sizing_outages
from facility.power.network.build import build_network
from facility.power.network.plan import NetworkPlan
from facility.power.network.solve import Flow, compile_network, solve
from facility.power.network.types import Equipment, Outage

if TYPE_CHECKING:
    from facility.study.design import Design

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


def distribute(design: Design) -> Distribution:
    """Return network, conductors and fault currents of a design.

    Raises
    ------
    FacilityError
        Where no conductor or device fits (exit code 4), or a network makes no sense; each names
        the circuit or the component.
    """
    facility, criteria = design.facility, design.facility.criteria
    bases = facility.electrical
    bare = build_network(design.chain, design.point.demand, design.panels, facility.it)
    listed = facility.power.panels.listed_100
    feeders = size_feeders(
        bare, sizing_outages(bare.network, design.panels), bases.conductors, criteria, listed,
        _ups_inputs(design, bare), design.trace,
    )  # fmt: skip
    plan = _rated(bare.wired(feeders.links), feeders)
    normal = solve(compile_network(plan.network), (Outage("normal"),))
    by_tag = {feeder.circuit.tag: feeder for feeder in feeders.feeders}
    from_c = _TABLE_9_C if criteria.code == "NEC" else bases.conductors.insulation_c
    faults = network_faults(plan, by_tag, design.chain, facility.site, bases.faults, from_c)
    highest = _highest(plan, faults)
    rules: tuple[Check, ...] = ()
    if criteria.code == "NEC":
        rules = nec_rules(
            feeders.feeders, design.panels, highest, bases.faults.clearing_s, bases.conductors,
            criteria,
        )  # fmt: skip
    checks = (
        *feeders.checks,
        *rules,
        *device_checks(_devices(plan, faults, highest, bases.faults.ratings_a), faults.states,
                       criteria),
        *_flow_checks(design, plan, normal),
    )  # fmt: skip
    return Distribution(
        plan,
        feeders,
        normal,
        faults,
        arc_flash_inputs(faults.states, {}),
        checks,
        _results(design, plan, feeders, normal, faults, highest),
    )


def _ups_inputs(design: Design, plan: NetworkPlan) -> dict[str, float]:
    """Return the input current of each UPS at low line with recharge, by circuit."""
    current_a = float(design.electrical.results["ups.input_current_low_line.system"].si)
    return {
        circuit.tag: current_a / design.chain.ups.buses
        for circuit in plan.circuits.values()
        if circuit.stage == "ups-input"
    }


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


def _flow_checks(design: Design, plan: NetworkPlan, normal: Flow) -> tuple[Check, ...]:
    limit = design.facility.criteria.voltage_drop_total
    racks = [n for n, load in enumerate(plan.network.loads) if load.kind.critical]
    least = racks[int(np.nanargmin(normal.load_voltage_pu[racks, 0]))]
    drop = 1.0 - float(normal.load_voltage_pu[least, 0])
    assumed_w, found_w = _losses(design, plan, normal)
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


def _losses(design: Design, plan: NetworkPlan, normal: Flow) -> tuple[float, float]:
    """Return the loss of all wiring as the design reckons with it, and of the conductors [W]."""
    wiring = ("branch", "feeder", "lv_board")
    assumed_w = sum(float(part.loss_w) for part in design.flow.parts if part.id in wiring)
    return assumed_w, float(np.nansum(normal.circuit_loss_w[:, 0]))


def _results(
    design: Design, plan: NetworkPlan, feeders: FeederSet, normal: Flow, faults: NetworkFaults,
    highest: Mapping[str, float],
) -> dict[str, Value]:  # fmt: skip
    _, loss_w = _losses(design, plan, normal)
    racks = [n for n, load in enumerate(plan.network.loads) if load.kind.critical]
    drop = 1.0 - float(np.nanmin(normal.load_voltage_pu[racks, 0]))
    values = {
        "network.equipment": Value(sum(len(e.unit_tags) for e in plan.network.equipment), "count"),
        "network.circuits": Value(len(plan.circuits), "count"),
        "feeder.sorts": Value(len({f.alike for f in feeders.feeders if f.choice}), "count"),
        "feeder.loss": Value(loss_w, "active_power", "conductors, all in service"),
        "feeder.drop_max": Value(drop, "fraction", "UPS output to the farthest rack"),
    }
    trace = design.trace
    trace.derive("feeder.loss", loss_w, "active_power",
                 "current squared times resistance of every circuit of the network")  # fmt: skip
    trace.derive("feeder.drop_max", drop, "fraction",
                 "power flow of the network, all in service")  # fmt: skip
    for kind, name in (("lv-board", "board"), ("panel", "panel"), ("rack-pdu", "rack_pdu")):
        tags = [one.tag for one in plan.network.equipment if one.kind == kind]
        known = [tag for tag in tags if tag in highest]
        if known:
            worst = max(known, key=lambda tag: highest[tag])
            why = f"highest of three-phase and line-to-ground at {worst}, any source"
            values[f"fault.{name}"] = Value(highest[worst], "current", why)
            trace.derive(f"fault.{name}", highest[worst], "current", why)
    return values
