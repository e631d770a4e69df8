"""The Cooling racks sheet: air and coolant by rack type, CDU shortlist, commissioning."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.air.air_side import SupplyAir
from facility.cooling.liquid.selection import CduOption
from facility.cooling.liquid_path.study import CommissioningStep, RackRow
from facility.cooling.parts.fluids import Liquid
from facility.cooling.room.racks import RackAirRow
from facility.core.views import printed_unit
from facility.physics.air.sensible import air_flow_for_heat
from facility.physics.liquids.coolant import coolant_temperature_rise
from facility.report.sheet.grid import Column, SheetTable
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, Shown, fit_heights, shown, write_heading
from facility.study.design.design import Design

_HEAT, _C, _K = "heat_flow", "temperature", "temperature_difference"
_AIR, _FLOW, _PA = "air_flow", "liquid_flow", "pressure"
_NAME, _NOTE, _SHORT, _NUMBER = 34, 52, 18, 12
_FLOW_OF_HEAT = air_flow_for_heat.in_cells(
    heat_w="{heat}",
    rise_k="{rise}",
    specific_volume_m3_kg="{volume}",
    specific_heat_j_kgk="{specific}",
)
_RISE = coolant_temperature_rise.in_cells(
    heat_w="{heat}", flow_m3_s="{flow}", density_kg_m3="{density}", specific_heat_j_kgk="{specific}"
)


def racks_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return air and coolant by rack type; with liquid cooling also CDUs and the checklist."""
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    write_heading(
        sheet,
        "Air and coolant at the racks",
        "At the full heat load of each rack. V = q v / (cp dT) for air, dT = q / (rho V cp) for "
        "coolant.",
    )
    sheet.set_widths(*(column.width for column in _AIR_RACKS.columns))
    air = [_AirRack(rack, design.room_air.air) for rack in design.room_air.racks]
    row = _AIR_RACKS.write_if(sheet, 4, air)
    cdus, liquid = design.cooling.cdus, design.liquid_path
    if cdus is not None:
        coolant = [_CoolantRack(rack, cdus.tcs) for rack in liquid.racks]
        row = _COOLANT.write_if(sheet, row, coolant)
        row = _options(liquid.chosen).write_if(sheet, row, liquid.cdus)
        _STEPS.write(sheet, row, liquid.steps)
    fit_heights(sheet, 3)
    return sheet


@dataclass(frozen=True)
class _AirRack:
    """Rack type with its supply air."""

    rack: RackAirRow
    air: SupplyAir

    @property
    def taken_m3_s(self) -> float:
        """Airflow that removes the rack heat [m³/s]."""
        state = (self.air.volume_m3_kg, self.air.specific_heat_j_kgk)
        return float(air_flow_for_heat.si(self.rack.heat_w, self.rack.rise_k, *state))


_AIR_RACKS: SheetTable[_AirRack] = SheetTable(
    "Air",
    (
        Column("name", "Rack type", _NAME, style="cell", of=lambda r: r.rack.name),
        Column("hall", "Hall", _NOTE, style="cell", of=lambda r: r.rack.hall),
        Column("count", "Racks", _SHORT, "count", of=lambda r: r.rack.count),
        Column("heat", "Heat to air, each (kW)", _NUMBER, _HEAT, of=lambda r: r.rack.heat_w),
        Column("rise", "Air temperature rise (K)", _NUMBER, _K, of=lambda r: r.rack.rise_k),
        Column("volume", "Specific volume (m³/kg)", _NUMBER, "specific_volume",
               of=lambda r: r.air.volume_m3_kg),
        Column("specific", "Specific heat (kJ/(kg·K))", _NUMBER, "specific_heat",
               of=lambda r: r.air.specific_heat_j_kgk),
        Column("air", "Air, each (m³/s)", _NUMBER, _AIR, _FLOW_OF_HEAT, of=lambda r: r.taken_m3_s),
        Column("supply", "Supply air, each (m³/s)", _NUMBER, _AIR, of=lambda r: r.rack.supply_m3_s),
        Column("all", "Supply air, all (m³/s)", _NUMBER, _AIR, "{count}*{supply}",
               of=lambda r: r.rack.count * r.rack.supply_m3_s),
        Column("inlet", "Inlet, mean (°C)", _NUMBER, _C, of=lambda r: r.rack.inlet_c),
        Column("worst", "Inlet, worst (°C)", _NUMBER, _C, of=lambda r: r.rack.inlet_worst_c),
        Column("tiles", "Floor tiles per rack", _NUMBER, "ratio", number_format="n2",
               of=lambda r: r.rack.tiles),
        Column("front", "Tiles in front", _NUMBER, "ratio", number_format="n2",
               of=lambda r: r.rack.tiles_in_front),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class _CoolantRack:
    """Rack type with its coolant."""

    row: RackRow
    tcs: Liquid


_COOLANT: SheetTable[_CoolantRack] = SheetTable(
    "Coolant",
    (
        Column("name", "Rack type", _NAME, style="cell", of=lambda r: r.row.rack.name),
        Column("basis", "Basis of flow and drop", _NOTE, style="cell",
               of=lambda r: f"flow: {r.row.rack.needed_basis}; drop: {r.row.rack.drop_basis}"),
        Column("hall", "Hall", _SHORT, style="cell", of=lambda r: r.row.rack.hall),
        Column("count", "Racks", _NUMBER, "count", of=lambda r: r.row.rack.count),
        Column("heat", "Heat to coolant, each (kW)", _NUMBER, _HEAT,
               of=lambda r: r.row.rack.liquid_w),
        Column("left", "Heat to air, each (kW)", _NUMBER, _HEAT, of=lambda r: r.row.rack.air_w),
        Column("needed", "Required flow (L/min)", _NUMBER, _FLOW,
               of=lambda r: r.row.rack.needed_m3_s),
        Column("flow", "Design flow (L/min)", _NUMBER, _FLOW, of=lambda r: r.row.rack.flow_m3_s),
        Column("density", "Density (kg/m³)", _NUMBER, "density", of=lambda r: r.tcs.density_kg_m3),
        Column("specific", "Specific heat (kJ/(kg·K))", _NUMBER, "specific_heat",
               of=lambda r: r.tcs.specific_heat_j_kgk),
        Column("supply", "Supply (°C)", _NUMBER, _C, of=lambda r: r.row.supply_c),
        Column("rise", "Rise (K)", _NUMBER, _K, _RISE, of=lambda r: r.row.rise_k),
        Column("back", "Return (°C)", _NUMBER, _C, "{supply}+{rise}", of=lambda r: r.row.return_c),
        Column("drop", "Rack pressure drop (kPa)", _NUMBER, _PA, of=lambda r: r.row.rack.drop_pa),
    ),
)  # fmt: skip


def _options(chosen: str) -> SheetTable[CduOption]:
    def why(option: CduOption) -> str:
        return f"{option.why}; in the design" if option.model == chosen else option.why

    return SheetTable(
        "CDUs for this loop",
        (
            Column("model", "Catalogue CDU", _NAME, style="cell"),
            Column("why", "Reason", _NOTE, style="cell", of=why),
            Column("mount", "Mounting", _SHORT, style="cell"),
            Column("suits", "Suitable", _NUMBER, style="center",
                   of=lambda r: "yes" if r.suits else "no"),
            Column("limit", "Limited by", _NUMBER, style="cell"),
            Column("duty", "Duty", _NUMBER, "count", of=lambda r: r.duty if r.suits else None),
            Column("installed", "Installed", _NUMBER, "count",
                   of=lambda r: r.installed if r.suits else None),
            Column("approach", "Required approach (K)", _NUMBER, _K, number_format="n2",
                   of=lambda r: r.approach_k),
            Column("pump", "Pump power at rating, all (kW)", _NUMBER, "active_power",
                   of=lambda r: r.pump_w),
            Column("head", "Head left (kPa)", _NUMBER, _PA, of=lambda r: r.head_pa),
        ),
    )  # fmt: skip


def _number(step: CommissioningStep) -> Shown:
    return shown(step.value, step.kind)


_STEPS: SheetTable[CommissioningStep] = SheetTable(
    "Commissioning checklist",
    (
        Column("loop", "Commissioning", _NAME, style="cell"),
        Column("words", "Step or value", _NOTE, style="cell"),
        Column("value", "Value", _SHORT, number_format="n2", of=lambda s: _number(s).value),
        Column("unit", "Unit", _NUMBER, style="cell",
               of=lambda s: _number(s).unit if s.kind else printed_unit(s.unit)),
        Column("source", "Source", _NUMBER, style="text", of=lambda s: str(s.source)),
    ),
    head_height=20.0,
)  # fmt: skip
