"""Air and coolant requirements of the IT equipment: rises, flows, limits, hall shares."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facility.catalogue import table
from facility.cooling.air.air_side import SupplyAir, supply_air_at
from facility.core.errors import FacilityError
from facility.core.rounding import within
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Quiet, Trace
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import Device, ItPlan, Rack
from facility.physics.air.psychrometrics import standard_pressure
from facility.physics.air.sensible import (
    air_flow_for_heat,
    air_temperature_rise,
    server_rise_at_altitude,
)
from facility.physics.liquids.coolant import tabulated
from facility.study.resolve.reader import Reader

_CLASS_ROW = Source("class-crah-heat-balance", "", "", "memory")


@dataclass(frozen=True)
class RackRise:
    """Air of one rack type: heat, rise at the site, and fan capability."""

    rack: Rack
    heat_w: float
    rise_k: float
    sea_level_m3_s: float  # Flow for this heat at sea level
    max_m3_s: float  # Flow with all fans at full speed
    fans_w: float  # Power of the fans for the sea-level flow


@dataclass(frozen=True)
class ItAir:
    """Air of the IT equipment.

    `rise_k` is its mean rise, `racks` the air of each rack type, `halls` the share of the air
    heat of each hall, `inlet_limit_c` the minimum inlet limit of a device.
    """

    rise_k: float
    racks: tuple[RackRise, ...]
    halls: tuple[tuple[str, float], ...]
    inlet_limit_c: float | None


def devices_of(plan: ItPlan) -> Iterator[tuple[Rack, Device, int, float]]:
    """Yield rack, device, number in all such racks, and input power of one device."""
    for rack in plan.racks:
        for placed in rack.placed:
            yield rack, placed.device, rack.count * placed.count, placed.input_w


def air_fraction(device: Device, by_air: bool) -> float:
    """Return the fraction of device heat rejected to air."""
    return 1.0 if by_air else 1.0 - device.liquid_fraction


@dataclass(frozen=True)
class InletAir:
    """Equipment inlet air at site pressure and at sea level.

    Server fans are controlled by temperature: they maintain the rise, and thus the mass flow, by
    higher speed up to full speed.
    """

    air: SupplyAir
    sea_level: SupplyAir

    @classmethod
    def at(cls, supply_c: float, dew_point_c: float, pressure_pa: float) -> InletAir:
        """Return supply air of a temperature and dew point, at the site and at sea level."""
        site, low = (
            supply_air_at(supply_c, dew_point_c, pa, Quiet())
            for pa in (pressure_pa, float(standard_pressure.si(0.0)))
        )
        return cls(site, low)

    @property
    def volume_ratio(self) -> float:
        """Volume of air at the site over that at sea level, for the same heat and rise."""
        here, low = self.air, self.sea_level
        mass = low.specific_heat_j_kgk / here.specific_heat_j_kgk
        return mass * here.volume_m3_kg / low.volume_m3_kg


def it_air(
    section: CoolingSection,
    plan: ItPlan,
    by_air: bool,
    default_rise_k: float,
    inlet: InletAir,
    trace: Trace,
) -> ItAir:
    """Return the air the equipment needs.

    The mean rise is total heat over total air flow: sum of q over sum of
    q / dT. A device of unknown air flow uses `default_rise_k` at sea level.
    """
    read = Reader(section, "cooling", trace)
    fans = _ServerFans(read("server_airflow_reserve"), read("server_fan_power"))
    rises = {
        device.model: _rise(device, by_air, default_rise_k, inlet.sea_level, trace)
        for _, device, _, _ in devices_of(plan)
    }
    racks = [_rack_rise(r, by_air, rises, default_rise_k, fans, inlet) for r in plan.racks]
    mean_k = _mean_rise([(r.rack.count * r.heat_w, r.rise_k) for r in racks], default_rise_k)
    if section.server_delta_t is not None:
        mean_k = trace.given(
            "cooling.server_rise", section.server_delta_t.si, "temperature_difference", PROJECT
        )
        racks = [replace(rack, rise_k=mean_k) for rack in racks]
    else:
        trace.choose(
            "cooling.server_rise",
            mean_k,
            "temperature_difference",
            "total air heat over total equipment air flow, at site fan speed",
            DERIVED,
            reserve="cooling.server_airflow_reserve",
            **{f"rise_{i}": f"cooling.server_rise.{model}" for i, model in enumerate(rises)},
        )
    limits = [d.inlet_max_c for _, d, _, _ in devices_of(plan) if d.inlet_max_c is not None]
    return ItAir(mean_k, tuple(racks), _halls(racks), min(limits, default=None))


@dataclass(frozen=True)
class _ServerFans:
    """Fans of servers: maximum over published flow, and power over the published flow."""

    reserve: float
    w_per_m3_s: float


def _rack_rise(
    rack: Rack, by_air: bool, rises: dict[str, float], default_rise_k: float,
    fans: _ServerFans, inlet: InletAir,
) -> RackRise:  # fmt: skip
    """Return the air of a rack type, with devices at their input.

    Air flow of a device below its maximum is proportional; its fans have more reserve.
    """
    heats, sea_level, limit, fans_w = [], 0.0, 0.0, 0.0
    low = inlet.sea_level
    for placed in rack.placed:
        heat_w = placed.count * placed.input_w * air_fraction(placed.device, by_air)
        if heat_w <= 0.0:
            continue
        low_k, load = rises[placed.device.model], min(placed.input_w / placed.device.maximum_w, 1.0)
        rise_k = float(server_rise_at_altitude.si(low_k, load, inlet.volume_ratio, fans.reserve))
        heats.append((heat_w, rise_k))
        drawn = float(
            air_flow_for_heat.si(heat_w, low_k, low.volume_m3_kg, low.specific_heat_j_kgk)
        )
        sea_level += drawn
        limit += drawn / load * fans.reserve
        fans_w += fans.w_per_m3_s * drawn * load**2
    total_w = sum(q for q, _ in heats)
    return RackRise(rack, total_w, _mean_rise(heats, default_rise_k), sea_level, limit, fans_w)


def _mean_rise(heats: list[tuple[float, float]], default_k: float) -> float:
    flow = sum(q / rise for q, rise in heats)
    return sum(q for q, _ in heats) / flow if flow > 0.0 else default_k


def _rise(device: Device, by_air: bool, default_k: float, air: SupplyAir, trace: Trace) -> float:
    id = f"cooling.server_rise.{device.model}"
    planned = _planned_flow(device.model)
    if planned is not None:
        flow, source = planned
        return trace.given(
            id,
            air.volume_m3_kg / (air.specific_heat_j_kgk * flow),
            "temperature_difference",
            source,
            "facility air of the manufacturer's planning guide, at sea level",
        )
    if device.airflow_m3_s is None or air_fraction(device, by_air) <= 0.0:
        return trace.assume(
            id,
            default_k,
            "temperature_difference",
            "no published air flow: temperature drop across the air handlers",
            _CLASS_ROW,
        )
    return float(
        trace.do(
            id,
            air_temperature_rise,
            "data-sheet maximum and air flow, at sea level",
            heat_w=device.maximum_w * air_fraction(device, by_air),
            air_flow_m3_s=device.airflow_m3_s,
            specific_volume_m3_kg=air.volume_m3_kg,
            specific_heat_j_kgk=air.specific_heat_j_kgk,
        )
    )


def published_air(device: Device, input_w: float) -> float | None:
    """Return the air that a device of `input_w` draws from its planning guide or data sheet."""
    planned = _planned_flow(device.model)
    if planned is not None:
        return planned[0] * input_w
    if device.airflow_m3_s is None:
        return None
    return device.airflow_m3_s * input_w / device.maximum_w


def drawn_by(rack: Rack) -> float | None:
    """Return the air that a rack draws from device data; None if any is missing."""
    flows = [(p.count, published_air(p.device, p.input_w)) for p in rack.placed]
    known = [count * flow for count, flow in flows if flow is not None]
    return sum(known) if len(known) == len(flows) else None


def _planned_flow(model: str) -> tuple[float, Source] | None:
    """Return the facility air per power required by a manufacturer's planning guide."""
    for row in table("equipment/design_guide").select(system=model):
        flow = row.si_or_none("facility_airflow_cfm_per_kw")
        if flow is not None:
            return flow, row.cite("facility_airflow_cfm_per_kw")
    return None


def _halls(racks: list[RackRise]) -> tuple[tuple[str, float], ...]:
    """Return the share of each hall in the air heat, or in the racks without air heat."""
    weights: dict[str, float] = {}
    total = sum(found.rack.count * found.heat_w for found in racks)
    for found in racks:
        rack, heat_w = found.rack, found.heat_w
        weights[rack.hall] = weights.get(rack.hall, 0.0) + rack.count * (heat_w if total else 1.0)
    whole = sum(weights.values())
    return tuple((hall, weight / whole) for hall, weight in weights.items())


@dataclass(frozen=True)
class CoolantNeed:
    """Rack coolant: flow required by rack data, and heat of racks without data."""

    flow_m3_s: float
    unknown_w: float
    liquid_w: float
    supply_max_c: float | None


def coolant_need(plan: ItPlan, supply_c: float, trace: Trace) -> CoolantNeed:
    """Return the coolant of all racks together at a supply temperature.

    A device with a table of flow against supply temperature uses the table, interpolated between
    its rows; another uses its rated flow; without either, the heat balance applies.
    """
    flow = unknown_w = liquid_w = 0.0
    limits = []
    for _, device, count, input_w in devices_of(plan):
        heat_w = count * input_w * device.liquid_fraction
        if heat_w <= 0.0:
            continue
        liquid_w += heat_w
        needed = required_flow(device, supply_c, trace)
        flow += count * needed if needed is not None else 0.0
        unknown_w += 0.0 if needed is not None else heat_w
        if device.tcs_supply_max_c is not None:
            limits.append(device.tcs_supply_max_c)
    share = plan.demand_factor * plan.diversity
    return CoolantNeed(flow, unknown_w * share, liquid_w * share, min(limits, default=None))


def coolant_limits(plan: ItPlan) -> list[float]:
    """Return the maximum coolant temperature of each device: limit, and end of its flow table."""
    found = []
    for _, device, _, _ in devices_of(plan):
        if device.tcs_supply_max_c is not None:
            found.append(device.tcs_supply_max_c)
        rows = table("equipment/liquid_flow_tables").select(system=device.model)
        found += [max(row.si("tcs_supply_temp_c") for row in rows)] if rows else []
    return found


def _refuse_beyond_table(model: str, warmest_c: float, supply_c: float) -> None:
    if not within(supply_c, warmest_c):
        raise FacilityError(
            "OUT_OF_RANGE",
            "cooling.cdu.tcs_supply",
            f"{supply_c:.1f} degC coolant exceeds the flow table of {model}, which ends at "
            f"{warmest_c:g} degC.",
            "Lower cooling.cdu.tcs_supply or the facility water temperature.",
        )


def required_flow(device: Device, supply_c: float, trace: Trace) -> float | None:
    """Return the coolant flow required by one device at a supply temperature; None if unknown.

    Below the coldest row of its table, that row's flow applies: colder coolant never requires more.

    Raises ``OUT_OF_RANGE`` above the warmest row.
    """
    id = f"cooling.rack_flow.{device.model}"
    rows = table("equipment/liquid_flow_tables").select(system=device.model)
    if rows:
        _refuse_beyond_table(device.model, rows[-1].si("tcs_supply_temp_c"), supply_c)
        temperatures = [row.si("tcs_supply_temp_c") for row in rows]
        flows = [row.si("required_flow_l_min") for row in rows]
        at_c = max(supply_c, temperatures[0])
        flow = float(tabulated(at_c, temperatures, flows, "cooling.cdu.tcs_supply"))
        return trace.given(
            id,
            flow,
            "liquid_flow",
            rows[0].cite("required_flow_l_min"),
            f"required at {at_c:g} degC supply",
        )
    if device.tcs_flow_m3_s is None:
        return None
    return trace.given(id, device.tcs_flow_m3_s, "liquid_flow", device.source, "rated flow")
