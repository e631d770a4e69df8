"""Expected range of each point, from the design hour and the year study.

The power network is solved at three hours of the year, with the lowest, median and highest
facility power; water and air are the series of the year study. Without a weather year the range is
the design hour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facility.cooling.chain.flow import CoolingFlow
from facility.core.kinds import FloatArray, Numeric
from facility.power.network.build.facility import HOUSE, MECH, MECH_UPS
from facility.power.network.flow.solve import Flow, solve
from facility.power.network.graph.types import Outage
from facility.study.design.design import Design
from facility.study.points.equipment import MonitoredItem

YEAR = "year study: minimum, median and maximum"
HOURS = "power flow at the minimum, median and peak hour of the year study"
DESIGN = "design hour"
_UTILITY = "not running; on loss of utility at the design hour"
_UNITS = "standby; design hour, duty units; rated input"
_BATTERY = "battery study: after design failure; all in service; new battery"
_RATING = "rating"


@dataclass(frozen=True)
class ExpectedRange:
    """Expected values of a point, in SI units; None where not known."""

    low: float | None
    typical: float | None
    high: float | None
    basis: str  # Study and hours
    design: float | None = None  # Value at the design hour

    @property
    def values(self) -> tuple[float | None, ...]:
        """Lowest, typical, highest and design value."""
        return self.low, self.typical, self.high, self.design


_Read = Callable[[CoolingFlow], Numeric]
_SERIES: Mapping[tuple[str, str], _Read] = {
    ("rack-sensor", "inlet_temperature"): lambda flow: flow.inlet_c,
    ("server", "inlet_temperature"): lambda flow: flow.inlet_c,
    ("air-unit", "supply_temperature"): lambda flow: flow.supply_air_c,
    ("air-unit", "return_temperature"): lambda flow: flow.return_air_c,
    ("rear-door", "water_temperature"): lambda flow: flow.chw_supply_c,
    ("rear-door", "leaving_temperature"): lambda flow: flow.chw_return_c,
    ("water-coil", "water_temperature"): lambda flow: flow.chw_supply_c,
    ("water-coil", "leaving_temperature"): lambda flow: flow.chw_return_c,
    ("loop-chw", "supply_temperature"): lambda flow: flow.chw_supply_c,
    ("loop-chw", "return_temperature"): lambda flow: flow.chw_return_c,
    ("loop-chw", "flow"): lambda flow: flow.chw_flow_m3_s,
    ("tank-chw", "supply_temperature"): lambda flow: flow.chw_supply_c,
    ("chiller", "leaving_temperature"): lambda flow: flow.chw_supply_c,
    ("loop-fws", "supply_temperature"): lambda flow: flow.fws_supply_c,
    ("loop-fws", "return_temperature"): lambda flow: flow.fws_return_c,
    ("loop-fws", "flow"): lambda flow: flow.fws_flow_m3_s,
    ("tank-fws", "supply_temperature"): lambda flow: flow.fws_supply_c,
    ("cdu", "water_temperature"): lambda flow: flow.fws_supply_c,
    ("loop-tcs", "supply_temperature"): lambda flow: flow.tcs_supply_c,
    ("loop-tcs", "return_temperature"): lambda flow: flow.tcs_return_c,
    ("loop-tcs", "flow"): lambda flow: flow.tcs_flow_m3_s,
    ("cdu", "supply_temperature"): lambda flow: flow.tcs_supply_c,
    ("cdu", "return_temperature"): lambda flow: flow.tcs_return_c,
    ("liquid-rack", "supply_temperature"): lambda flow: flow.tcs_supply_c,
    ("liquid-rack", "return_temperature"): lambda flow: flow.tcs_return_c,
    ("loop-cw", "supply_temperature"): lambda flow: flow.condenser_in_c,
    ("loop-cw", "return_temperature"): lambda flow: flow.condenser_out_c,
    ("loop-cw", "flow"): lambda flow: flow.condenser_flow_m3_s,
}
"""Figure of the cooling by class of equipment and quantity."""
_METERED = ("active_power", "apparent_power", "current", "voltage", "power_factor", "loading")
_RESULTS: Mapping[tuple[str, str], str] = {
    ("tank-chw", "volume"): "storage.tank",
    ("tank-fws", "volume"): "storage.facility_water_tank",
    ("tank-chw", "stored_time"): "storage.time",
    ("generator-plant", "fuel_volume"): "generator.tank",
    ("generator-plant", "fuel_time"): "generator.fuel_time",
    ("aisle", "relative_humidity"): "air.humidity",
    ("makeup", "flow"): "water.makeup",
    ("loop-chw", "differential_pressure"): "loop.chw.head",
    ("loop-cw", "differential_pressure"): "loop.cw.head",
    ("loop-fws", "differential_pressure"): "loop.fws.head",
    ("loop-tcs", "differential_pressure"): "loop.tcs.head",
    ("loop-fws_tower", "differential_pressure"): "loop.fws_tower.head",
    ("loop-fws_tower", "flow"): "loop.fws_tower.flow",
    ("chiller", "loading"): "plant.chiller_part_load.design",
}
"""Result of the design hour by class of equipment and quantity."""


class PointRanges:
    """Expected ranges of the points of one design."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.year = design.year.year if design.year is not None else None
        plan = design.distribution.plan
        self._network, self._compiled = plan.network, plan.compiled
        self._results = design.all_results
        self._known: dict[object, ExpectedRange] = {}
        self._load_w = {load.tag: load.kind.total_w for load in self._network.loads}

    def of(self, item: MonitoredItem, quantity: str) -> ExpectedRange | None:
        """Return the expected range of a point; None where no study has it."""
        named = item.equipment, quantity
        if named in _SERIES:
            if named not in self._known:
                self._known[named] = self._series(_SERIES[named])
            return self._known[named]
        if named in _RESULTS:
            return self._result(_RESULTS[named])
        if quantity == "battery_time":
            return self._battery()
        if item.equipment in ("hall", "row", "rack") and quantity == "active_power":
            return self._it(sum(self._load_w.get(load, 0.0) for load in item.loads))
        if quantity in ("gpu_power", "active_power") and item.equipment in ("gpu", "server"):
            return self._device(item, quantity)
        if item.equipment in ("facility", "outdoor", "aisle"):
            return self._site(quantity)
        if item.units is not None and item.units.duty and quantity == "active_power":
            each_w = item.units.hour_w / item.units.duty
            return ExpectedRange(0.0, each_w, item.units.rated_w, _UNITS, each_w)
        if item.equipment in ("generator-plant", "generator-set"):
            return self._generators(item, quantity)
        if item.tag in self._network.index and quantity in (*_METERED, "input_power", "imbalance"):
            return self._flow(item, quantity)
        return self._branch(item, quantity) if item.equipment == "branch" else None

    @cached_property
    def _hours(self) -> tuple[int, ...]:
        """Positions of the hours of lowest, median and highest facility power."""
        if self.year is None:
            return ()
        order = np.argsort(self.year.facility_w, kind="stable")
        return int(order[0]), int(order[len(order) // 2]), int(order[-1])

    @cached_property
    def _flows(self) -> Flow:
        """Power flow at these hours; without a weather year at the design hour."""
        if self.year is None:
            return self.design.distribution.normal
        cooling, at = self.year.balance.cooling, self.design.cooling_flow
        spread, hours = self.year.hours.spread, list(self._hours)
        ratios = {
            MECH_UPS: _ratio(spread(cooling.on_ups_w)[hours], at.on_ups_w),
            MECH: _ratio(spread(cooling.mech_w)[hours], at.mech_w),
            HOUSE: np.ones(len(hours)),
        }
        it = self.year.load[hours]
        factors = np.array(
            [
                it
                if load.kind.critical
                else next(part for name, part in ratios.items() if load.tag.startswith(name))
                for load in self._network.loads
            ]
        )
        return solve(self._compiled, [Outage("normal")] * len(hours), load_factor=factors)

    @cached_property
    def _metered(self) -> dict[str, FloatArray]:
        """Quantities of the equipment at the hours of the year; shape (equipment, hours)."""
        return self._quantities(self._flows)

    @cached_property
    def _designed(self) -> dict[str, FloatArray]:
        """Quantities of the equipment at the design hour; shape (equipment, 1)."""
        return self._quantities(self.design.distribution.normal)

    def _quantities(self, flow: Flow) -> dict[str, FloatArray]:
        nominal_v = [one.voltage_v for one in self._network.equipment]
        output_va = np.maximum(flow.output_va, 1e-9)
        phases = flow.current_a
        mean_a = phases.mean(axis=1)
        apart = np.abs(phases - mean_a[:, None, :]).max(axis=1)
        return {
            "active_power": flow.output_w,
            "apparent_power": flow.output_va,
            "current": phases.max(axis=1),
            "voltage": flow.voltage_pu * np.array(nominal_v)[:, None],
            "power_factor": np.where(flow.output_va > 1.0, flow.output_w / output_va, np.nan),
            "loading": flow.loading,
            "input_power": flow.output_w + flow.loss_w,
            "imbalance": np.where(mean_a > 0.0, apart / np.maximum(mean_a, 1e-9), np.nan),
        }

    def _flow(self, item: MonitoredItem, quantity: str) -> ExpectedRange | None:
        row = self._network.index[item.tag]
        return self._of_hours(self._metered[quantity][row], self._designed[quantity][row])

    def _of_hours(self, values: FloatArray, design: FloatArray) -> ExpectedRange | None:
        known = np.sort(values[np.isfinite(values)])
        if not len(known):
            return None
        low, typical, high = known[0], known[len(known) // 2], known[-1]
        basis = DESIGN if self.year is None else HOURS
        at = float(design[0])
        known_at = at if np.isfinite(at) else None
        return ExpectedRange(float(low), float(typical), float(high), basis, known_at)

    @cached_property
    def _links(self) -> dict[str, int]:
        return {link.circuit: n for n, (_, link) in enumerate(self._network.links) if link.circuit}

    @cached_property
    def _rack_pdus(self) -> dict[str, int]:
        """Row of the rack PDU on each branch circuit."""
        return {
            one.tag.removeprefix("RPDU "): n
            for n, one in enumerate(self._network.equipment)
            if one.kind == "rack-pdu"
        }

    def _branch(self, item: MonitoredItem, quantity: str) -> ExpectedRange | None:
        row, link = self._rack_pdus.get(item.tag), self._links.get(item.tag)
        if row is not None and quantity in ("active_power", "current"):
            return self._of_hours(self._metered[quantity][row], self._designed[quantity][row])
        if link is not None and quantity == "current":
            normal = self.design.distribution.normal
            return self._of_hours(self._flows.circuit_a[link], normal.circuit_a[link])
        return None

    def _series(self, read: _Read) -> ExpectedRange:
        design = float(np.ravel(read(self.design.cooling_flow))[0])
        if self.year is None:
            return ExpectedRange(design, design, design, DESIGN, design)
        values = self.year.hours.spread(read(self.year.balance.cooling))
        return _of_year(values, design)

    def _it(self, design_w: float) -> ExpectedRange:
        if self.year is None:
            return ExpectedRange(design_w, design_w, design_w, DESIGN, design_w)
        if design_w not in self._known:
            self._known[design_w] = _of_year(self.year.load * design_w, design_w)
        return self._known[design_w]

    @cached_property
    def _devices(self) -> dict[str, tuple[float, float | None]]:
        """Design input of each server model, and power of one of its GPUs [W]."""
        return {
            placed.device.model: (placed.input_w, placed.device.gpu_power_w)
            for rack in self.design.facility.it.racks
            for placed in rack.placed
        }

    def _device(self, item: MonitoredItem, quantity: str) -> ExpectedRange | None:
        """Return the design input of a server, or the published power of a GPU, as the maximum."""
        input_w, gpu_w = self._devices[item.key]
        if quantity == "active_power":
            return ExpectedRange(None, input_w, input_w, DESIGN, input_w)
        return None if not gpu_w else ExpectedRange(None, None, gpu_w, _RATING)

    def _site(self, quantity: str) -> ExpectedRange | None:
        """Return the range of the facility meters and of the outdoor air."""
        design, year = self.design, self.year
        weather = design.facility.site.design
        at = {
            "active_power": design.point.facility_w,
            "it_power": design.it.it_w,
            "pue": float(design.results["pue.design"].si),
            "dry_bulb": weather.dry_bulb_c,
            "wet_bulb": weather.wet_bulb_c,
            "dew_point": design.cooling.chain.room_dew_point_c,
        }.get(quantity)
        if at is None:
            return None
        if quantity == "dew_point":
            low, high = design.cooling.chain.hall_dew_points_c
            return ExpectedRange(low, at, high, DESIGN, at)
        if year is None:
            return ExpectedRange(at, at, at, DESIGN, at)
        series = {
            "active_power": year.facility_w,
            "it_power": year.power_w["it"],
            "pue": year.pue[np.isfinite(year.pue)],
            "dry_bulb": year.hours.air.dry_bulb_c,
            "wet_bulb": year.hours.air.wet_bulb_c,
        }[quantity]
        return _of_year(series, at)

    def _result(self, key: str) -> ExpectedRange | None:
        found = self._results.get(key)
        if found is None or isinstance(found.si, str):
            return None
        value = float(found.si)
        return ExpectedRange(None, value, value, f"{DESIGN}, {key}", value)

    def _battery(self) -> ExpectedRange | None:
        keys = (
            "battery.autonomy_failure",
            "battery.autonomy_normal",
            "battery.autonomy_normal_new",
        )
        found = [self.design.results.get(key) for key in keys]
        if any(one is None for one in found):
            return None
        low, typical, high = (float(one.si) for one in found if one is not None)
        return ExpectedRange(low, typical, high, _BATTERY)

    @cached_property
    def _on_generators(self) -> Flow | None:
        tags = [one.tag for one in self._network.equipment if one.kind == "utility"]
        return self.design.states.settled(Outage("loss of utility", tuple(tags))) if tags else None

    def _generators(self, item: MonitoredItem, quantity: str) -> ExpectedRange | None:
        """Return zero for sets that do not run, up to their load after the loss of the utility."""
        tag = item.tag if item.equipment == "generator-plant" else item.fed_from
        row, flow = self._network.index[tag], self._on_generators
        if flow is None:
            return None
        units = 1
        if item.equipment == "generator-set":
            units = len(self._network[tag].unit_tags)
        values: dict[str, FloatArray] = {
            "active_power": flow.output_w,
            "apparent_power": flow.output_va,
            "loading": flow.loading * units,
        }
        if quantity not in values:
            return None
        high = float(values[quantity][row, 0]) / units
        return ExpectedRange(0.0, 0.0, high if np.isfinite(high) else None, _UTILITY)


def _ratio(values_w: FloatArray, design_w: float) -> FloatArray:
    return values_w / design_w if design_w > 0.0 else np.ones(len(values_w))


def _of_year(values: FloatArray, design: float) -> ExpectedRange:
    low, typical, high = np.min(values), np.median(values), np.max(values)
    return ExpectedRange(float(low), float(typical), float(high), YEAR, design)
