"""Service load calculation: connected load, demand and the load the service is sized for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.model.power.mechanical import CoolingUnits
from facility.physics.circuits.currents import apparent_power, three_phase_current
from facility.physics.machines.ups import recharge_power
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign

HOUSE = "Building load: lighting, small power"
RECHARGE = "Battery recharge after a discharge"
LARGEST_MOTOR = 0.25
"""Addition for the largest motor, NEC 430.24."""


@dataclass(frozen=True)
class ServiceLine:
    """One group of loads of a service."""

    name: str
    connected_w: float  # Installed units on duty, at their ratings [W]
    demand_w: float  # At the design hour, or the rating where the code requires it [W]
    power_factor: float
    article: str = ""  # NEC article
    continuous: bool = True  # Whether it lasts three hours or more
    motor: bool = False  # Whether 430.24 replaces the continuous-load factor

    @property
    def connected_va(self) -> float:
        """Connected load [VA]."""
        return float(apparent_power.si(self.connected_w, self.power_factor))

    @property
    def demand_va(self) -> float:
        """Demand [VA]."""
        return float(apparent_power.si(self.demand_w, self.power_factor))

    @property
    def demand_factor(self) -> float:
        """Demand over connected load."""
        return self.demand_w / self.connected_w if self.connected_w else 1.0

    def sized_va(self, factor: float) -> float:
        """Return the load that the service is sized for [VA]; `factor` is for continuous loads."""
        return self.demand_va * (factor if self.continuous and not self.motor else 1.0)


@dataclass(frozen=True)
class ServiceLoad:
    """The load of all services together."""

    lines: tuple[ServiceLine, ...]
    largest_motor: str  # Its name; empty if the units are unknown
    largest_motor_va: float
    factor: float  # Continuous-load factor
    voltage_v: float  # Service voltage, line to line [V]

    @property
    def motor_addition_va(self) -> float:
        """Addition of 25 % of the largest motor, where continuous loads have a factor [VA]."""
        return LARGEST_MOTOR * self.largest_motor_va if self.factor > 1.0 else 0.0

    @property
    def total_va(self) -> float:
        """Load that the service is sized for [VA]."""
        return sum(one.sized_va(self.factor) for one in self.lines) + self.motor_addition_va

    @property
    def current_a(self) -> float:
        """Its current at the service voltage [A]."""
        return float(three_phase_current.si(self.total_va, self.voltage_v))


def service_load(
    design: ChainDesign,
    flow: ChainFlow,
    demand: ChainDemand,
    units: Sequence[CoolingUnits],
    *,
    it_connected_w: float,
    rated_motors: bool,
    factor: float,
) -> ServiceLoad:
    """Return the load of the service at the design hour, with battery recharge.

    flow: Power flow at the design hour.
    units: Cooling equipment as electrical loads; what the UPS supplies is part of its input.
    it_connected_w: IT load without demand factor and diversity [W].
    rated_motors: Whether motors count at their rated input (NEC 430.6, 440.6), not at the hour.
    factor: Continuous-load factor.
    """
    outside = [one for one in units if not one.on_ups]
    largest = max((u for u in outside if u.rated_w), key=lambda u: u.rated_w, default=None)
    motor_factor, ups = design.chain.mechanical_power_factor, design.ups
    ups_factor, ups_w = flow.ups.input_w / flow.ups.input_va, demand.mech_ups_w
    lost_w = flow.ups.input_w - demand.it_w - ups_w
    lines = [
        ServiceLine("IT equipment", it_connected_w, demand.it_w, ups_factor, "220.40, 645.5(A)")
    ]
    if ups_w:
        lines.append(ServiceLine("Cooling on the UPS", ups_w, ups_w, ups_factor, "220.40"))
    lines.append(ServiceLine("Losses from UPS input to racks", lost_w, lost_w, ups_factor))
    for one in outside:
        known_w = one.duty * one.rated_w or one.hour_w
        article = "440.33" if one.drive == "compressor" else "430.24"
        name = f"{one.duty} x {one.name}" if one.rated_w else one.name
        hour_w = known_w if rated_motors else one.hour_w
        lines.append(ServiceLine(name, known_w, hour_w, motor_factor, article, motor=True))
    house_w, house_factor = float(demand.house_w), design.chain.house_power_factor
    lines.append(ServiceLine(HOUSE, house_w, house_w, house_factor, "220.42, 220.44"))
    upstream_w = sum(flow.part(id).loss_w for id in ("lv_board", "transformer"))
    if upstream_w:
        lines.append(
            ServiceLine("Losses of LV boards and transformers", upstream_w, upstream_w, 1.0)
        )
    charge_w = recharge_power.si(design.chain.ups.recharge, ups.modules, ups.module.rating_w)
    charge_factor = ups.module.input_power_factor
    lines.append(ServiceLine(RECHARGE, float(charge_w), float(charge_w), charge_factor, "220.40"))
    motor_va = 0.0 if largest is None else float(apparent_power.si(largest.rated_w, motor_factor))
    name = "" if largest is None else largest.name
    return ServiceLoad(tuple(lines), name, motor_va, factor, design.utility_voltage_v)
