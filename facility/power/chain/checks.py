"""Checks of the power chain, on the load with growth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from facility.catalogue.articles import article
from facility.core.check import Check, Severity
from facility.core.views import show_exact
from facility.model.facility import Criteria, Site
from facility.physics.circuits.currents import three_phase_current
from facility.physics.machines.transformer import fault_current_behind, secondary_fault_current
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
from facility.power.ups.sizing import MOST_PARALLEL


def chain_checks(
    design: ChainDesign, demand: ChainDemand, flow: ChainFlow, site: Site, criteria: Criteria
) -> tuple[Check, ...]:
    """Return the checks of UPS and utility connection, and those of `plant_checks`.

    demand: Load with growth.
    flow: The chain under that load.
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
    """Yield whether racks hang on each of several UPS systems, the reserve apart."""
    scheme, shares = design.chain.scheme, design.systems
    if scheme.one_system:
        return
    idle = [
        name
        for name, part in zip(shares.names, shares.normal, strict=True)
        if not part and name != scheme.reserve
    ]
    why = f"of {len(shares.names)} systems no rack hangs on {', '.join(idle)}"
    if not idle:
        why = f"racks hang on each of {len(shares.names)} systems"
        why += ", the reserve apart" if scheme.reserve else ""
    yield RULES["UPS-IDLE-SYSTEM"].verdict(f"UPS {scheme.name}", not idle, why)


def _ups(design: ChainDesign, flow: ChainFlow) -> list[Check]:
    ups, chain = design.ups, design.chain
    return [
        _voltage(ups.module, chain.wiring.lv_voltage_v, chain.ups.code),
        _failure(design, flow.ups.loading.failure, f"UPS {chain.scheme.name}"),
        _parallel(ups.module, ups.modules_per_system // ups.buses),
    ]


def _parallel(module: UpsModule, on_bus: int) -> Check:
    """Return the check of the modules on a bus.

    Where no manufacturer's limit is known, more than the design itself uses is a warning.
    """
    rule, limit = RULES["UPS-PARALLEL"], module.max_parallel
    if limit is not None:
        return rule.at_most(module.model, on_bus, limit, "count")
    rule = replace(rule, severity=Severity.WARNING)
    why = f"the parallel limit of {module.model} is not known (power.ups.max_parallel)"
    if on_bus <= MOST_PARALLEL:
        return rule.not_evaluated(module.model, f"{why}; {on_bus} on one bus")
    why += f"; {on_bus} on one bus, the design takes up to {MOST_PARALLEL}"
    return rule.at_most(module.model, on_bus, MOST_PARALLEL, "count", why)


def _voltage(module: UpsModule, voltage_v: float, code: str) -> Check:
    rule = RULES["UPS-VOLTAGE"]
    if module.model == OWN_MODULE:
        return rule.not_evaluated(
            module.model, f"taken as made for {voltage_v:.0f} V; the project does not state it"
        )
    fits, why = voltages_fit(module, voltage_v), f"output {module.voltages} V"
    if not fits and voltages_fit(catalogue_module(module.frame), voltage_v):
        why += f", that of {voltage_v:.0f} V not made for the {code},"
    return rule.verdict(module.model, fits, f"{why} on a {voltage_v:.0f} V system")


def _failure(design: ChainDesign, found: float, subject: str) -> Check:
    rule = RULES["UPS-LOADING-FAILURE"]
    ups, scheme = design.ups, design.chain.scheme
    if scheme.failure == "none":
        return rule.not_evaluated(subject, "the scheme N is designed for no failure")
    out = scheme.spare_units * ups.buses
    if ups.modules_per_system <= out:
        return rule.verdict(
            subject,
            False,
            f"{scheme.failure}: none of the {ups.modules_per_system} installed is left",
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
    """Return the check of the maintenance bypass of a bus, which carries the rating of the UPS."""
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
        f"all GPUs at their short-time peak at once, {above_w / 1e3:,.0f} kW above the load,"
        " after the designed failure",
    )


def _service_fault(site: Site) -> Check:
    """Return the check of the fault level of a service at low voltage."""
    rule = RULES["UTILITY-FAULT-LEVEL"]
    subject = f"service at {site.utility_voltage_v:.0f} V"
    if site.fault_level_va is None:
        return rule.not_evaluated(subject, "the fault level of the utility is not given")
    current_a = three_phase_current.si(site.fault_level_va, site.utility_voltage_v)
    return rule.verdict(
        subject,
        True,
        f"{current_a / 1e3:.1f} kA, motors not counted: the interrupting rating of the LV gear must"
        " not be less",
    )


def _supply(flow: ChainFlow, site: Site) -> Iterator[Check]:
    """Yield the check of the demand, where the fault level is known.

    A load of unity power factor behind a reactance takes S''_k / 2 at most; what lags takes less.
    """
    if site.fault_level_va is not None:
        va, most_va = float(flow.utility.demand_va), 0.5 * site.fault_level_va
        level = show_exact(site.fault_level_va, "apparent_power")
        why = f"half of the fault level of the utility, {level} (site.fault_level)"
        yield RULES["UTILITY-SUPPLY"].at_most("service", va, most_va, "apparent_power", why)


def _fault_level(design: ChainDesign, site: Site) -> Check:
    rule = RULES["UTILITY-FAULT-LEVEL"]
    if not design.transformers.present:
        return _service_fault(site)
    unit, count = design.transformers.unit, design.transformers.per_carrier // design.ups.buses
    subject = f"{unit.rating_va / 1e3:,.0f} kVA transformer"
    below = show_exact(design.chain.transformer.tolerance, "fraction")
    found = (
        f"{_fault_current(design, site, 1) / 1e3:.1f} kA behind one transformer"
        f" ({below} below the nameplate impedance)"
    )
    if count > 1:
        most_a = _fault_current(design, site, count)
        found += f", {most_a / 1e3:.1f} kA with the {count} in parallel on one board"
    if site.fault_level_va is None:
        found += ", an upper bound by an unlimited utility (site.fault_level is not given)"
    return rule.verdict(
        subject,
        True,
        f"{found}, motors not counted: the interrupting rating of the LV gear must not be less",
    )


def _fault_current(design: ChainDesign, site: Site, parallel: int) -> float:
    unit, voltage_v = design.transformers.unit, design.chain.wiring.lv_voltage_v
    rating_va, below = parallel * unit.rating_va, 1.0 - design.chain.transformer.tolerance
    if site.fault_level_va is None:
        return float(secondary_fault_current.si(rating_va, voltage_v, unit.impedance, 1.0 / below))
    least = unit.impedance * below
    return float(fault_current_behind.si(rating_va, voltage_v, least, site.fault_level_va))
