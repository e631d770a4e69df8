"""Heat pumps of heat users, shares of coolant in chilled water, powers along the path of power."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from facility.study.annual.study import annual
from facility.study.design.design import Design
from facility.study.transient.load.points import monitoring_points
from facility.study.transient.load.profile import Profile
from tests.results.second import KELVIN, differs


def heat_pump(found: Design) -> Iterator[str]:
    """Q_c = Q_e + W and Q_c / W = f T_c / (T_c - T_e), hour by hour; the ratios of the year."""
    reuse = found.cooling.chain.heat_reuse
    pump = reuse.heat_pump if reuse is not None else None
    if reuse is None or pump is None:
        return
    study = annual(found)
    year, results = study.year, study.results
    count, step = len(year.hours), year.hours.step_s
    flow = year.balance.cooling
    watts, reused = [0.0] * count, 0.0

    def spread(value: Any) -> list[float]:
        return np.broadcast_to(np.asarray(value, dtype=float), count).tolist()  # type: ignore[no-any-return]

    hot = reuse.temperature_c + pump.approach_k + KELVIN
    for state in (flow.rejection, flow.fws_rejection):
        if state is None:
            continue
        for n, (heat, made) in enumerate(
            zip(spread(state.reused_w), spread(state.water.leaving_c), strict=True)
        ):
            cold = made - pump.approach_k + KELVIN
            cop = pump.carnot_fraction * hot / (hot - cold)
            watts[n] += heat / (cop - 1.0)
            reused += heat
    energy, heat_j = math.fsum(watts) * step, reused * step
    whole = float(results["energy.annual"].si)
    it_j = float(results["energy.annual.it"].si)
    for key, wanted in (
        ("annual.heat_pump.peak", max(watts)),
        ("annual.heat_pump.energy", energy),
        ("annual.heat_pump.heat", heat_j + energy),
        ("annual.heat_pump.cop", (heat_j + energy) / energy),
        ("pue.with_heat_pump", (whole + energy) / it_j),
        ("erf.with_heat_pump", (heat_j + energy) / (whole + energy)),
    ):
        yield from differs(key, float(results[key].si), wanted)


def coolant_in_chilled_water(found: Design) -> Iterator[str]:
    """Part of the heat of the chilled water that its exchanger with the facility water brings."""
    flow = found.cooling_flow
    whole = flow.coils_w + flow.electrical_coils_w + flow.doors_w + flow.fresh_w
    whole += flow.fws_chilled_w
    share = flow.fws_chilled_w / whole if whole > 0.0 else 0.0
    yield from differs("coolant in chilled water", flow.coolant_of_chilled, share)


def powers_of_a_steady_load(found: Design) -> Iterator[str]:
    """A load that does not move has at every place the power of the design hour."""
    full = {place.id: place.profile.values for place in monitoring_points(found, Profile(
        np.array([0.0, 1.0]), np.array([1.0, 1.0])))}  # fmt: skip
    it, point = found.facility.it, found.point
    rack = max(sum(p.count * p.input_w for p in one.placed) for one in it.racks)
    wanted = {
        "rack": rack * it.demand_factor,
        "it": point.demand.it_w,
        "ups": sum(one.input_w for one in point.flow.systems),
        "utility": point.facility_w,
    }
    for id, power in wanted.items():
        yield from differs(f"power at {id}", float(full[id][0]), float(power))  # type: ignore[index]
    if found.chain.generators.count and found.chain.generators.connection == "MV":
        yield from differs("power at generator", float(full["generator"][0]), point.facility_w)
