"""The cooling equipment as electrical loads: counts, rated input, power at the design hour."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.plant.sinks import Sink
from facility.core.rounding import whole_units
from facility.core.trace import Trace
from facility.model.cooling.units import Spares
from facility.model.power.mechanical import CoolingUnits, Drive
from facility.physics.plant.fans_pumps import pump_power

UNIT_TAGS: Mapping[str, str] = MappingProxyType(
    {
        "crah": "CRAH",
        "crac": "CRAC",
        "in-row": "IRC",
        "rear-door": "CRAH",
        "active-rear-door": "CRAH",
        "fan-wall": "FWU",
        "tower": "CT",
        "dry_cooler": "DC",
    }
)
"""Tag prefixes of air units and heat rejection, by type."""

_MIN_W = 1.0
"""Minimum power of equipment."""


def electrical_units(
    design: CoolingDesign, flow: CoolingFlow, hour: Trace, largest_pump_w: float
) -> tuple[CoolingUnits, ...]:
    """Return the cooling equipment as electrical loads; together they draw the cooling load.

    design, flow: The cooling as sized, and in operation at the design hour.
    hour: Steps of that hour, which divide the power of the fans.
    largest_pump_w: Electrical input of the largest pump; the minimum number of pumps per loop that
        it permits, with the spares of the served equipment.
    """
    pumps = _pumps(design, flow, largest_pump_w)
    found = (*_air(design, flow, hour), *pumps, *_plant(design, flow))
    return tuple(one for one in found if max(one.hour_w, one.rated_w) > _MIN_W)


def _units(  # noqa: PLR0913 - a row's columns
    tag: str,
    name: str,
    counts: tuple[int, int],
    powers_w: tuple[float, float],
    coolant: float,
    basis: str,
    spares: Spares,
    on_ups: bool = False,
    drive: Drive = "drive",
) -> CoolingUnits:
    """Return equal units, each rated for at least its power at the design hour.

    counts: Duty and installed.
    powers_w: Rated input of one, and power of all at the design hour.
    """
    (duty, installed), (rated_w, hour_w) = counts, powers_w
    rated_w = max(rated_w, hour_w / installed if installed else 0.0)
    return CoolingUnits(
        tag, name, drive, on_ups, installed, duty, rated_w, hour_w, coolant, basis, spares.stated
    )


def _unknown(
    tag: str, name: str, hour_w: float, *, on_ups: bool = False, drive: Drive = "drive"
) -> CoolingUnits:
    """Return a single load for equipment not counted by the cooling study."""
    basis = "single load: units not counted by the cooling study"
    return CoolingUnits(tag, name, drive, on_ups, 0, 0, 0.0, hour_w, 0.0, basis)


def _air(design: CoolingDesign, flow: CoolingFlow, hour: Trace) -> Iterator[CoolingUnits]:
    """Yield the fans of air units, rear doors and outdoor air, and the humidifiers."""
    plan, counts, path = design.chain.crah, design.counts, design.chain.crah.path
    on_ups = plan.on_ups

    def power(step: str) -> float:
        return float(hour.value(step)) if step in hour else 0.0

    for tag, name, unit, of, step in (
        (
            UNIT_TAGS[path.terminal],
            f"{path.unit_name}s",
            plan.unit,
            (counts.crah_duty, counts.crah),
            "crah.fan_power",
        ),
        (
            "CRAC-E" if path.refrigerant is not None else "CRAH-E",
            "air units, electrical rooms",
            path.electrical_unit,
            (counts.crah_electrical_duty, counts.crah_electrical),
            "crah.electrical.fan_power",
        ),
    ):
        basis = f"rated fan input, {unit.model}"
        powers_w = (unit.fan_w, power(step))
        yield _units(tag, name, of, powers_w, 0.0, basis, plan.spares, on_ups)
    yield _unknown("RD", "fans of rear doors", power("doors.fan_power"), on_ups=on_ups)
    yield _unknown("OAU", "outdoor air units", power("ventilation.fan_power"), on_ups=on_ups)
    yield _unknown("HUM", "humidifiers", flow.power.humidification_w, drive="load")
    yield _unknown("ECO", "fans of the air-side economizer", power("economizer.fan_power"))


def _pumps(design: CoolingDesign, flow: CoolingFlow, largest_w: float) -> Iterator[CoolingUnits]:
    """Yield the CDUs and the pumps of the water loops."""
    cdus, water, chilled = design.cdus, design.water, design.chilled
    on_ups, of_chilled = design.chain.chilled_water.pumps_on_ups, flow.coolant_of_chilled
    if cdus is not None:
        counts, unit = (cdus.on_duty, cdus.installed), cdus.plan.unit
        powers_w, basis = (unit.pump_w, flow.power.cdu_pumps_w), f"rated pump input, {unit.model}"
        plan = cdus.plan
        yield _units("CDU", "CDUs", counts, powers_w, 1.0, basis, plan.spares, plan.on_ups)
    basis = f"loop design flow and head, minimum number of pumps up to {largest_w / 1e3:g} kW"

    def loop(
        tag: str,
        name: str,
        powers_w: tuple[float, float],
        coolant: float,
        spares: Spares,
        on_ups: bool = False,
    ) -> CoolingUnits:
        whole_w, hour_w = max(powers_w), powers_w[1]
        duty = whole_units(whole_w / largest_w, minimum=1)
        counts, each_w = (duty, spares.installed(duty)), whole_w / duty
        return _units(tag, name, counts, (each_w, hour_w), coolant, basis, spares, on_ups)

    spares, parts = chilled.plan.chiller.spares, flow.power
    powers_w = chilled.pump.power_w, parts.chw_pumps_w
    yield loop("P-CHW", "chilled-water pumps", powers_w, of_chilled, spares, on_ups)
    powers_w = _pumps_of(chilled.sink), flow.rejection.pumps_w
    yield loop("P-CW", "condenser-water pumps", powers_w, of_chilled, spares)
    if water is None:
        return
    spares, powers_w = water.cdus.plan.spares, (water.pump.power_w, parts.fws_pumps_w)
    yield loop("P-FWS", "facility-water pumps", powers_w, 1.0, spares, on_ups)
    if water.sink is not None and flow.fws_rejection is not None:
        powers_w = _pumps_of(water.sink), flow.fws_rejection.pumps_w
        yield loop("P-TW", "tower-water pumps", powers_w, 1.0, spares)


def _pumps_of(sink: Sink) -> float:
    """Return the power of the heat rejection's own pumps at the design flow."""
    pump, loop = sink.plan.pump, sink.loop
    if pump is None or loop is None:
        return 0.0
    return float(pump_power.si(loop.flow_m3_s, loop.pump_head_pa, pump.efficiency))


def _plant(design: CoolingDesign, flow: CoolingFlow) -> Iterator[CoolingUnits]:
    """Yield chillers, or the compressors of CRACs, and the fans of the heat rejection."""
    chilled, counts, of_chilled = design.chilled, design.counts, flow.coolant_of_chilled
    hour_w, basis = flow.power.chillers_w, "input at its capacity, design weather"
    tag, name, of = "CH", "chillers", (chilled.on_duty, chilled.installed)
    if chilled.plan.direct:
        tag, name = "COMP", "compressors of the CRACs"
        duty = counts.crah_duty + counts.crah_electrical_duty
        of = duty, counts.crah + counts.crah_electrical
    powers_w = chilled.input_w / max(of[0], 1), hour_w
    on_ups = chilled.plan.compressors_on_ups
    spares = design.chain.crah.spares if chilled.plan.direct else chilled.plan.chiller.spares
    yield _units(tag, name, of, powers_w, of_chilled, basis, spares, on_ups, drive="compressor")
    yield _fans(chilled.sink, flow.rejection.fans_w, of_chilled, "of the chillers")
    if design.water is not None and design.water.sink is not None and flow.fws_rejection:
        own_w = flow.fws_rejection.fans_w
        yield _fans(design.water.sink, own_w, 1.0, "of the facility water", "-F")


def _fans(sink: Sink, hour_w: float, coolant: float, of: str, suffix: str = "") -> CoolingUnits:
    """Return the fans of towers or dry coolers; included in the input of air-cooled chillers."""
    if not sink.installed:
        return _unknown(f"FAN{suffix}", f"fans of the heat rejection {of}", hour_w)
    name = "tower cells" if sink.plan.kind == "tower" else "dry coolers"
    powers_w, counts = (sink.fan_w / max(sink.duty, 1), hour_w), (sink.on_duty, sink.installed)
    tag, basis = f"{UNIT_TAGS[sink.plan.kind]}{suffix}", "fan input at full speed"
    return _units(tag, f"{name} {of}", counts, powers_w, coolant, basis, sink.plan.spares)
