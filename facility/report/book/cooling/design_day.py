"""The Design day sheet: outdoor air, room air states, heat balance by location."""

from __future__ import annotations

from collections.abc import Sequence

from facility.cooling.economizer.hours import EconomizerHours
from facility.physics.air.psychrometrics import (
    enthalpy,
    humidity_ratio_of_vapor,
    relative_humidity,
    saturation_pressure,
    specific_volume,
)
from facility.report.sheet.grid import Column, Grid, Values
from facility.report.sheet.lines import Cited, Lines, TraceLines
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.design.design import Design

_HEAT, _C = "heat_flow", "temperature"
_CLOSES = 1e-6
_EXTREMES = (
    "Dry-bulb and wet-bulb extremes need not coincide: each sizes the equipment that depends on it."
)
_WIDTHS = (44, 14, 14, 14, 14, 14, 16, 16)
_STATES: tuple[Column[Values], ...] = (
    Column("name", "State", 44, style="cell"),
    Column("dry", "Dry bulb (°C)", 14, _C, number_format="n2"),
    Column("humidity", "Humidity ratio (g/kg)", 14, "humidity_ratio", "1000*{humidity_ratio}"),
    Column("dew", "Dew point (°C)", 14, _C),
    Column("saturation", "Saturation pressure (kPa)", 14, "pressure", number_format="n3"),
    Column("relative", "Relative humidity", 14, "fraction", "{vapor}/{saturation}"),
    Column("enthalpy", "Enthalpy (kJ/kg)", 16, "specific_enthalpy",
           enthalpy.in_cells(temperature_c="{dry}", humidity_ratio="{humidity_ratio}")),
    Column(
        "volume",
        "Specific volume (m³/kg)",
        16,
        "specific_volume",
        specific_volume.in_cells(
            temperature_c="{dry}", humidity_ratio="{humidity_ratio}", pressure_pa="{pressure}"
        ),
    ),
)  # fmt: skip
_HOURS: tuple[Column[Values], ...] = (
    Column("month", "Month", 44, "count"),
    Column("full", "Full (h)", 14, "count"),
    Column("partial", "Partial (h)", 14, "count"),
    Column("none", "None (h)", 14, "count"),
    Column("hours", "Hours", 14, "count", "{full}+{partial}+{none}"),
    Column("share", "Mean share of load", 14, "fraction"),
)
_AIR = (
    ("Supply air", "air.supply_temperature"),
    ("Equipment inlet, mean", "air.inlet_temperature"),
    ("Equipment inlet, worst", "air.inlet_temperature_worst"),
    ("Equipment exhaust, mean", "air.exhaust_temperature"),
)


def day_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return the design day."""
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(
        sheet,
        "Cooling at the design hour",
        "Design outdoor air, room air states, and heat flow from the racks to the outdoors.",
    )
    sheet.set_widths(*_WIDTHS)
    at = TraceLines(Lines(sheet, 3, basis_columns=5), design.trace)
    _write_outdoors(at)
    _write_states(at, design)
    _write_heat(at, design)
    hours = design.plant_options.hours
    if hours is not None:
        _write_hours(at.lines, hours)
    fit_heights(sheet, 3)
    return sheet


def _write_outdoors(at: TraceLines) -> None:
    at.lines.section("Design outdoor air")
    for label, id in (
        ("Dry bulb", "site.design_dry_bulb"),
        ("Wet bulb", "site.design_wet_bulb"),
        ("Discharge air recirculation rise", "cooling.outdoor_recirculation"),
    ):
        step = at.trace[id]
        at.given(label, id, "; ".join(x for x in (step.because, str(step.source)) if x))
    cells, rise = at.lines.cells, "outdoor_recirculation"
    for name, key in (("Dry", "design_dry_bulb"), ("Wet", "design_wet_bulb")):
        label, entering_c = f"{name} bulb at the heat rejection", cells[key].si + cells[rise].si
        at.lines.live(label, f"{{{key}}}+{{{rise}}}", entering_c, _C, "entering air")
    at.given("Elevation", "site.elevation")
    at.given("Station pressure", "site.pressure", "standard atmosphere")
    at.lines.sheet.put(at.lines.row, 1, _EXTREMES, "subtitle")
    at.lines.row += 1


def _write_states(at: TraceLines, design: Design) -> None:
    """Write the hall air states at constant humidity ratio."""
    lines = at.lines
    lines.section("Hall air")
    why = "maintained by humidity control; unchanged by sensible cooling"
    dew = lines.given("Room dew point", design.cooling.chain.room_dew_point_c, _C, why)
    why = "saturation at the dew point"
    at.given("Vapour pressure", "air.vapor_pressure", why, number_format="n3")
    label, why = "Humidity ratio, kg/kg", "for all states below"
    formula = humidity_ratio_of_vapor.in_cells(
        vapor_pressure_pa="{vapor_pressure}", pressure_pa="{pressure}"
    )
    at.live(label, "air.humidity_ratio", formula, why, number_format="n5", unit="kg/kg")
    lines.row += 1
    keys = {"humidity_ratio": "humidity_ratio", "vapor": "vapor_pressure", "pressure": "pressure"}
    ratio, _, pressure = (lines.cells[key] for key in keys.values())
    outside = {name: lines.cells[key].fixed for name, key in keys.items()}
    grid = Grid(lines.sheet, lines.row, _STATES, 28, cells=outside)
    for label, dry_c in _air_states(design):
        saturation = float(saturation_pressure.si(dry_c))
        grid.write({
            "name": label, "dry": dry_c, "humidity": ratio.si, "dew": dew.si,
            "saturation": saturation, "enthalpy": float(enthalpy.si(dry_c, ratio.si)),
            "relative": float(relative_humidity.si(dry_c, ratio.si, pressure.si)),
            "volume": float(specific_volume.si(dry_c, ratio.si, pressure.si)),
        })  # fmt: skip
    lines.row = grid.row


def _air_states(design: Design) -> Sequence[tuple[str, float]]:
    states = [(label, float(design.trace.value(id))) for label, id in _AIR]
    return [*states, ("Return air at the coils", design.cooling_flow.return_air_c)]


def _write_heat(at: TraceLines, design: Design) -> None:
    """Write the heat by location from the racks outwards, with live sums."""
    lines, trace = at.lines, design.trace
    lines.section("Hall air heat")
    room = [
        at.given(label, id, basis)
        for label, id, basis in (
            ("IT heat to air", "heat.air", "sheet Roll-up"),
            ("Electrical losses in the halls", "heat.hall_losses", "sheet Roll-up"),
            ("Lights", "heat.lights", "in the halls"),
            ("People", "heat.people", "sensible heat"),
            ("Envelope", "heat.envelope", "by conduction"),
        )
    ]
    halls = _sum(at, "Air-side heat load", "heat.room", room)
    onto_chilled = []
    if "doors.heat" in trace:
        onto_chilled.append(at.given("Removed by rear doors", "doors.heat"))
        at.given("Rear-door fans", "doors.fan_power")
        formula = f"{halls.here}-{{heat}}+{{fan_power}}"
        halls = at.live("Remaining for the air units", "heat.behind_doors", formula)
    fans = at.given("Air unit fans", "crah.fan_power", "heat in the air")
    coils = _sum(at, "Hall coils", "heat.coils", [halls, fans])
    _write_by_flow(at, design, halls)
    lines.section("Electrical rooms")
    losses = at.given("Electrical losses", "heat.electrical_room", "sheet Roll-up")
    fans_e = at.given(
        "Electrical-room air unit fans", "crah.electrical.fan_power", "heat in the air"
    )
    coils_e = _sum(at, "Electrical-room coils", "heat.electrical_coils", [losses, fans_e])
    outdoors: list[Cited] = []
    lines.section("Hall outdoor air")
    outdoor = at.given("Outdoor air heat", "heat.ventilation", "cooling and dehumidification")
    fans_f = at.given("Outdoor air fans", "ventilation.fan_power", "heat in the air")
    fresh = _sum(at, "Outdoor air", "heat.fresh_air", [outdoor, fans_f])
    onto_chilled = [coils, coils_e, fresh, *onto_chilled]
    if "heat.cdu" in trace:
        _write_facility(at, onto_chilled, outdoors)
    outdoors += _write_plant(at, onto_chilled)
    _write_closing(at, design, outdoors)


def _sum(at: TraceLines, label: str, id: str, parts: Sequence[Cited]) -> Cited:
    joined = "+".join(part.here for part in parts)
    return at.live(label, id, joined, total=True)


def _write_by_flow(at: TraceLines, design: Design, halls: Cited) -> None:
    """Write the same heat from airflow and temperature rise."""
    lines = at.lines
    flow = at.given("Air supplied to the halls", "crah.airflow")
    volume = at.given("Specific volume of the supply air", "air.specific_volume")
    heat = at.given("Specific heat, per kg of dry air", "air.specific_heat")
    supply = at.given("Supply air", "air.supply_temperature")
    back = lines.given("Return air at the coils", design.cooling_flow.return_air_c, _C, key="back")
    formula = "{airflow}/{specific_volume}*{specific_heat}*({back}-{supply_temperature})"
    si = flow.si / volume.si * heat.si * (back.si - supply.si)
    found = lines.live(
        "Heat from airflow and temperature rise", formula, si, _HEAT, "q = V cp dT / v"
    )
    _closes(lines, "Air heat balance", found, halls)


def _closes(lines: Lines, label: str, found: Cited, expected: Cited) -> None:
    condition = f"ABS({found.here}-{expected.here})<={_CLOSES:.6f}*{expected.here}"
    holds = abs(found.si - expected.si) <= _CLOSES * expected.si
    lines.check(label, condition, holds, "within one part per million")


def _write_liquid(at: TraceLines) -> Cited:
    """Write coolant and facility-water heat; return the facility-water heat."""
    at.lines.section("Coolant and facility water")
    chips = at.given("IT heat to coolant", "heat.liquid")
    pumps = at.given("CDU pumps", "cdu.pump_power", "heat in the coolant")
    cdus = _sum(at, "CDU heat", "heat.cdu", [chips, pumps])
    water = at.given("Facility-water pumps", "fws.pump_power", "heat in the water")
    return _sum(at, "Facility-water heat", "heat.facility_water", [cdus, water])


def _write_facility(at: TraceLines, onto_chilled: list[Cited], outdoors: list[Cited]) -> None:
    """Write the facility-water heat and its split between chilled water and outdoors."""
    trace, facility = at.trace, _write_liquid(at)
    if "heat.trim" in trace:
        share = at.given("Remaining for the chilled water", "fws.trim_share", "trim")
        formula = f"{facility.here}*{share.here}"
        onto_chilled.append(at.live("Trim", "heat.trim", formula, total=True))
        if "heat.fws_rejected" in trace:
            formula = f"{facility.here}*(1-{share.here})"
            facility = at.live(
                "Remaining for heat rejection", "heat.fws_rejected", formula, total=True
            )
    if "fws.rejection.entering_air" in trace:
        outdoors.append(_rejected(at, "fws.rejection", facility))
    elif "heat.trim" not in trace:
        onto_chilled.append(facility)


def _rejected(at: TraceLines, subject: str, heat: Cited) -> Cited:
    """Write the heat rejected outdoors: the load plus its pumps."""
    if f"{subject}.rejected" not in at:
        return heat
    pumps = at.given("Heat-rejection pumps", f"{subject}.pump_power", "heat in the water")
    return _sum(at, "Rejected", f"{subject}.rejected", [heat, pumps])


def _write_plant(at: TraceLines, onto_chilled: Sequence[Cited]) -> list[Cited]:
    """Write the chilled-water plant; return the heat rejected outdoors."""
    lines, trace = at.lines, at.trace
    lines.section("Chilled water and chillers")
    outdoors: list[Cited] = []
    parts = "+".join(cited.here for cited in onto_chilled)
    if "heat.coils.mechanical" in trace:
        taken = at.given("Economizer, air side", "economizer.heat", "no compressor")
        outdoors.append(taken)
        parts += f"-{taken.here}"
    picked = at.live("Chilled-water heat", "heat.chilled_water", parts, total=True)
    pumps = at.given("Chilled-water pumps", "plant.chw.pump_power", "heat in the water")
    heats = [picked, pumps]
    if "plant.water_load" in trace:
        water = _sum(at, "Chilled-water load", "plant.water_load", heats)
        free = at.given("Economizer, water side", "economizer.heat", "no compressor")
        load = at.live(
            "Chiller load", "plant.chiller_load", f"{water.here}-{free.here}", total=True
        )
        heats = [load, free]
    else:
        heats = [_sum(at, "Chiller load", "plant.chiller_load", heats)]
    power = at.given("Compressor power", "plant.chiller_power")
    condenser = _sum(at, "Condenser heat", "plant.condenser_heat", [*heats, power])
    return [*outdoors, _rejected(at, "plant.rejection", condenser)]


def _write_closing(at: TraceLines, design: Design, outdoors: Sequence[Cited]) -> None:
    lines, flow = at.lines, design.cooling_flow
    lines.section("Heat to the outdoors")
    formula, si = "+".join(cited.here for cited in outdoors), sum(cited.si for cited in outdoors)
    total = lines.live("Total heat rejected", formula, si, _HEAT, total=True)
    label = "Heat collected: IT, losses, lights, people, envelope, outdoor air"
    lines.given(label, flow.collected_w, _HEAT, key="collected")
    own_w, label = flow.power.into_water_w, "Cooling power dissipated in air and water"
    lines.given(label, own_w, _HEAT, key="own")
    both_w = flow.collected_w + own_w
    expected = lines.live("Collected heat plus cooling power", "{collected}+{own}", both_w, _HEAT)
    _closes(lines, "Heat balance", total, expected)


def _write_hours(lines: Lines, hours: EconomizerHours) -> None:
    """Write the economizer operating hours by month."""
    sheet = lines.sheet
    sheet.put(lines.row + 1, 1, "Economizer operating hours", "section")
    grid = Grid(sheet, lines.row + 2, _HOURS, 28)
    for month, full, partial, none, share in hours.by_month():
        total = full + partial + none
        numbers = (month, full, partial, none, total, share)
        grid.write(dict(zip((column.key for column in _HOURS), numbers, strict=True)))
    row, span = grid.row, grid.span
    weighted = f"SUMPRODUCT({span('share')},{span('hours')})"
    sums = {"full": hours.full, "partial": hours.partial, "none": hours.none}
    grid.total("Year", sums | {"hours": sum(sums.values())})
    formula = f"{weighted}/{grid.cell('hours', row).here}"
    sheet.formula(row, 6, formula, float(hours.share.mean()), "total.pct")
    lines.row = row + 1
