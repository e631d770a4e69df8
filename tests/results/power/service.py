"""The load of the service once more: one line for each sort of load, by NEC 220, 430.24 and 440."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from facility.power.service_load import service_load
from facility.study.design.design import Design

SQRT3 = math.sqrt(3.0)


class _Line(NamedTuple):
    connected_w: float
    demand_w: float
    factor: float
    times: float
    """What the continuous load counts of it."""


def _same(name: str, found: float, wanted: float) -> Iterator[str]:
    if not abs(found - wanted) <= 1e-7 * max(abs(found), abs(wanted), 1e-3):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def load_of_the_service(found: Design) -> Iterator[str]:
    """Every line, the largest motor, and the sum, with motors at their rating and at the hour."""
    chain, flow, demand, it = found.chain, found.point.flow, found.point.demand, found.it
    units = found.electrical_units
    connected_w = sum(one.count * one.input_w for one in it.devices)
    continuous = found.facility.criteria.continuous_factor
    for rated in (True, False):
        load = service_load(
            chain, flow, demand, units,
            it_connected_w=connected_w, rated_motors=rated, factor=continuous,
        )  # fmt: skip
        wanted = list(_lines(found, connected_w, continuous, rated=rated))
        yield from _same("lines of the service", len(load.lines), len(wanted))
        for one, line in zip(load.lines, wanted, strict=False):
            yield from _same(f"connected, {one.name}", one.connected_w, line.connected_w)
            yield from _same(f"demand, {one.name}", one.demand_w, line.demand_w)
            va = line.demand_w / line.factor
            yield from _same(f"kVA of {one.name}", one.demand_va, va)
            yield from _same(f"connected kVA of {one.name}", one.connected_va,
                             line.connected_w / line.factor)  # fmt: skip
            yield from _same(f"sized kVA of {one.name}", one.sized_va(continuous), va * line.times)
            if line.connected_w:
                part = line.demand_w / line.connected_w
                yield from _same(f"demand factor of {one.name}", one.demand_factor, part)
        motors = [u.rated_w for u in units if not u.on_ups]
        largest_va = max(motors, default=0.0) / chain.chain.mechanical_power_factor
        yield from _same("largest motor", load.largest_motor_va, largest_va)
        whole = sum(line.demand_w / line.factor * line.times for line in wanted)
        whole += 0.25 * largest_va if continuous > 1.0 else 0.0
        yield from _same("load of the service", load.total_va, whole)
        amperes = whole / (SQRT3 * chain.utility_voltage_v)
        yield from _same("current of the service", load.current_a, amperes)


def _lines(found: Design, connected_w: float, continuous: float, *, rated: bool) -> Iterator[_Line]:
    chain, flow, demand = found.chain, found.point.flow, found.point.demand
    ups, basis = chain.ups, chain.chain
    factor, beside_w = flow.ups.input_w / flow.ups.input_va, float(demand.mech_ups_w)
    yield _Line(connected_w, demand.it_w, factor, continuous)
    if beside_w > 0.0:
        yield _Line(beside_w, beside_w, factor, continuous)
    lost_w = flow.ups.input_w - demand.it_w - beside_w
    yield _Line(lost_w, lost_w, factor, continuous)
    for unit in found.electrical_units:
        if unit.on_ups:
            continue
        known_w = unit.duty * unit.rated_w if unit.rated_w else unit.hour_w
        here_w = known_w if rated else unit.hour_w
        yield _Line(known_w, here_w, basis.mechanical_power_factor, 1.0)
    yield _Line(demand.house_w, demand.house_w, basis.house_power_factor, continuous)
    above_w = flow.part("lv_board").loss_w + flow.part("transformer").loss_w
    if above_w > 0.0:
        yield _Line(above_w, above_w, 1.0, continuous)
    charge_w = basis.ups.recharge * ups.modules * ups.module.rating_w
    yield _Line(charge_w, charge_w, ups.module.input_power_factor, continuous)
