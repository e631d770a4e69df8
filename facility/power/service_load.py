"""Service load calculation: connected load, demand and the load the service is sized for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from facility.model.power.mechanical import CoolingUnits
from facility.physics.circuits.currents import apparent_power, three_phase_current
from facility.physics.machines.ups import recharge_power
from facility.power.train.results import ChainFlow
from facility.power.train.types import ChainDemand, ChainDesign

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
    continuous: bool  # Whether it lasts three hours or more
    article: str = ""  # NEC article
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
    motor_factor = design.chain.mechanical_power_factor
    motors = [one for one in outside if one.rated_w]
    largest = max(motors, key=lambda one: one.rated_w, default=None)
    lines = (
        *_ups(flow, demand, it_connected_w),
        *(_motors(one, motor_factor, rated=rated_motors) for one in outside),
        ServiceLine("Building load: lighting, small power", float(demand.house_w),
                    float(demand.house_w), design.chain.house_power_factor, True,
                    "220.42, 220.44"),
        *_losses(flow),
        _recharge(design),
    )  # fmt: skip
    motor_va = 0.0 if largest is None else float(apparent_power.si(largest.rated_w, motor_factor))
    name = "" if largest is None else largest.name
    return ServiceLoad(lines, name, motor_va, factor, design.utility_voltage_v)


def _ups(flow: ChainFlow, demand: ChainDemand, connected_w: float) -> Iterator[ServiceLine]:
    """Yield the parts of the UPS input, at its power factor."""
    factor, it_w, cooling_w = flow.ups.input_w / flow.ups.input_va, demand.it_w, demand.mech_ups_w
    lost_w = flow.ups.input_w - it_w - cooling_w
    yield ServiceLine("IT equipment", connected_w, it_w, factor, True, "220.40, 645.5(A)")
    if cooling_w:
        yield ServiceLine("Cooling on the UPS", cooling_w, cooling_w, factor, True, "220.40")
    yield ServiceLine("Losses from UPS input to racks", lost_w, lost_w, factor, True)


def _motors(units: CoolingUnits, power_factor: float, *, rated: bool) -> ServiceLine:
    known_w = units.duty * units.rated_w or units.hour_w
    hour_w = known_w if rated else units.hour_w
    count = f"{units.duty} x " if units.rated_w else ""
    article = "440.33" if units.drive == "compressor" else "430.24"
    name = f"{count}{units.name}"
    return ServiceLine(name, known_w, hour_w, power_factor, True, article, motor=True)


def _losses(flow: ChainFlow) -> Iterator[ServiceLine]:
    lost_w = sum(flow.part(id).loss_w for id in ("lv_board", "transformer"))
    if lost_w:
        name = "Losses of LV boards and transformers"
        yield ServiceLine(name, lost_w, lost_w, 1.0, True)


def _recharge(design: ChainDesign) -> ServiceLine:
    """Return the chargers of all modules, after a discharge of every battery."""
    ups = design.ups
    power_w = float(recharge_power.si(design.chain.ups.recharge, ups.modules, ups.module.rating_w))
    factor = ups.module.input_power_factor
    return ServiceLine(RECHARGE, power_w, power_w, factor, True, "220.40")
