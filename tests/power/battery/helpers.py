"""Batteries of a small power chain in one call."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from facility.core.check import Check
from facility.core.table import Value
from facility.core.trace import Trace
from facility.model.inputs.power.battery import BatterySection
from facility.power.battery.checks import battery_checks
from facility.power.battery.sizing import BatteryBank, BatteryDesign, size_battery
from facility.power.battery.study import battery_results
from facility.study.resolve.power.battery import resolve_battery
from tests.power.helpers import LOSSLESS, bare, build, criteria

MODULE = {"module_rating": "500 kW"}
PERFECT = {
    "ageing": "1",
    "design_margin": "1",
    "temperature": "25 degC",
    "inverter_efficiency": "100 %",
}
"""No factor and no loss: a block gives what its table says."""
PANASONIC = {"model": "UP-PW1245P1", "temperature": "25 degC"}


@dataclass
class Backup:
    design: BatteryDesign
    results: dict[str, Value]
    checks: tuple[Check, ...]
    trace: Trace

    @property
    def bank(self) -> BatteryBank:
        assert self.design.bank is not None
        return self.design.bank

    def check(self, rule: str) -> Check:
        (found,) = [c for c in self.checks if c.rule == rule]
        return found

    def __getitem__(self, id: str) -> float:
        return float(self.results[id].si)


def backup(
    load_w: float = 400e3,
    redundancy: str = "N",
    ups: dict[str, Any] | None = None,
    growth: float = 0.0,
    code: str = "NEC",
    **battery: Any,
) -> Backup:
    """Size the batteries of UPS systems that carry `load_w`; `battery` is the section.

    The block is EP65-12 where it states none, and no technology.
    """
    if not battery.keys() & {"model", "points", "technology"}:
        battery["model"] = "EP65-12"
    by = replace(criteria(growth), code=code)
    built = build(
        bare(load_w), by=by, redundancy=redundancy, ups=ups or MODULE, distribution=LOSSLESS
    )
    chain, trace = built.design, built.trace
    section = BatterySection.model_validate(battery)
    basis = resolve_battery(section, chain.chain, by, trace)
    design = size_battery(basis, chain, trace.value("ups.design_output"), trace)
    normal_w = max(system.output_w for system in built.flow.systems)
    results = battery_results(design, chain, normal_w, chain.chain.ups.recharge, trace)
    return Backup(design, results, battery_checks(design, chain.generators.count > 0, trace), trace)
