"""Checks of installed ratings, calculated once more: altitude, recharge, PDUs, sets, surplus."""

from __future__ import annotations

import math
from collections.abc import Iterator

from facility.core.check import Check
from facility.study.design.design import Design
from tests.results.power.plant import rows
from tests.results.power.sections import _switchgear
from tests.results.power.train import lagging

SQRT3 = math.sqrt(3.0)
Sides = tuple[float, float]


def _same(name: str, found: float, wanted: float) -> Iterator[str]:
    if not abs(found - wanted) <= 1e-7 * max(abs(found), abs(wanted), 1e-9):
        yield f"{name}: {found!r}, by hand {wanted!r}"


def ratings_of_the_equipment(found: Design) -> Iterator[str]:
    """Both sides of each check, from ratings, counts and the flow of the chain."""
    grown = found.facility.criteria.growth > 0.0
    sides = _altitude(found) | ({} if grown else _loads(found) | _surplus(found))
    for check in found.sizing_checks:
        if check.value is None or check.limit is None:
            continue
        for (rule, subject), (value, limit) in sides.items():
            if check.rule == rule and check.subject.startswith(subject):
                name = f"{rule} of {check.subject}"
                yield from _same(name, check.value, value)
                yield from _same(f"limit of {name}", check.limit, limit)
    yield from _fewer(found.sizing_checks, sides)
    yield from _chosen(found)


def _fewer(checks: tuple[Check, ...], sides: dict[tuple[str, str], Sides]) -> Iterator[str]:
    """Every check worked here is among those of the design."""
    for rule, subject in sides:
        if not any(c.rule == rule and c.subject.startswith(subject) for c in checks):
            yield f"no check {rule} of {subject or 'the design'}"


def _chosen(found: Design) -> Iterator[str]:
    """Nameplates and number of the machines of the power chain that was chosen."""
    chain = found.chain
    banks = [chain.transformers, *([] if chain.pdus is None else [chain.pdus])]
    units = [one.per_carrier * len(one.carriers) if one.present else 0 for one in banks]
    modules = chain.ups.modules_per_system * len(chain.ups.systems)
    watts = modules * chain.ups.module.rating_w + chain.generators.count * chain.generators.rating_w
    watts += sum(n * one.unit.rating_va for n, one in zip(units, banks, strict=True))
    for choice in found.choices:
        if choice.subject == "power chain":
            first = choice.candidates[0]
            yield from _same("installed power of the chain", first.installed_w, watts)
            yield from _same("machines of the chain", first.machines, modules + sum(units))


def left_at(equipment: str, height_m: float) -> float:
    """Return the part of a rating that an altitude leaves, straight between the rows."""
    points = sorted(
        (float(x["altitude_m"]), float(x["factor"]))
        for x in rows("electrical/altitude_ratings.csv")
        if x["equipment"] == equipment
    )
    below = [point for point in points if point[0] <= height_m]
    above = [point for point in points if point[0] > height_m]
    if not below or not above:
        return (below or above)[-1 if below else 0][1]
    (h0, f0), (h1, f1) = below[-1], above[0]
    return f0 + (f1 - f0) * (height_m - h0) / (h1 - h0)


def _altitude(found: Design) -> dict[tuple[str, str], Sides]:
    chain, height_m, rule = found.chain, found.facility.site.elevation_m, "ALTITUDE-RATING"
    basis = chain.chain
    sides = {
        (rule, "UPS"): (basis.ups.max_loading, left_at("UPS", height_m)),
        (rule, "LV breakers"): (height_m, 2000.0),
    }
    if chain.transformers.present:
        left = left_at("liquid-immersed transformer", height_m)
        sides[rule, "MV/LV"] = basis.transformer.max_loading, left
        sides[rule, "MV insulation"] = height_m, 1000.0
    if chain.pdus is not None:
        left = left_at("dry-type transformer", height_m)
        sides[rule, "PDU"] = basis.wiring.pdu_max_loading, left
    return sides


def _loads(found: Design) -> dict[tuple[str, str], Sides]:
    chain, flow, basis = found.chain, found.point.flow, found.chain.chain
    ups, bank, plant = chain.ups, chain.transformers, chain.generators
    sides: dict[tuple[str, str], Sides] = {}
    if bank.present:
        charge_w = basis.ups.recharge * ups.modules_per_system * ups.module.rating_w
        charge = lagging(charge_w, ups.module.input_power_factor)
        most_va = max(
            abs(
                complex(one.board_w, math.sqrt(one.board_va**2 - one.board_w**2)) * basis.unevenness
                + charge
            )
            for one in flow.systems
        )
        loading = most_va / (bank.per_carrier * bank.unit.rating_va)
        sides["TRANSFORMER-RECHARGE", ""] = loading, basis.transformer.max_loading
        spare = basis.transformer.spare * ups.buses
        if spare:
            needed = bank.duty_per_carrier + spare
            sides["TRANSFORMER-SPARE", ""] = bank.per_carrier, needed
    if chain.pdus is not None:
        origins = ups.buses * (len(ups.systems) - 1 if basis.scheme.reserve else 1)
        each, known = chain.pdus.per_carrier // origins, len(basis.pdu_peak_ratios)
        peak = basis.pdu_peak_ratios[min(each, known) - 1] * max(1.0, each / known)
        sides["PDU-LOADING", ""] = flow.pdus.failure * peak, basis.wiring.pdu_max_loading
    if plant.count:
        on_mv = plant.connection == "MV"
        bus_v = chain.utility_voltage_v if on_mv else basis.wiring.lv_voltage_v
        assembly = "mv-switchgear" if bus_v > 1000.0 else "lv-board"
        _, bus_a = _switchgear(assembly, found.facility.criteria.code, bus_v)
        load_a = flow.generators.load_va * max(basis.generator.section_parts) / (SQRT3 * bus_v)
        if bus_a:
            sides["GENERATOR-BUS-CURRENT", ""] = load_a, bus_a
        sections = len(plant.section_duty)
        if plant.count == plant.duty + plant.spare:
            on_bus = plant.section_duty[0] + plant.spare // sections
            sides["GENERATOR-ONE-BUS", ""] = on_bus, 32
    return sides


def _surplus(found: Design) -> dict[tuple[str, str], Sides]:
    """What the permitted loading leaves over the load of the worst designed state, at most two."""
    chain, flow, rule = found.chain, found.point.flow, "INSTALLED-SURPLUS"
    plant, basis = chain.generators, chain.chain
    used = max(flow.ups.loading.failure, flow.ups.loading_va.failure)
    sides = {(rule, "UPS"): (basis.ups.max_loading / used, 2.0)}
    if chain.transformers.present:
        ratio = basis.transformer.max_loading / flow.transformers.failure
        sides[rule, "transformers"] = ratio, 2.0
    if plant.count:
        sets = max(1, plant.count - plant.spare) * plant.derate
        by_w = flow.generators.load_w / (sets * plant.rating_w)
        by_va = flow.generators.load_va / (sets * plant.rating_va)
        sides[rule, "generators"] = plant.max_loading / max(by_w, by_va), 2.0
    return sides
