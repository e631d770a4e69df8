"""The liquid path, resolved: coolant of each rack type, CDU candidates, criteria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
from facility.cooling.parts.fluids import drop_ratio
from facility.core.rounding import argmax_within_rounding
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling.chain import CduPlan
from facility.model.cooling.liquid import (
    CduCandidate,
    ColdPlate,
    LiquidPlan,
    RackCoolant,
    Requirement,
)
from facility.model.cooling.units import Fluid, RatedDrop
from facility.model.inputs.cooling.liquid import ColdPlateSection, LiquidPathSection
from facility.model.it import Device, ItPlan, Rack
from facility.physics.liquids.cold_plate import cold_plate_resistance, drop_between, flow_exponent
from facility.physics.liquids.coolant import coolant_flow_for_heat, tabulated
from facility.physics.liquids.pipes import scaled_pressure_drop
from facility.study.resolve.cooling.it import required_flow
from facility.study.resolve.cooling.parts import catalogue_unit, known_fluid
from facility.study.resolve.reader import Reader

_ID = "cooling.liquid"
_RISE_K = 10.0
_OF_DROPS = "PG25"
"""Assumed coolant of published rack pressure drops, which manufacturers rarely state."""
_PLATE = "OCP 1 kW OAM"
_DEFAULT_RACK = "rack without published drop"
_DESIGN_PRESSURE = ("TCS", "design pressure of the racks")
_BAR_PA = 1e5
_NEEDED = {
    "capacity_kw": "capacity",
    "atd_k": "approach",
    "secondary_flow_l_min": "coolant flow",
    "external_head_kpa": "head outside the unit",
}


def resolve_liquid_path(
    section: LiquidPathSection,
    plan: ItPlan,
    cdus: CduPlan,
    components: Mapping[str, RatedDrop],
    trace: Trace,
) -> LiquidPlan:
    """Return the basis of the liquid path checks."""
    pressure = table("cooling/liquid_commissioning").get(_DESIGN_PRESSURE)
    read = Reader(section, _ID, trace)
    usual = components[_DEFAULT_RACK]
    at_c = cdus.tcs_supply_c + 0.5 * _RISE_K
    fluid, where = cdus.fluid, "cooling.cdu.tcs_supply"
    density = float(tabulated(at_c, fluid.temperatures_c, fluid.densities_kg_m3, where))
    heat = float(tabulated(at_c, fluid.temperatures_c, fluid.specific_heats_j_kgk, where))
    flows: list[tuple[Rack, dict[str, float], bool]] = []
    for rack in plan.racks:
        known, by_device = True, {}
        for placed in rack.placed:
            liquid_w = placed.input_w * placed.device.liquid_fraction
            if liquid_w > 0.0:
                needed = required_flow(placed.device, cdus.tcs_supply_c, Trace())
                known = known and needed is not None
                balance = float(coolant_flow_for_heat.si(liquid_w, _RISE_K, density, heat))
                by_device[placed.device.model] = needed if needed is not None else balance
        if by_device:
            flows.append((rack, by_device, known))
    required = sum(r.count * _rack_flow(r, by_device) for r, by_device, _ in flows)
    scale = cdus.tcs_flow_m3_s / required if required > 0.0 else 1.0
    rated = known_fluid(_OF_DROPS)
    of_fluid = max(1.0, drop_ratio(fluid, rated, at_c))
    return LiquidPlan(
        racks=tuple(
            _with_fluid(_rack(rack, by, known, scale, usual), of_fluid, fluid.name)
            for rack, by, known in flows
        ),
        candidates=_candidates(cdus),
        mount=section.cdu_mount or "",
        head_margin=read("head_margin"),
        design_pressure_pa=read(
            "design_pressure",
            float(pressure.require("value")) * _BAR_PA,
            source=pressure.cite("value"),
        ),
        rack_volume_m3=read("rack_volume"),
        supply_classes=_classes("TCS"),
        water_classes=_classes("FWS"),
        cold_plate=_cold_plate(section.cold_plate, cdus.fluid.name, trace),
        requirements=tuple(
            Requirement(
                str(row["loop"]),
                str(row["item"]),
                float(row.require("value")),
                row.text("unit"),
                row.cite("value"),
            )
            for row in table("cooling/liquid_commissioning").rows
        ),
    )


def _with_fluid(rack: RackCoolant, of_fluid: float, name: str) -> RackCoolant:
    if of_fluid == 1.0:
        return rack
    basis = f"{rack.drop_basis}; times {of_fluid:.2f} with {name} instead of {_OF_DROPS}"
    return replace(rack, drop_pa=rack.drop_pa * of_fluid, drop_basis=basis, of_fluid=of_fluid)


def _rack_flow(rack: Rack, by_device: Mapping[str, float]) -> float:
    return sum(p.count * by_device.get(p.device.model, 0.0) for p in rack.placed)


def _rack(
    rack: Rack, by_device: Mapping[str, float], known: bool, scale: float, usual: RatedDrop
) -> RackCoolant:
    needed = _rack_flow(rack, by_device)
    drops = [
        _drop(p.device, by_device[p.device.model], scale, usual)
        for p in rack.placed
        if p.device.model in by_device
    ]
    drop_pa, basis, whole = drops[argmax_within_rounding([drop[0] for drop in drops])]
    return RackCoolant(
        name=rack.name,
        hall=rack.hall,
        count=rack.count,
        liquid_w=rack.liquid_w,
        air_w=rack.input_w - rack.liquid_w,
        needed_m3_s=needed if known else None,
        needed_basis="published flow of its devices"
        if known
        else f"no published flow: {_RISE_K:g} K rise",
        flow_m3_s=needed * scale,
        drop_pa=drop_pa,
        drop_basis=basis,
        with_manifold=whole,
    )


def _drop(
    device: Device, needed_m3_s: float, scale: float, usual: RatedDrop
) -> tuple[float, str, bool]:
    """Return the drop of a device at its flow, its basis, and whether it includes the manifold."""
    flow = needed_m3_s * scale
    rows = [
        row
        for row in table("equipment/liquid_flow_tables").select(system=device.model)
        if row["pressure_drop_kpa"] is not None
    ]
    if rows:
        flows = [row.si("required_flow_l_min") for row in rows]
        drops = [row.si("pressure_drop_kpa") for row in rows]
        if flows[0] <= flow <= flows[-1]:
            cited = rows[0].cite("pressure_drop_kpa")
            return drop_between(flow, flows, drops), f"published table, {cited}", True
        n = float(flow_exponent.si(flows[0], drops[0], flows[-1], drops[-1]))
        end = 0 if flow < flows[0] else -1
        found = float(scaled_pressure_drop.si(drops[end], flow / flows[end], n))
        return found, f"outside the published table: extrapolated with exponent {n:.2f}", True
    row = table("equipment/servers").index.get((device.model,))
    if row is not None and row["liquid_dp_kpa"] is not None:
        rated = row.si("liquid_flow_l_min")
        found = float(
            scaled_pressure_drop.si(row.si("liquid_dp_kpa"), flow / rated, usual.exponent)
        )
        return found, f"published for one node, {row.cite('liquid_dp_kpa')}", False
    return (
        float(scaled_pressure_drop.si(usual.drop_pa, scale, usual.exponent)),
        f"no published drop: {usual.drop_pa / 1e3:g} kPa at the required flow, {usual.source}",
        True,
    )


def _candidates(cdus: CduPlan) -> tuple[CduCandidate, ...]:
    """Return the CDUs of the catalogue, and a user-specified design unit."""
    unit, found = cdus.unit, _listed()
    if unit.source == PROJECT or unit.model not in {one.model for one in found}:
        missing = "" if unit.head_pa is not None else _NEEDED["external_head_kpa"]
        mount, head_pa = "as specified", unit.head_pa
        own = CduCandidate(
            unit.model, mount, unit, missing, head_pa, None, None, False, None, "", None
        )
        return (*(candidate for candidate in found if candidate.model != unit.model), own)
    return found


@per_catalogue(1)
def _listed() -> tuple[CduCandidate, ...]:
    """Return the CDUs of the catalogue."""
    water = known_fluid("water")
    return tuple(_candidate(row, water) for row in table("equipment/cdu").rows)


def _candidate(row: Row, water: Fluid) -> CduCandidate:
    missing = ", ".join(words for column, words in _NEEDED.items() if row[column] is None)
    to_air, unit, micron = str(row["rejects_to"]) != "water", None, row["secondary_filter_um"]
    if not to_air and all(row[column] is not None for column in list(_NEEDED)[:3]):
        unit = catalogue_unit(row, water, Trace())
    return CduCandidate(
        model=str(row["model"]),
        mount=str(row["mount"]),
        unit=unit,
        missing=missing,
        head_pa=row.si_or_none("external_head_kpa"),
        supply_min_c=row.si_or_none("secondary_supply_min_c"),
        supply_max_c=row.si_or_none("secondary_supply_max_c"),
        to_air=to_air,
        filter_um=float(micron) if micron is not None else None,
        pumps=row.text("pump_redundancy"),
        pump_spare=None if row["pump_spare"] is None else bool(row["pump_spare"]),
    )


def _classes(loop: str) -> tuple[tuple[str, float | None], ...]:
    rows = table("cooling/ashrae_liquid_classes").select(loop=loop)
    return tuple((str(row["liquid_class"]), row.si_or_none("t_supply_max_c")) for row in rows)


def _cold_plate(section: ColdPlateSection | None, fluid: str, trace: Trace) -> ColdPlate | None:
    if section is None:
        return None
    read = Reader(section, f"{_ID}.cold_plate", trace)
    power_w, flow_m3_s, case_max_c = (read(name) for name in ("chip_power", "flow", "case_max"))
    rows = table("cooling/cold_plates").select(plate=_PLATE, fluid=fluid)
    resistance = None
    if rows:
        flows = [row.si("flow_l_min") for row in rows]
        points = [row.si("resistance_k_w") for row in rows]
        where = f"{_ID}.cold_plate.flow"
        resistance = float(cold_plate_resistance(flow_m3_s, flows, points, where))
    trace.ledger.add_text(
        f"{_ID}.cold_plate.plate",
        _PLATE,
        "resistance of a published plate, used for this chip",
        DERIVED,
    )
    return ColdPlate(
        _PLATE,
        power_w,
        flow_m3_s,
        case_max_c,
        resistance,
        rows[0].cite("resistance_k_w") if rows else Source("ocp-cold-plate"),
    )
