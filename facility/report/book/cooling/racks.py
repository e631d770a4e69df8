"""The Cooling racks sheet: air and coolant by kind of rack, CDU shortlist, commissioning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.cooling.liquid.selection import CduOption
from facility.cooling.liquid_path.commissioning import Step
from facility.cooling.liquid_path.study import LiquidPath, RackRow
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.room.racks import RackAirRow
from facility.cooling.room.study import RoomAir
from facility.physics.air.sensible import air_flow_for_heat
from facility.report.sheet.grid import Column, Grid, GridValue
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, shown, write_heading

_HEAT, _C, _K = "heat_flow", "temperature", "temperature_difference"
_AIR, _FLOW, _PA = "air_flow", "liquid_flow", "pressure"
_NAME, _NOTE, _SHORT, _NUMBER = 34, 52, 18, 12
_AIR_RACKS = (
    Column("name", "Kind of rack", _NAME, style="cell"),
    Column("hall", "Hall", _NOTE, style="cell"),
    Column("count", "Racks", _SHORT, "count"),
    Column("heat", "Heat to air, each kW", _NUMBER, _HEAT),
    Column("rise", "Rise of the air K", _NUMBER, _K),
    Column("volume", "Specific volume m³/kg", _NUMBER, "specific_volume"),
    Column("specific", "Specific heat kJ/(kg·K)", _NUMBER, "specific_heat"),
    Column("air", "Air, each m³/s", _NUMBER, _AIR, "{heat}*{volume}/({specific}*{rise})"),
    Column("supply", "Supplied for each m³/s", _NUMBER, _AIR),
    Column("all", "Supplied for all m³/s", _NUMBER, _AIR, "{count}*{supply}"),
    Column("inlet", "Inlet, mean °C", _NUMBER, _C),
    Column("worst", "Inlet, worst °C", _NUMBER, _C),
    Column("tiles", "Floor tiles for each", _NUMBER, "ratio", number_format="n2"),
    Column("front", "Tiles in front", _NUMBER, "ratio", number_format="n2"),
)
_COOLANT = (
    Column("name", "Kind of rack", _NAME, style="cell"),
    Column("basis", "Basis of flow and drop", _NOTE, style="cell"),
    Column("hall", "Hall", _SHORT, style="cell"),
    Column("count", "Racks", _NUMBER, "count"),
    Column("heat", "Heat to coolant, each kW", _NUMBER, _HEAT),
    Column("left", "Left to the air, each kW", _NUMBER, _HEAT),
    Column("needed", "Flow its data ask L/min", _NUMBER, _FLOW),
    Column("flow", "Flow it gets L/min", _NUMBER, _FLOW),
    Column("density", "Density kg/m³", _NUMBER, "density"),
    Column("specific", "Specific heat kJ/(kg·K)", _NUMBER, "specific_heat"),
    Column("supply", "Supply °C", _NUMBER, _C),
    Column("rise", "Rise K", _NUMBER, _K, "{heat}/({flow}/60000*{density}*{specific})"),
    Column("back", "Return °C", _NUMBER, _C, "{supply}+{rise}"),
    Column("drop", "Drop of the rack kPa", _NUMBER, _PA),
)
_OPTIONS = (
    Column("model", "CDU of the catalogue", _NAME, style="cell"),
    Column("why", "Why", _NOTE, style="cell"),
    Column("mount", "Stands", _SHORT, style="cell"),
    Column("suits", "Suits", _NUMBER, style="center"),
    Column("limit", "Limited by", _NUMBER, style="cell"),
    Column("duty", "Duty", _NUMBER, "count"),
    Column("installed", "Installed", _NUMBER, "count"),
    Column("approach", "Approach needed K", _NUMBER, _K, number_format="n2"),
    Column("pump", "Pumps at rating, all kW", _NUMBER, "active_power"),
    Column("head", "Head left kPa", _NUMBER, _PA),
)
_STEPS = (
    Column("loop", "Commissioning", _NAME, style="cell"),
    Column("words", "Step or value", _NOTE, style="cell"),
    Column("value", "Value", _SHORT, number_format="n2"),
    Column("unit", "Unit", _NUMBER, style="cell"),
)


@dataclass(frozen=True)
class RackFacts:
    """Air and coolant at the racks; `cdus` is None without liquid."""

    room: RoomAir
    liquid: LiquidPath
    cdus: CduDesign | None


def racks_sheet(name: str, facts: RackFacts, furniture: Furniture) -> Sheet:
    """Return air and coolant by kind of rack and, with liquid, CDUs and the checklist.

    Parameters
    ----------
    name : str
        Sheet name.
    facts : RackFacts
        What it shows.
    furniture : Furniture
        Page edges.
    """
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    write_heading(
        sheet,
        "Air and coolant at the racks",
        "At the full heat of each rack. V = q v / (cp dT) for air, dT = q / (rho V cp) for "
        "coolant.",
    )
    sheet.set_widths(*(column.width for column in _AIR_RACKS))
    rows = [_air_row(rack, facts.room) for rack in facts.room.racks]
    row = _write(sheet, 4, "Air", _AIR_RACKS, rows)
    if facts.cdus is not None:
        coolant = [_coolant_row(rack, facts.cdus) for rack in facts.liquid.racks]
        row = _write(sheet, row, "Coolant", _COOLANT, coolant)
        row = _write(
            sheet,
            row,
            "CDUs for this loop",
            _OPTIONS,
            [_option_row(option, facts) for option in facts.liquid.cdus],
        )
        _write_steps(sheet, row, facts.liquid.steps)
    fit_heights(sheet, 3)
    return sheet


def _write(
    sheet: Sheet,
    row: int,
    title: str,
    columns: Sequence[Column],
    rows: Sequence[dict[str, GridValue]],
) -> int:
    if not rows:
        return row
    sheet.put(row, 1, title, "section")
    grid = Grid(sheet, row + 1, columns, 40)
    for values in rows:
        grid.write(values)
    return grid.row + 1


def _air_row(rack: RackAirRow, room: RoomAir) -> dict[str, GridValue]:
    air = room.air
    flow = air_flow_for_heat.si(rack.heat_w, rack.rise_k, air.volume_m3_kg, air.specific_heat_j_kgk)
    return {
        "name": rack.name,
        "hall": rack.hall,
        "count": rack.count,
        "heat": rack.heat_w,
        "rise": rack.rise_k,
        "volume": air.volume_m3_kg,
        "specific": air.specific_heat_j_kgk,
        "air": float(flow),
        "supply": rack.supply_m3_s,
        "all": rack.count * rack.supply_m3_s,
        "inlet": rack.inlet_c,
        "worst": rack.inlet_worst_c,
        "tiles": rack.tiles,
        "front": rack.tiles_in_front,
    }


def _coolant_row(found: RackRow, cdus: CduDesign) -> dict[str, GridValue]:
    rack = found.rack
    return {
        "name": rack.name,
        "hall": rack.hall,
        "count": rack.count,
        "heat": rack.liquid_w,
        "left": rack.air_w,
        "needed": rack.needed_m3_s,
        "flow": rack.flow_m3_s,
        "basis": f"flow: {rack.needed_basis}; drop: {rack.drop_basis}",
        "density": cdus.tcs.density_kg_m3,
        "specific": cdus.tcs.specific_heat_j_kgk,
        "supply": found.supply_c,
        "rise": found.rise_k,
        "back": found.return_c,
        "drop": rack.drop_pa,
    }


def _option_row(option: CduOption, facts: RackFacts) -> dict[str, GridValue]:
    chosen = "; of the design" if option.model == facts.liquid.chosen else ""
    suits = option.suits
    return {
        "model": option.model,
        "mount": option.mount,
        "suits": "yes" if suits else "no",
        "limit": option.limit,
        "why": f"{option.why}{chosen}",
        "duty": option.duty if suits else None,
        "installed": option.installed if suits else None,
        "approach": option.approach_k,
        "pump": option.pump_w,
        "head": option.head_pa,
    }


def _write_steps(sheet: Sheet, row: int, steps: Sequence[Step]) -> None:
    sheet.put(row, 1, "Commissioning checklist", "section")
    grid = Grid(sheet, row + 1, _STEPS, 20)
    sheet.put(row + 1, len(_STEPS) + 1, "Source", "head")
    for step in steps:
        number = shown(step.value, step.kind)
        unit = number.unit if step.kind else step.unit
        at = grid.write(
            {"loop": step.loop, "words": step.words, "value": number.value, "unit": unit}
        )
        sheet.put(at, len(_STEPS) + 1, str(step.source), "text")
