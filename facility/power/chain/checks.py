"""Checks of the power chain with load growth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check, Severity
from facility.core.views import show_exact
from facility.model.facility import Criteria, Site
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.transformer import fault_current_downstream, secondary_fault_current
from facility.power.backup.equipment_checks import plant_checks
from facility.power.rules import RULES
from facility.power.train.flow import PowerHour
from facility.power.train.lv_boards import (
    board_check,
    carried_by_largest_breaker,
    largest_breaker_a,
    parallel_check,
)
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign, UpsModule
from facility.power.ups.modules import OWN_MODULE, catalogue_module, voltages_fit
from facility.power.ups.sizing import MAX_PARALLEL


def chain_checks(
    design: ChainDesign, demand: ChainDemand, flow: ChainFlow, site: Site, criteria: Criteria
) -> tuple[Check, ...]:
    """Return the checks of UPS and utility connection, plus `plant_checks`.

    demand: Load with growth.
    flow: Power flow under that load.
    site, criteria: Utility; code.
    """
    rated = article("interrupting rating", criteria.edition, criteria.code)
    return (
        *RULES.checks(PowerHour(design, flow)),
        *_ups(design, flow),
        *_idle(design),
        _output_bus(design, flow, criteria),
        board_check(design, flow, criteria),
        *([parallel_check(design)] if design.transformers.present else []),
        _peak(design, demand, flow),
        replace(_fault_level(design, site), source=rated),
        *_supply(flow, site),
        *plant_checks(design, flow, site, criteria),
    )


def _idle(design: ChainDesign) -> Iterator[Check]:
    """Yield whether racks are connected to each UPS system, except the reserve."""
    scheme, shares = design.chain.scheme, design.systems
    if scheme.one_system:
        return
    idle = [
        name
        for name, part in zip(shares.names, shares.normal, strict=True)
        if not part and name != scheme.reserve
    ]
    why = f"no racks connected to {', '.join(idle)} ({len(shares.names)} systems)"
    if not idle:
        why = f"racks connected to each of {len(shares.names)} systems"
        why += ", except the reserve" if scheme.reserve else ""
    yield RULES["UPS-IDLE-SYSTEM"].verdict(f"UPS {scheme.name}", not idle, why)


def _ups(design: ChainDesign, flow: ChainFlow) -> list[Check]:
    ups, chain = design.ups, design.chain
    return [
        _voltage(ups.module, chain.wiring.lv_voltage_v, chain.ups.code),
        _failure(design, flow.ups.loading.failure, f"UPS {chain.scheme.name}"),
        _parallel(ups.module, ups.modules_per_system // ups.buses),
    ]


def _parallel(module: UpsModule, on_bus: int) -> Check:
    """Return the check of parallel modules on a bus.

    Without a manufacturer's limit, exceeding the design limit is a warning.
    """
    rule, limit = RULES["UPS-PARALLEL"], module.max_parallel
    if limit is not None:
        return rule.at_most(module.model, on_bus, limit, "count")
    rule = replace(rule, severity=Severity.WARNING)
    why = f"the parallel limit of {module.model} is not known (power.ups.max_parallel)"
    if on_bus <= MAX_PARALLEL:
        return rule.not_evaluated(module.model, f"{why}; {on_bus} on one bus")
    why += f"; {on_bus} on one bus, the design permits up to {MAX_PARALLEL}"
    return rule.at_most(module.model, on_bus, MAX_PARALLEL, "count", why)


def _voltage(module: UpsModule, voltage_v: float, code: str) -> Check:
    rule = RULES["UPS-VOLTAGE"]
    if module.model == OWN_MODULE:
        return rule.not_evaluated(
            module.model, f"assumed suitable for {voltage_v:.0f} V; the project states no voltage"
        )
    fits, why = voltages_fit(module, voltage_v), f"output {module.voltages} V"
    if not fits and voltages_fit(catalogue_module(module.frame), voltage_v):
        why += f", not suitable for {voltage_v:.0f} V under the {code},"
    return rule.verdict(module.model, fits, f"{why} on a {voltage_v:.0f} V system")


def _failure(design: ChainDesign, found: float, subject: str) -> Check:
    rule = RULES["UPS-LOADING-FAILURE"]
    ups, scheme = design.ups, design.chain.scheme
    if scheme.failure == "none":
        return rule.not_evaluated(subject, "scheme N has no design failure")
    out = scheme.spare_units * ups.buses
    if ups.modules_per_system <= out:
        return rule.verdict(
            subject,
            False,
            f"{scheme.failure}: none of the {ups.modules_per_system} installed remains",
        )
    return rule.at_most(subject, found, design.chain.ups.max_loading, "fraction")


def _output_bus(design: ChainDesign, flow: ChainFlow, criteria: Criteria) -> Check:
    limit_a, words = carried_by_largest_breaker(design.chain, criteria)
    on_bus = design.chain.unevenness / design.ups.buses
    output_va = float(flow.ups.output_va * flow.ups.system_w_worst / flow.ups.output_w) * on_bus
    current_a = three_phase_current.si(output_va, design.chain.wiring.lv_voltage_v)
    why = f"{current_a:,.0f} A on one output bus; {words}"
    subject = f"UPS {design.chain.scheme.name}"
    found = RULES["UPS-OUTPUT-BUS"].at_most(subject, float(current_a), limit_a, "current", why)
    bypass = _bypass_bus(design, subject, criteria)
    return bypass if bypass.failed and not found.failed else found


def _bypass_bus(design: ChainDesign, subject: str, criteria: Criteria) -> Check:
    """Return the check of the maintenance bypass of a bus at the UPS rating."""
    listed = design.chain.panels.listed_100
    factor = 1.0 if listed else criteria.continuous_factor
    limit_a = largest_breaker_a(criteria.code) / factor
    rated_a = three_phase_current.si(design.bus_rating_va, design.chain.wiring.lv_voltage_v)
    why = (
        f"{rated_a:,.0f} A through the maintenance bypass of one output bus, the rating of its UPS"
    )
    return RULES["UPS-OUTPUT-BUS"].at_most(subject, float(rated_a), limit_a, "current", why)


def _peak(design: ChainDesign, demand: ChainDemand, flow: ChainFlow) -> Check:
    rule = RULES["PEAK-TRANSIENT"]
    subject = f"UPS {design.chain.scheme.name}"
    if demand.it_peak_w <= demand.it_w:
        return rule.not_evaluated(subject, "no short-time peak above the IT load is known")
    above_w = demand.it_peak_w - demand.it_w
    output_w = float(flow.ups.system_w_worst) + above_w * max(design.systems.worst)
    out = design.chain.scheme.spare_units * design.ups.buses
    left = max(1, design.ups.modules_per_system - out)
    return rule.at_most(
        subject,
        output_w,
        left * design.ups.module.rating_w,
        "active_power",
        f"all GPUs at short-time peak simultaneously, {above_w / 1e3:,.0f} kW above the load,"
        " after the design failure",
    )


def _service_fault(site: Site) -> Check:
    """Return the check of the fault level of a low-voltage service."""
    rule = RULES["UTILITY-FAULT-LEVEL"]
    subject = f"service at {site.utility_voltage_v:.0f} V"
    if site.fault_level_va is None:
        return rule.not_evaluated(subject, "the utility fault level is not specified")
    current_a = three_phase_current.si(site.fault_level_va, site.utility_voltage_v)
    return rule.verdict(
        subject,
        True,
        f"{current_a / 1e3:.1f} kA, motors excluded: minimum interrupting rating of the LV"
        " equipment",
    )


def _supply(flow: ChainFlow, site: Site) -> Iterator[Check]:
    """Yield the check of utility demand vs. maximum transfer, if the fault level is known.

    At unity power factor a source reactance transfers at most S''_k / 2; less at lagging power
    factor.
    """
    if site.fault_level_va is not None:
        va, max_va = float(flow.utility.demand_va), 0.5 * site.fault_level_va
        level = show_exact(site.fault_level_va, "apparent_power")
        why = f"half of the utility fault level, {level} (site.fault_level)"
        yield RULES["UTILITY-SUPPLY"].at_most("service", va, max_va, "apparent_power", why)


def _fault_level(design: ChainDesign, site: Site) -> Check:
    rule = RULES["UTILITY-FAULT-LEVEL"]
    if not design.transformers.present:
        return _service_fault(site)
    unit, count = design.transformers.unit, design.transformers.per_carrier // design.ups.buses
    subject = f"{unit.rating_va / 1e3:,.0f} kVA transformer"
    below = show_exact(design.chain.transformer.tolerance, "fraction")
    found = (
        f"{_fault_current(design, site, 1) / 1e3:.1f} kA downstream of one transformer"
        f" ({below} below the nameplate impedance)"
    )
    if count > 1:
        max_a = _fault_current(design, site, count)
        found += f", {max_a / 1e3:.1f} kA with the {count} in parallel on one board"
    if site.fault_level_va is None:
        found += ", upper bound with an infinite utility source (site.fault_level not specified)"
    return rule.verdict(
        subject, True, f"{found}, motors excluded: minimum interrupting rating of the LV equipment"
    )


def _fault_current(design: ChainDesign, site: Site, parallel: int) -> float:
    unit, voltage_v = design.transformers.unit, design.chain.wiring.lv_voltage_v
    rating_va, below = parallel * unit.rating_va, 1.0 - design.chain.transformer.tolerance
    if site.fault_level_va is None:
        return float(secondary_fault_current.si(rating_va, voltage_v, unit.impedance, 1.0 / below))
    impedance = unit.impedance * below
    return float(fault_current_downstream.si(rating_va, voltage_v, impedance, site.fault_level_va))
