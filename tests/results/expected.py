"""Expected ranges of the points, worked once more from the hours of the year and the loads.

The lowest, middle and highest hour are counted out; a panel follows the load of the racks, the
service the sum of the loads, and power, current, voltage and rating of one meter agree.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from typing import Any

import numpy as np

from facility.study.design.design import Design
from facility.study.points.points import design_points
from facility.study.points.ranges import ExpectedRange
from tests.results.second import differs

_OF_THE_YEAR = {
    "chw": ("chw_supply_c", "chw_return_c", "chw_flow_m3_s"),
    "fws": ("fws_supply_c", "fws_return_c", "fws_flow_m3_s"),
    "tcs": ("tcs_supply_c", "tcs_return_c", "tcs_flow_m3_s"),
    "cw": ("condenser_in_c", "condenser_out_c", "condenser_flow_m3_s"),
}
_NAMED = {
    ("rack-sensor", "inlet_temperature"): "inlet_c",
    ("server", "inlet_temperature"): "inlet_c",
    ("air-unit", "supply_temperature"): "supply_air_c",
    ("air-unit", "return_temperature"): "return_air_c",
    ("rear-door", "water_temperature"): "chw_supply_c",
    ("rear-door", "leaving_temperature"): "chw_return_c",
    ("water-coil", "water_temperature"): "chw_supply_c",
    ("water-coil", "leaving_temperature"): "chw_return_c",
    ("tank-chw", "supply_temperature"): "chw_supply_c",
    ("tank-fws", "supply_temperature"): "fws_supply_c",
    ("chiller", "leaving_temperature"): "chw_supply_c",
    ("cdu", "water_temperature"): "fws_supply_c",
    ("cdu", "supply_temperature"): "tcs_supply_c",
    ("cdu", "return_temperature"): "tcs_return_c",
    ("liquid-rack", "supply_temperature"): "tcs_supply_c",
    ("liquid-rack", "return_temperature"): "tcs_return_c",
}
_LOSS = 0.015
"""Losses of conductors between a load and its meter."""


def expected_ranges(found: Design) -> Iterator[str]:
    """Every range: of the year, of three hours of the network, of units, sets and devices."""
    assert found.year is not None
    year = found.year.year
    order = sorted(range(len(year.facility_w)), key=lambda n: (year.facility_w[n], n))
    hours = [order[0], order[len(order) // 2], order[-1]]
    for point in design_points(found):
        range_, item = point.expected, point.item
        at, named = f"{item.tag} {point.quantity}", (item.equipment, point.quantity)
        if range_ is None:
            continue
        at_design = _at_design(found, item, point.quantity)
        if at_design is not None:
            yield from differs(f"{at}, design", float(range_.design or 0.0), at_design, 1e-9)
        shown = (range_.low, range_.typical, range_.high)
        wanted = _of_year(found, year, item, point.quantity)
        if wanted is not None:
            for name, one, other in zip(("low", "typical", "high"), shown, wanted, strict=True):
                yield from differs(f"{at}, {name}", float(one or 0.0), float(other), 1e-9)
            continue
        if item.units is not None and point.quantity == "active_power":
            each_w = item.units.hour_w / item.units.duty
            if shown != (0.0, each_w, item.units.rated_w) or range_.design != each_w:
                yield f"{at}: {shown}, {each_w} W each"
        elif named == ("server", "active_power"):
            yield from _servers(found, at, item.key, range_)
        elif item.equipment in ("panel", "rack-pdu", "branch", "utility"):
            yield from _metered(found, year, hours, item, point.quantity, range_)
    yield from _sets(found)
    yield from _batteries(found)


def _of_year(found: Design, year: Any, item: Any, quantity: str) -> tuple[float, ...] | None:
    """Return least, middle and most of the hours; None where the range is not of the year."""
    names = {}
    for loop, (supply, back, flow) in _OF_THE_YEAR.items():
        of_loop = {"supply_temperature": supply, "return_temperature": back, "flow": flow}
        names |= {(f"loop-{loop}", name): field for name, field in of_loop.items()}
    names |= _NAMED
    field = names.get((item.equipment, quantity))
    if field is not None:
        series = getattr(year.balance.cooling, field)
    elif quantity == "active_power" and item.equipment in ("hall", "row", "rack"):
        of_load = {load.tag: load.kind.total_w for load in found.distribution.plan.network.loads}
        series = year.load * sum(of_load[tag] for tag in item.loads)
    elif (item.equipment, quantity) == ("facility", "pue"):
        series = [f / i for f, i in zip(year.facility_w, year.power_w["it"], strict=True) if i > 0]
    elif item.equipment in ("facility", "outdoor"):
        series = {
            "active_power": year.facility_w,
            "it_power": year.power_w["it"],
            "dry_bulb": year.hours.air.dry_bulb_c,
            "wet_bulb": year.hours.air.wet_bulb_c,
        }[quantity]
    elif quantity == "dew_point":
        low, high = found.cooling.chain.hall_dew_points_c
        return low, found.cooling.chain.room_dew_point_c, high
    else:
        return None
    values = np.broadcast_to(np.asarray(series, dtype=float), np.shape(series) or (1,)).tolist()
    return min(values), statistics.median(values), max(values)


def _at_design(found: Design, item: Any, quantity: str) -> float | None:
    """Return what a meter shows at the design hour, from powers and currents of its lines."""
    weather, network = found.facility.site.design, found.distribution.plan.network
    if item.equipment == "outdoor":
        return {"dry_bulb": weather.dry_bulb_c, "wet_bulb": weather.wet_bulb_c}[quantity]
    if item.equipment == "facility":
        return {
            "active_power": found.point.facility_w,
            "it_power": found.it.it_w,
            "pue": found.point.facility_w / found.it.it_w,
        }.get(quantity)
    if item.tag not in network.index or item.equipment.startswith("generator"):
        return None
    row, flow = network.index[item.tag], found.distribution.normal
    watts, va = float(flow.output_w[row, 0]), float(flow.output_va[row, 0])
    amperes = [float(a) for a in np.ravel(flow.current_a[row])]
    mean_a = math.fsum(amperes) / len(amperes)
    return {
        "active_power": watts,
        "apparent_power": va,
        "input_power": watts + float(flow.loss_w[row, 0]),
        "power_factor": watts / va if va > 1.0 else None,
        "current": max(amperes),
        "voltage": float(flow.voltage_pu[row, 0]) * (network[item.tag].voltage_v or 0.0),
        "imbalance": max(abs(a - mean_a) for a in amperes) / mean_a if mean_a else None,
    }.get(quantity)


def _servers(found: Design, at: str, model: str, range_: ExpectedRange) -> Iterator[str]:
    input_w = {
        placed.device.model: placed.input_w
        for rack in found.facility.it.racks
        for placed in rack.placed
    }[model]
    if range_.values != (None, input_w, input_w, input_w):
        yield f"{at}: {range_.values}, {input_w} W"


def _metered(
    found: Design, year: Any, hours: list[int], item: Any, quantity: str, range_: ExpectedRange
) -> Iterator[str]:
    """Panels and rack PDUs follow the racks at the three hours, the service the whole facility."""
    at = f"{item.tag} {quantity}"
    if quantity not in ("active_power", "current"):
        return
    assert range_.design is not None
    if item.equipment == "utility":
        if quantity == "active_power":
            for shown, hour in zip(range_.values, hours, strict=False):
                yield from differs(at, shown or 0.0, float(year.facility_w[hour]), _LOSS)
        return
    parts = sorted(float(year.load[hour]) for hour in hours)
    for shown, part in zip(range_.values, parts, strict=False):
        yield from differs(at, shown or 0.0, part * range_.design, 0.005)


def _sets(found: Design) -> Iterator[str]:
    """Without the utility the plant carries what the service did; its sets share that equally."""
    ranges = {
        (point.item.tag, point.quantity): point.expected
        for point in design_points(found)
        if point.item.equipment in ("generator-plant", "generator-set", "utility")
        and point.expected is not None
    }
    network = found.distribution.plan.network
    services = [one.tag for one in network.equipment if one.kind == "utility"]
    plants = [one for one in network.equipment if one.kind == "generator-plant"]
    service_w = sum(ranges[tag, "active_power"].design or 0.0 for tag in services)
    carried_w = sum(ranges[one.tag, "active_power"].high or 0.0 for one in plants)
    yield from differs("power of the sets", carried_w, service_w, 0.02)
    for one in plants:
        of_plant = ranges[one.tag, "active_power"]
        if (of_plant.low, of_plant.typical, of_plant.design) != (0.0, 0.0, None):
            yield f"{one.tag}: {of_plant.values} where the sets do not run"
        high_w = of_plant.high or 0.0
        for tag in one.unit_tags:
            each_w = ranges[tag, "active_power"].high or 0.0
            yield from differs(f"power of {tag}", each_w, high_w / len(one.unit_tags))
        apparent_va = ranges[one.tag, "apparent_power"].high or 0.0
        if not 0.8 < high_w / apparent_va <= 1.0:
            yield f"{one.tag}: {high_w} W of {apparent_va} VA"
        loading, sets = ranges[one.tag, "loading"].high or 0.0, found.chain.generators
        most = max(high_w / sets.rating_w, apparent_va / sets.rating_va)
        yield from differs(f"loading of {one.tag}", loading, most / len(one.unit_tags), 1e-6)


def _batteries(found: Design) -> Iterator[str]:
    keys = ("failure", "normal", "normal_new")
    wanted = [float(found.results[f"battery.autonomy_{key}"].si) for key in keys]
    for point in design_points(found):
        if point.quantity != "battery_time" or point.expected is None:
            continue
        if list(point.expected.values) != [*wanted, None]:
            yield f"{point.item.tag}: {point.expected.values}, by hand {wanted}"
