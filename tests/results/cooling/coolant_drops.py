"""Coolant of each kind of rack once more: what it draws, what it drops, and the worst of them.

Between rows of a flow table drops are straight lines on logarithmic paper; a fluid other than that
of the published drops changes them by density^0.75 and viscosity^0.25 (Blasius).
"""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Iterator
from functools import cache

from facility.study.design.design import Design
from facility.study.resolve.cooling.parts import known_fluid
from tests.results.second import REFERENCE, differs
from tests.results.sized import _table

_L_MIN = 1e-3 / 60.0
_RISE_K = 10.0
_PUBLISHED = "PG25"


@cache
def _rows(name: str) -> tuple[dict[str, str], ...]:
    with (REFERENCE / name).open(encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


def _component(name: str) -> dict[str, str]:
    return next(x for x in _rows("cooling/component_drops.csv") if x["component"] == name)


def _flow_points(model: str) -> list[tuple[float, float, float]]:
    """Return supply [degC], flow [L/min] and drop [kPa] of the flow table of a rack."""
    return [
        (
            float(x["tcs_supply_temp_c"]),
            float(x["required_flow_l_min"]),
            float(x["pressure_drop_kpa"] or "nan"),
        )
        for x in _rows("equipment/liquid_flow_tables.csv")
        if x["system"] == model
    ]


def coolant_of_the_racks(found: Design) -> Iterator[str]:
    """Flow and drop of each kind of rack, the parts of the worst, and the head of the loop."""
    cooling = found.facility.cooling
    plan, cdu = cooling.liquid, cooling.cdu
    if plan is None or cdu is None:
        return
    supply_c, at_c = cdu.tcs_supply_c, cdu.tcs_supply_c + _RISE_K / 2.0
    rated, fluid = known_fluid(_PUBLISHED), 1.0
    if cdu.fluid.name != _PUBLISHED:
        thick, sticky = (
            _table(cdu.fluid, column, at_c) / _table(rated, column, at_c)
            for column in ("densities_kg_m3", "viscosities_pa_s")
        )
        fluid = max(1.0, thick**0.75 * sticky**0.25)
    per_k = _table(cdu.fluid, "densities_kg_m3", at_c) * _table(
        cdu.fluid, "specific_heats_j_kgk", at_c
    )
    needed: dict[str, dict[str, float]] = {}
    for rack in found.facility.it.racks:
        for placed in rack.placed:
            device, watts = placed.device, placed.input_w * placed.device.liquid_fraction
            if watts > 0.0:
                flow = _required(device.model, device.tcs_flow_m3_s, supply_c)
                flow = watts / (per_k * _RISE_K) if flow is None else flow
                needed.setdefault(rack.name, {})[device.model] = flow
    listed = {rack.name: rack for rack in found.facility.it.racks}
    counts = {name: {p.device.model: p.count for p in listed[name].placed} for name in needed}
    whole = sum(
        listed[name].count * sum(counts[name][m] * flow for m, flow in by.items())
        for name, by in needed.items()
    )
    scale = cdu.tcs_flow_m3_s / whole
    heads = []
    for rack in plan.racks:
        by = needed[rack.name]
        own = sum(counts[rack.name][m] * flow for m, flow in by.items())
        yield from differs(f"coolant of {rack.name}", rack.flow_m3_s, own * scale)
        drops = [_drop(model, flow, scale) for model, flow in by.items()]
        drop, with_hoses = max(drops)
        yield from differs(f"drop of {rack.name}", rack.drop_pa, drop * fluid, 1e-4)
        parts = [drop * fluid]
        if not with_hoses:
            hoses = _component("rack manifold and hoses")
            ratio = rack.flow_m3_s / (float(hoses["rated_flow_l_min"]) * _L_MIN)
            parts.append(1e3 * float(hoses["drop_kpa"]) * fluid
                         * ratio ** float(hoses["flow_exponent"]))  # fmt: skip
        parts.append(1e3 * float(_component("balancing valve")["drop_kpa"]))
        heads.append(parts)
    worst = max(heads, key=sum)
    loop = next(row for row in found.hydraulics.loops if row.name == "tcs")
    yield from differs("parts of the coolant loop", len(loop.parts), len(worst))
    for part, wanted in zip(loop.parts, worst, strict=False):
        yield from differs(f"drop of {part.name}", part.drop_pa, wanted, 1e-4)


def _required(model: str, rated_m3_s: float | None, supply_c: float) -> float | None:
    """Flow table at the supply, straight between its rows; else the rated flow of the device."""
    points = _flow_points(model)
    if not points:
        return rated_m3_s
    at = max(supply_c, points[0][0])
    for (t0, q0, _), (t1, q1, _) in itertools.pairwise(points):
        if t0 <= at <= t1:
            return (q0 + (q1 - q0) * (at - t0) / (t1 - t0)) * _L_MIN
    return points[-1][1] * _L_MIN


def _drop(model: str, needed_m3_s: float, scale: float) -> tuple[float, bool]:
    """Return the drop of a device at its flow, and whether that includes the manifold."""
    flow = needed_m3_s * scale / _L_MIN
    points = [(q, 1e3 * p) for _, q, p in _flow_points(model) if not math.isnan(p)]
    if points:
        low, high = next(
            (pair for pair in itertools.pairwise(points) if flow <= pair[1][0]),
            (points[0], points[-1]),
        )
        if flow < points[0][0] or flow > points[-1][0]:
            low, high = points[0], points[-1]
        power = math.log(high[1] / low[1]) / math.log(high[0] / low[0])
        end = low if flow <= points[-1][0] else high
        return end[1] * (flow / end[0]) ** power, True
    usual = _component("rack without published drop")
    power = float(usual["flow_exponent"])
    node = next((x for x in _rows("equipment/servers.csv") if x["model"] == model), None)
    if node is not None and node["liquid_dp_kpa"]:
        ratio = flow / float(node["liquid_flow_l_min"])
        return 1e3 * float(node["liquid_dp_kpa"]) * ratio**power, False
    return 1e3 * float(usual["drop_kpa"]) * scale**power, True
