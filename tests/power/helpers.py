"""A power chain from a ``power`` section in one call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from facility.core.check import Check
from facility.core.trace import Trace
from facility.model.facility import Criteria, Site, Weather
from facility.model.inputs.power.section import PowerSection
from facility.model.power.chain import PowerChain
from facility.power.chain.sizing import size_chain, solve_chain
from facility.power.choices import PowerChoices
from facility.power.panels.design.lineups import PanelLoads
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign
from facility.study.resolve.power.chain import resolve_power

DATA = Path(__file__).parent / "data"
SCHEMES = ("N", "N+1", "N+2", "2N", "2(N+1)", "3N/2", "4N/3", "5N/4", "block-redundant")


def site(
    elevation_m: float = 98.0,
    dry_bulb_c: float = 35.0,
    frequency_hz: float = 60.0,
    fault_level_va: float | None = None,
) -> Site:
    weather = Weather(dry_bulb_c, 24.0, 101325.0)
    return Site(
        place="somewhere",
        elevation_m=elevation_m,
        pressure_pa=101325.0,
        design=weather,
        mean=weather,
        utility_voltage_v=13800.0,
        frequency_hz=frequency_hz,
        fault_level_va=fault_level_va,
        x_over_r=None,
        tariff=None,
        carbon_kg_per_j=None,
    )


def criteria(growth: float = 0.0, code: str = "NEC") -> Criteria:
    return Criteria(
        code=code,
        edition="2023" if code == "NEC" else "2009",
        continuous_factor=1.25 if code == "NEC" else 1.0,
        growth=growth,
        voltage_drop_branch=0.03,
        voltage_drop_feeder=0.03,
        voltage_drop_total=0.05,
        air_class="A2",
        air_recommended_max_c=27.0,
        air_recommended_min_c=18.0,
        air_allowable_max_c=35.0,
        liquid_class="W32",
        liquid_supply_max_c=32.0,
    )


def demand(
    it_w: float = 3.2e6,
    power_factor: float = 0.99,
    mech_ups_w: float = 1e5,
    mech_w: float = 5e5,
    house_w: float = 2e4,
    peak: float = 1.0,
    rack_pdu: float = 0.005,
) -> ChainDemand:
    return ChainDemand(
        it_w, it_w / power_factor, it_w * peak, mech_ups_w, mech_w, house_w, rack_pdu
    )


def chain(
    trace: Trace | None = None, code: str = "NEC", by: Criteria | None = None, **section: Any
) -> PowerChain:
    read = PowerSection.model_validate(section)
    return resolve_power(read, by or criteria(code=code), trace if trace is not None else Trace())


@dataclass
class Built:
    design: ChainDesign
    flow: ChainFlow
    trace: Trace
    demand: ChainDemand

    def check(self, rule: str) -> Check:
        (found,) = [c for c in self.design.checks if c.rule == rule]
        return found


def build(
    load: ChainDemand | None = None,
    *,
    at: Site | None = None,
    by: Criteria | None = None,
    floor: PowerChoices | None = None,
    **section: Any,
) -> Built:
    """Resolve, size and solve; everything but the section has a default."""
    trace, used, rules = Trace(), load or demand(), by or criteria()
    design = size_chain(chain(trace, by=rules, **section), at or site(), rules, used, floor, trace)
    return Built(design, solve_chain(design, used, trace), trace, used)


def panel_loads(*rows: tuple[Any, ...]) -> PanelLoads:
    """Return loads of panels: feed, group, power and as a rule no power in coolant [VA]."""
    whole = [(*row, 0.0)[:4] for row in rows]
    feeds, groups, powers, coolants = ([row[n] for row in whole] for n in range(4))
    group = np.array(groups, dtype=np.intp)
    return PanelLoads(np.array(feeds, dtype=np.str_), group, np.array(powers), np.array(coolants))


def bare(it_w: float, power_factor: float = 1.0) -> ChainDemand:
    """Return an IT load without cooling, house and rack PDU losses."""
    return ChainDemand(it_w, it_w / power_factor, it_w, 0.0, 0.0, 0.0, 0.0)


LOSSLESS = {"branch_loss": "0 %", "feeder_loss": "0 %", "board_loss": "0 %"}
"""Wiring without losses, so that the UPS output is the IT load."""
