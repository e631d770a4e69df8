"""The Cooling equipment sheet: schedules of air units, CDUs, pumps, chillers, heat rejection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from facility.cooling.air.crah import CrahDesign
from facility.cooling.chain.electrical_units import UNIT_TAGS
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.hydraulics.study import Hydraulics
from facility.cooling.plant.chilled_water import ChilledWater
from facility.cooling.plant.sinks import Sink
from facility.cooling.room.study import RoomAir
from facility.core.rounding import OVER
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.cooling.units import CrahUnit
from facility.physics.plant.chiller.lift import lift_cop
from facility.physics.plant.fans_pumps import pump_power
from facility.physics.plant.tower.yorkcalc import yorkcalc_approach
from facility.report.sheet.grid import Column, GridValue, SheetTable, Values
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.design.design import Design

_W, _HEAT, _C, _K = "active_power", "heat_flow", "temperature", "temperature_difference"
_AIR, _FLOW, _PA = "air_flow", "liquid_flow", "pressure"
_WHAT: tuple[Column[Values], ...] = (
    Column("tag", "Tag", 20, style="finding"),
    Column("service", "Service", 22, style="cell"),
    Column("model", "Model", 30, style="finding"),
    Column("supply", "Supply", 13, style="cell"),
    Column("source", "Source of the rating", 36, style="finding"),
    Column("duty", "Duty", 8, "count"),
    Column("installed", "Installed", 10, "count"),
)


def _is(id: str) -> Callable[[Values], str]:
    return lambda _: id


def _of_sink(name: str) -> Callable[[Values], str]:
    return lambda row: f"{_SUBJECTS[str(row['service'])]}.{name}"


def _of_loop(name: str) -> Callable[[Values], str]:
    return lambda row: f"loop.{row['loop']}.{name}"


_SUBJECTS = {"chillers": "plant.rejection", "facility water": "fws.rejection"}
"""Trace prefix of the heat rejection by service."""


def _equipment(title: str, *columns: Column[Values]) -> SheetTable[Values]:
    """Return the table of one equipment type, with its criteria marked."""
    conditions = {"held": '{}="CHECK"', "left": "{}<0"}
    marks = tuple((c.key, conditions[c.key], "warn") for c in columns if c.key in conditions)
    return SheetTable(title, (*_WHAT, *columns), 54, marks)


_AIR_UNITS = _equipment(
    "Air units",
    Column("capacity", "Rated: net sensible (kW)", 10, _HEAT),
    Column("airflow", "Rated: air (m³/s)", 10, _AIR),
    Column("return", "Rated: return air (°C)", 10, _C),
    Column("water_in", "Rated: water in (°C)", 10, _C),
    Column("water_out", "Rated: water out (°C)", 10, _C),
    Column("fan", "Rated: fan (kW)", 10, _W, number_format="n2"),
    Column("total", "Heat removed, all (kW)", 10, _HEAT),
    Column("each", "Each duty unit (kW)", 10, _HEAT, "{total}/{duty}"),
    Column("most", "Unit capacity, spares lost (kW)", 10, _HEAT),
    Column("water", "Water, each duty unit (L/min)", 10, _FLOW),
    Column("dn", "Connection DN", 11, "count"),
    Column("air", "Air, all (m³/s)", 10, _AIR),
    Column(
        "speed", "Airflow per unit, share of rated", 10, "fraction", "{air}/({installed}*{airflow})"
    ),
    Column("sound", "Sound power (dB re 1 pW)", 10, "ratio", number_format="n1"),
    Column("held", "Heat", 9, "verdict", 'IF({each}<={most}*(1+0.000001),"OK","CHECK")'),
)
_OUTDOOR_AIR = _equipment(
    "Outdoor air units",
    Column("air", "Outdoor air, all (m³/s)", 10, _AIR, id=_is("air.ventilation")),
    Column("supply_c", "Supply air (°C)", 10, _C),
    Column("dew", "Dew point of the halls (°C)", 10, _C),
    Column("total", "Cooling and drying, all (kW)", 10, _HEAT, id=_is("heat.ventilation")),
    Column("fan", "Fans, all (kW)", 10, _W, number_format="n2", id=_is("ventilation.fan_power")),
)
_CDUS = _equipment(
    "Coolant distribution units",
    Column("capacity", "Rated: heat (kW)", 10, _HEAT),
    Column("approach", "Rated: approach (K)", 10, _K),
    Column("tcs", "Rated: coolant (L/min)", 10, _FLOW),
    Column("fws", "Rated: facility water (L/min)", 10, _FLOW),
    Column("supply_c", "Rated: coolant supply (°C)", 10, _C),
    Column("pump", "Rated: pump (kW)", 10, _W, number_format="n2"),
    Column("head", "Rated: available head (kPa)", 10, _PA),
    Column("total", "Sizing heat, with pumps (kW)", 10, _HEAT),
    Column("each", "Each duty unit (kW)", 10, _HEAT, "{total}/{duty}"),
    Column("flow", "Coolant, each duty unit (L/min)", 11, _FLOW),
    Column("needed", "Required approach (K)", 10, _K, number_format="n2"),
    Column("there", "Available approach (K)", 10, _K, number_format="n2"),
    Column("held", "Approach", 10, "verdict", 'IF({needed}<={there}+0.000001,"OK","CHECK")'),
)
_PUMP = pump_power.in_cells(flow_m3_s="{flow}", head_pa="{head}", efficiency="{efficiency}")
_PUMPS = _equipment(
    "Pumps of the water loops",
    Column("flow", "Flow, design (L/min)", 10, _FLOW, id=_of_loop("flow")),
    Column("head", "Head (kPa)", 10, _PA, id=_of_loop("head_given")),
    Column("efficiency", "Efficiency, wire to water", 10, "fraction"),
    Column("power", "Power (kW)", 10, _W, _PUMP),
    Column("found", "Calculated head (kPa)", 10, _PA, id=_of_loop("head")),
    Column("left", "Head margin (kPa)", 10, _PA, "{head}-{found}"),
    Column("running", "Flow, design hour (L/min)", 10, _FLOW),
    Column("hour", "Power, design hour (kW)", 10, _W),
)
_CHILLERS_AT_DESIGN: tuple[Column[Values], ...] = (
    Column(
        "capacity", "Capacity, each, at design (kW)", 10, _HEAT, id=_is("plant.chiller_capacity")
    ),
    Column("load", "Sizing load (kW)", 10, _HEAT),
    Column("part", "Duty units loaded", 10, "fraction", "{load}/({duty}*{capacity})"),
    Column("leaving", "Water leaving (°C)", 10, _C),
    Column("entering", "Water entering (°C)", 10, _C),
    Column("evaporating", "Evaporating (°C)", 11, _C, id=_is("plant.evaporating")),
    Column("condensing", "Condensing (°C)", 11, _C, id=_is("plant.condensing")),
    Column("lift", "Lift (K)", 10, _K, "{condensing}-{evaporating}"),
)
_LIFT_COP = lift_cop.in_cells(
    fraction="{carnot}",
    evaporating_c="{evaporating}",
    condensing_c="{condensing}",
    min_lift_k="{least}",
    cop_limit="{limit}",
)
_CHILLERS = _equipment(
    "Chillers",
    *_CHILLERS_AT_DESIGN,
    Column("carnot", "Fraction of Carnot COP", 10, "ratio"),
    Column("limit", "Maximum COP", 10, "ratio", number_format="n1"),
    Column("least", "Minimum lift (K)", 10, _K),
    Column("cop", "COP, design hour", 10, "ratio", _LIFT_COP, id=_is("plant.chiller_cop")),
    Column("power", "Power, design hour, all (kW)", 11, _W, id=_is("plant.chiller_power")),
)
_CHILLERS_BY_CURVES = _equipment(
    "Chillers",
    *_CHILLERS_AT_DESIGN,
    Column("rated", "Rated: capacity (kW)", 10, _HEAT),
    Column("rated_cop", "Curves: COP at reference", 10, "ratio"),
    Column("chiller_load", "Load, design hour, all (kW)", 10, _HEAT, id=_is("plant.chiller_load")),
    Column("cop", "COP, design hour", 10, "ratio", id=_is("plant.chiller_cop")),
    Column("power", "Power, design hour, all (kW)", 11, _W, "{chiller_load}/{cop}",
           id=_is("plant.chiller_power")),
)  # fmt: skip
_SINKS = _equipment(
    "Heat rejection",
    Column("total", "Sizing heat (kW)", 10, _HEAT),
    Column("each", "Each duty unit (kW)", 10, _HEAT, "{total}/{duty}"),
    Column("range", "Range (K)", 10, _K, number_format="n2"),
    Column("outdoor", "Wet or dry bulb (°C)", 10, _C),
    Column("rise", "Recirculation rise (K)", 10, _K),
    Column("pads", "Wetted-pad cooling (K)", 10, _K),
    Column("air", "Air in (°C)", 10, _C, "{outdoor}+{rise}-{pads}"),
    Column("water", "Leaving, design hour (°C)", 10, _C, id=_of_sink("water")),
    Column("approach", "Approach (K)", 10, _K, "{water}-{air}", number_format="n2"),
    Column("flow", "Flow, design hour (L/min)", 11, _FLOW, id=_of_sink("flow")),
    Column("fans", "Fans, all duty, full speed (kW)", 10, _W),
    Column("hour", "Fans, design hour (kW)", 10, _W, id=_of_sink("fan_power")),
)
_RECALLED = "unverified (no source read)"
_OF_THE_LOOP = (
    "Flow and power are for the whole loop; the pumps that share them are listed on the sheet "
    "Mechanical circuits. CDUs have internal pumps."
)
_Row = dict[str, GridValue]


@dataclass(frozen=True)
class EquipmentFacts:
    """Cooling as designed and operating at one hour, with its studies.

    `trace` belongs to the design, `hour` to the operating hour.
    """

    design: CoolingDesign
    flow: CoolingFlow
    room: RoomAir
    hydraulics: Hydraulics
    trace: Trace
    hour: Trace

    @classmethod
    def of(cls, design: Design, flow: CoolingFlow, hour: Trace) -> EquipmentFacts:
        """Return the facts of a design operating at one hour."""
        studies = (design.room_air, design.hydraulics)
        return cls(design.cooling, flow, *studies, design.trace, hour)

    def step(self, id: str) -> float | None:
        """Return a trace step of the hour; None if the plant has none."""
        return float(self.hour.value(id)) if id in self.hour else None


def equipment_sheet(name: str, facts: EquipmentFacts, page_setup: PageSetup) -> Sheet:
    """Return the equipment schedules, one table per equipment type."""
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(1, 2)), freeze=(1, 3))
    write_heading(
        sheet,
        "Cooling equipment",
        "Counts, rating points and duty of each unit at the design conditions. Black numbers are "
        "live; heats and flows are for the design hour unless a heading says sizing.",
    )
    row = 4
    for table, rows, note in equipment(facts):
        row = table.write(sheet, row, rows).row
        if note:
            sheet.put(row, 1, note, "subtitle")
        row += 2
    sheet.set_widths(*(column.width for column in _AIR_UNITS.columns))
    fit_heights(sheet, 3)
    return sheet


def equipment(facts: EquipmentFacts) -> Iterator[tuple[SheetTable[Values], list[_Row], str]]:
    """Yield table, rows and note of each equipment type in the design."""
    for table, rows, note in (
        (_AIR_UNITS, _air_units(facts), ""),
        (_OUTDOOR_AIR, _outdoor_air(facts), "The number of units is left to the detailed design."),
        (_CDUS, _cdus(facts), ""),
        (_PUMPS, _pumps(facts), _OF_THE_LOOP),
        (
            _CHILLERS if facts.design.chilled.curves is None else _CHILLERS_BY_CURVES,
            _chillers(facts),
            _chiller_note(facts.design),
        ),
        (_SINKS, _sinks(facts), ""),
    ):
        found = list(rows)
        if found:
            yield table, found, note


def _chiller_note(design: CoolingDesign) -> str:
    if design.chilled.plan.chiller.capacity_w is not None:
        return ""
    if design.chilled.curves is not None:
        return (
            "Each is the machine of the curve set, scaled so that its capacity at the design hour "
            "equals the sizing load per duty unit."
        )
    return (
        "The capacity equals the sizing load per duty unit; only the efficiency is taken from the "
        "model named."
    )


def tag_range(prefix: str, installed: int) -> str:
    """Return the tag range of equal units."""
    if installed < 2:
        return f"{prefix}-1" if installed else "none"
    return f"{prefix}-1 to {prefix}-{installed}"


def supply_text(on_ups: bool) -> str:
    """Return the power supply of a cooling part."""
    return "UPS" if on_ups else "generator"


def _source(source: Source, from_memory: bool) -> str:
    text = str(source)
    return f"{text}; {_RECALLED}" if from_memory and source.verified != "memory" else text


def _what(
    prefix: str, service: str, model: str, supply: str, source: str, duty: int, installed: int
) -> _Row:
    values = (tag_range(prefix, installed), service, model, supply, source, duty, installed)
    return dict(zip((column.key for column in _WHAT), values, strict=True))


def _air_units(facts: EquipmentFacts) -> Iterator[_Row]:
    chain, flow = facts.design.chain, facts.flow
    path, supply = chain.crah.path, supply_text(chain.crah.on_ups)
    prefix = UNIT_TAGS[path.terminal]
    of_kind: dict[str, tuple[str, str, CrahUnit, float, float]] = {
        path.unit_name: (prefix, "halls", chain.crah.unit, flow.crah_airflow_m3_s, flow.coils_w),
        "electrical rooms": (
            "CRAC-E" if path.refrigerant is not None else "CRAH-E", "electrical rooms",
            path.electrical_unit, flow.electrical_airflow_m3_s, flow.electrical_coils_w,
        ),
    }  # fmt: skip
    if path.door is not None:
        of_kind["rear door"] = (
            "RD", "racks; water of the heaviest", path.door, facts.step("air.it_flow") or 0.0,
            flow.doors_w,
        )  # fmt: skip
    for row in facts.room.units:
        if not row.installed:
            continue
        tag, service, unit, air, heat_w = of_kind[row.name]
        source = _source(unit.source, unit.from_memory)
        wet = row.connection_dn is not None
        capacity_w = _coil_capacity(facts.design.crah) if row.name == path.unit_name else None
        yield {
            **_what(tag, service, unit.model, supply if unit.fan_w else "none", source, row.duty,
                    row.installed),
            "capacity": unit.net_sensible_w, "airflow": unit.air_flow_m3_s,
            "return": unit.return_air_c, "water_in": unit.water_in_c if wet else None,
            "water_out": unit.water_out_c if wet else None, "fan": unit.fan_w,
            "total": heat_w, "each": heat_w / max(row.duty, 1), "most": capacity_w,
            "water": row.water_m3_s if wet else None, "dn": row.connection_dn, "air": air,
            "speed": air / (row.installed * unit.air_flow_m3_s),
            "sound": row.sound_db,
            "held": None if capacity_w is None
            else "OK" if row.heat_w <= capacity_w * OVER else "CHECK",
        }  # fmt: skip


def _outdoor_air(facts: EquipmentFacts) -> Iterator[_Row]:
    chain = facts.design.chain
    crah, air_m3_s = chain.crah, chain.crah.path.room.ventilation_m3_s
    if air_m3_s > 0.0:
        source = str(facts.trace["cooling.air.ventilation"].source)
        cells = (
            "OAU",
            "outdoor air of the halls",
            "not selected",
            supply_text(crah.on_ups),
            source,
        )
        yield {
            **dict(zip((column.key for column in _WHAT), cells, strict=False)),
            "air": air_m3_s, "supply_c": crah.supply_air_c, "dew": chain.room_dew_point_c,
            "total": facts.step("heat.ventilation"), "fan": crah.path.room.ventilation_fans_w,
        }  # fmt: skip


def _coil_capacity(crah: CrahDesign) -> float | None:
    """Return the sizing heat per coil with the spares lost; None if none remains."""
    return crah.remaining_capacity_w / crah.remaining if crah.remaining else None


def _cdus(facts: EquipmentFacts) -> Iterator[_Row]:
    cdus, water = facts.design.cdus, facts.design.water
    if cdus is None or water is None:
        return
    plan, unit, duty = cdus.plan, cdus.plan.unit, cdus.on_duty
    total = cdus.sizing_heat(duty)
    there = plan.tcs_supply_c - water.plan.supply_c
    yield {
        **_what("CDU", f"coolant of the racks, {plan.fluid.name}", unit.model,
                supply_text(plan.on_ups), _source(unit.source, unit.from_memory), duty,
                cdus.installed),
        "capacity": unit.capacity_w, "approach": unit.approach_k, "tcs": unit.tcs_flow_m3_s,
        "fws": unit.fws_flow_m3_s, "supply_c": unit.tcs_supply_c, "pump": unit.pump_w,
        "head": unit.head_pa, "total": total, "each": total / duty,
        "flow": cdus.tcs_flow_m3_s / duty, "needed": cdus.approach_k, "there": there,
        "held": "OK" if cdus.approach_k <= there + 1e-6 else "CHECK",
    }  # fmt: skip


_PUMP_STEPS = {
    "chw": ("P-CHW", "cooling.plant.pump.head", "plant.chw.pump_power"),
    "fws": ("P-FWS", "cooling.facility_water.pump.head", "fws.pump_power"),
    "cw": ("P-CW", "cooling.plant.rejection.pump.head", "plant.rejection.pump_power"),
    "fws_tower": ("P-TW", "cooling.facility_water.rejection.pump.head", "fws.rejection.pump_power"),
}


def _pumps(facts: EquipmentFacts) -> Iterator[_Row]:
    chilled = facts.design.chain.chilled_water
    for loop in facts.hydraulics.loops:
        head_pa, efficiency = loop.pump_head_pa, loop.efficiency
        if loop.name not in _PUMP_STEPS or efficiency is None:
            continue
        tag, given, power = _PUMP_STEPS[loop.name]
        on_ups = loop.name in ("chw", "fws") and chilled.pumps_on_ups
        words = chilled.pumping.scheme.replace("-", " ") if loop.name == "chw" else "variable flow"
        yield {
            "tag": tag,
            "loop": loop.name,
            "service": loop.title,
            "model": words,
            "supply": supply_text(on_ups),
            "source": str(facts.trace[given].source)
            if given in facts.trace
            else "from the pipe layout",
            "flow": loop.flow_m3_s,
            "head": head_pa,
            "efficiency": efficiency,
            "power": float(pump_power.si(loop.flow_m3_s, head_pa, efficiency)),
            "found": loop.head_pa,
            "left": head_pa - loop.head_pa,
            "running": loop.running_m3_s,
            "hour": facts.step(power),
        }


def _chillers(facts: EquipmentFacts) -> Iterator[_Row]:
    chilled, flow = facts.design.chilled, facts.flow
    if chilled.plan.direct or not chilled.installed:
        return
    plan = chilled.plan.chiller
    evaporating, condensing = facts.step("plant.evaporating"), facts.step("plant.condensing")
    cooled = "air-cooled" if chilled.sink.plan.kind == "air_cooled" else "water-cooled"
    source = _RECALLED if plan.from_memory else str(facts.trace["plant.chiller_cop"].source)
    yield {
        **_what("CH", f"chilled water, {cooled}", plan.model, "generator", source,
                chilled.on_duty, chilled.installed),
        "capacity": chilled.capacity_w, "load": chilled.load_w,
        "part": chilled.load_w / (chilled.on_duty * chilled.capacity_w),
        "leaving": flow.chw_supply_c, "entering": flow.chw_return_c,
        "evaporating": evaporating, "condensing": condensing,
        "lift": _less(condensing, evaporating), **_performance(chilled, flow),
        "cop": flow.chiller_cop, "power": flow.power.chillers_w,
    }  # fmt: skip


def _performance(chilled: ChilledWater, flow: CoolingFlow) -> _Row:
    """Return the columns that determine COP: lift, or machine curves."""
    plan, curves = chilled.plan.chiller, chilled.curves
    if curves is None:
        limit = plan.factors["cop_limit"]
        return {"carnot": plan.carnot_fraction, "limit": limit, "least": plan.min_lift_k}
    return {"rated": chilled.rated_w, "rated_cop": curves.cop, "chiller_load": flow.chiller_load_w}


def _sinks(facts: EquipmentFacts) -> Iterator[_Row]:
    water = facts.design.water
    chilled = facts.design.chilled.sink
    if chilled.installed:
        yield _sink("chillers", "plant.rejection", chilled, UNIT_TAGS[chilled.plan.kind], facts)
    if water is not None and water.sink is not None and water.sink.installed:
        tag = f"{UNIT_TAGS[water.sink.plan.kind]}-F"
        yield _sink("facility water", "fws.rejection", water.sink, tag, facts)


def _sink(service: str, subject: str, sink: Sink, tag: str, facts: EquipmentFacts) -> _Row:
    tower = sink.plan.kind == "tower"
    cell = sink.plan.tower or "open tower cell, YorkCalc"
    model = cell if tower else sink.plan.unit.model
    source = yorkcalc_approach.source if tower else sink.plan.unit.source
    outside_c, water_c = facts.step(f"{subject}.entering_air"), facts.step(f"{subject}.water")
    air_c = facts.step(f"{subject}.coil_air") or outside_c
    rise_k = facts.design.chain.recirculation_k
    flow, of_water = facts.flow, subject == "fws.rejection"
    through_m3_s = flow.fws_flow_m3_s if of_water else flow.condenser_flow_m3_s
    return {
        **_what(tag, service, model, "generator", str(source), sink.on_duty, sink.installed),
        "total": sink.heat_w,
        "each": sink.heat_w / sink.on_duty,
        "range": sink.range_k,
        "outdoor": _less(outside_c, rise_k),
        "rise": rise_k,
        "pads": _less(outside_c, air_c) if sink.plan.pads is not None else 0.0,
        "air": air_c,
        "water": water_c,
        "approach": _less(water_c, air_c),
        "flow": facts.step(f"{subject}.flow") or through_m3_s,
        "fans": sink.fan_w,
        "hour": facts.step(f"{subject}.fan_power"),
    }


def _less(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
