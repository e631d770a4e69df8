"""Cooling equipment as electrical loads, worked once more for plants drawn at random."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

from facility.cooling.chain.electrical_units import electrical_units
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.model.cooling.units import Spares
from tests.results.second import differs

_TAGS = {"crah": "CRAH", "crac": "CRAC", "in-row": "IRC", "rear-door": "CRAH", "fan-wall": "FWU"}
_LARGEST_W = 75e3
Row = tuple[str, int, int, float, float, float, bool]
"""Tag, duty, installed, rated and hourly power [W], part of the coolant, whether on the UPS."""


def _sink(chance: Random, kind: str) -> Any:
    duty = 0 if kind == "air_cooled" else chance.randint(1, 6)
    pumped = kind == "tower"
    return SimpleNamespace(
        duty=duty, on_duty=max(duty - chance.randint(0, 1), 0),
        installed=duty + chance.randint(0, 2) if duty else 0,
        fan_w=chance.uniform(5e3, 90e3),
        plan=SimpleNamespace(
            kind=kind, spares=Spares("N+1", 1),
            pump=SimpleNamespace(efficiency=0.7) if pumped else None,
        ),
        loop=SimpleNamespace(flow_m3_s=chance.uniform(0.01, 0.5), pump_head_pa=2.1e5),
    )  # fmt: skip


def _plant(chance: Random, kind: str, terminal: str) -> tuple[Any, Any, Trace]:
    """Return a plant, its powers at the design hour, and the steps of these."""
    direct, liquid = terminal == "crac", chance.random() < 0.6
    ups, power = (chance.random() < 0.5, lambda: chance.uniform(2e3, chance.choice([10e3, 400e3])))
    counts = SimpleNamespace(crah_duty=7, crah=9, crah_electrical_duty=2, crah_electrical=3)
    unit = SimpleNamespace(model="H", fan_w=5.5e3)
    path = SimpleNamespace(
        terminal=terminal, unit_name=terminal, electrical_unit=unit,
        refrigerant="R" if direct else None,
    )  # fmt: skip
    crah = SimpleNamespace(path=path, unit=unit, on_ups=ups, spares=Spares("N+2", 2))
    duty = 0 if direct else chance.randint(1, 5)
    chilled = SimpleNamespace(
        plan=SimpleNamespace(
            direct=direct, compressors_on_ups=not ups,
            chiller=SimpleNamespace(spares=Spares("2N", 0, doubled=True)),
        ),
        pump=SimpleNamespace(power_w=power()), sink=_sink(chance, kind), input_w=power(),
        on_duty=duty, installed=2 * duty,
    )  # fmt: skip
    cdus, water = None, None
    if liquid:
        cdu = SimpleNamespace(unit=SimpleNamespace(model="C", pump_w=9e3), on_ups=True,
                              spares=Spares("N+1", 1))  # fmt: skip
        cdus = SimpleNamespace(on_duty=4, installed=5, plan=cdu)
        water = SimpleNamespace(
            cdus=cdus, pump=SimpleNamespace(power_w=power()), sink=_sink(chance, "tower")
        )
    chain = SimpleNamespace(crah=crah, chilled_water=SimpleNamespace(pumps_on_ups=ups))
    design = SimpleNamespace(
        chain=chain, counts=counts, cdus=cdus, water=water, chilled=chilled
    )  # fmt: skip
    parts = SimpleNamespace(
        humidification_w=chance.choice([0.0, power()]), cdu_pumps_w=power(), chw_pumps_w=power(),
        fws_pumps_w=power(), chillers_w=power(),
    )  # fmt: skip
    flow = SimpleNamespace(
        power=parts, coolant_of_chilled=chance.uniform(0.1, 0.9),
        rejection=SimpleNamespace(pumps_w=power(), fans_w=power()),
        fws_rejection=SimpleNamespace(pumps_w=power(), fans_w=power()) if liquid else None,
    )  # fmt: skip
    hour = Trace()
    for step in ("crah.fan_power", "crah.electrical.fan_power", "doors.fan_power"):
        hour.given(step, power(), "active_power", DERIVED)
    return design, flow, hour


def _pumps(tag: str, powers_w: tuple[float, float], spares: Spares, coolant: float, ups: bool,
           largest_w: float) -> Row:  # fmt: skip
    duty = max(math.ceil(max(powers_w) / largest_w - 1e-9), 1)
    installed = 2 * duty if spares.doubled else duty + spares.spare
    return tag, duty, installed, max(powers_w) / duty, powers_w[1], coolant, ups


def _lift_w(sink: Any) -> float:
    """Return the power of the pumps of a tower at their design flow."""
    if sink.plan.pump is None or sink.loop is None:
        return 0.0
    return float(sink.loop.flow_m3_s * sink.loop.pump_head_pa / sink.plan.pump.efficiency)


def rows_of(design: Any, flow: Any, hour: Trace, largest_w: float) -> Iterator[Row]:
    """Yield all that draws power for the cooling: units with their rating, others by power."""
    crah, counts, chilled = design.chain.crah, design.counts, design.chilled
    direct, share, parts = chilled.plan.direct, flow.coolant_of_chilled, flow.power
    ups, terminal = crah.on_ups, crah.path.terminal

    def at(step: str) -> float:
        return float(hour.value(step)) if step in hour else 0.0

    yield (_TAGS[terminal], counts.crah_duty, counts.crah, crah.unit.fan_w,
           at("crah.fan_power"), 0.0, ups)  # fmt: skip
    yield ("CRAC-E" if direct else "CRAH-E", counts.crah_electrical_duty, counts.crah_electrical,
           crah.path.electrical_unit.fan_w, at("crah.electrical.fan_power"), 0.0, ups)  # fmt: skip
    yield "RD", 0, 0, 0.0, at("doors.fan_power"), 0.0, ups
    yield "OAU", 0, 0, 0.0, at("ventilation.fan_power"), 0.0, ups
    yield "HUM", 0, 0, 0.0, parts.humidification_w, 0.0, False
    if design.cdus is not None:
        cdus = design.cdus
        yield ("CDU", cdus.on_duty, cdus.installed, cdus.plan.unit.pump_w, parts.cdu_pumps_w, 1.0,
               cdus.plan.on_ups)  # fmt: skip
    on_ups, spares = design.chain.chilled_water.pumps_on_ups, chilled.plan.chiller.spares
    powers_w = chilled.pump.power_w, parts.chw_pumps_w
    yield _pumps("P-CHW", powers_w, spares, share, on_ups, largest_w)
    powers_w = _lift_w(chilled.sink), flow.rejection.pumps_w
    yield _pumps("P-CW", powers_w, spares, share, False, largest_w)
    sinks = [("", chilled.sink, flow.rejection, share)]
    if design.water is not None:
        water, made = design.water, flow.fws_rejection
        powers_w = water.pump.power_w, parts.fws_pumps_w
        yield _pumps("P-FWS", powers_w, water.cdus.plan.spares, 1.0, on_ups, largest_w)
        if water.sink is not None:
            powers_w = _lift_w(water.sink), made.pumps_w
            yield _pumps("P-TW", powers_w, water.cdus.plan.spares, 1.0, False, largest_w)
            sinks.append(("-F", water.sink, made, 1.0))
    duty, installed = chilled.on_duty, chilled.installed
    if direct:
        duty = counts.crah_duty + counts.crah_electrical_duty
        installed = counts.crah + counts.crah_electrical
    each_w = chilled.input_w / max(duty, 1)
    yield ("COMP" if direct else "CH", duty, installed, each_w, parts.chillers_w, share,
           chilled.plan.compressors_on_ups)  # fmt: skip
    for suffix, sink, state, coolant in sinks:
        if sink.installed:
            tag = {"tower": "CT", "dry_cooler": "DC"}[sink.plan.kind]
            each_w = sink.fan_w / sink.duty
            yield (f"{tag}{suffix}", sink.on_duty, sink.installed, each_w, state.fans_w, coolant,
                   False)  # fmt: skip
        else:
            yield f"FAN{suffix}", 0, 0, 0.0, state.fans_w, 0.0, False


def installed_by_hand(rows: Iterator[Row]) -> tuple[float, int]:
    """Return the installed power [W] and the number of machines."""
    power_w, machines = 0.0, 0
    for _, _, installed, rated_w, hour_w, _, _ in rows:
        if max(rated_w, hour_w) > 1.0:
            power_w += max(installed * rated_w, hour_w)
            machines += installed
    return power_w, machines


def cooling_as_loads() -> Iterator[str]:
    """Number, rating and power of every unit: none rated for less than it draws."""
    chance = Random(8)
    for number, terminal in enumerate((*_TAGS, "crac") * 4):
        kind = ("tower", "dry_cooler", "air_cooled")[number % 3]
        case = _plant(chance, kind, terminal)
        shown = {
            one.tag: (one.tag, one.duty, one.installed, one.rated_w, one.hour_w, one.coolant,
                      one.on_ups)
            for one in electrical_units(*case, _LARGEST_W)
        }  # fmt: skip
        wanted = {row[0]: row for row in rows_of(*case, _LARGEST_W) if max(row[3], row[4]) > 1.0}
        if set(shown) != set(wanted):
            yield f"case {number}: {sorted(shown)}, by hand {sorted(wanted)}"
            continue
        for tag, row in wanted.items():
            at = f"{tag} of case {number}"
            found = shown[tag]
            if (found[1], found[2], found[6]) != (row[1], row[2], row[6]):
                yield f"{at}: {found}, by hand {row}"
            rated_w = max(row[3], row[4] / row[2]) if row[2] else 0.0
            yield from differs(f"rating of {at}", found[3], rated_w)
            yield from differs(f"power of {at}", found[4], row[4])
            yield from differs(f"coolant of {at}", found[5], row[5])
