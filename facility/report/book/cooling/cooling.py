"""The Cooling sheet: heat by location, electrical power by component, equipment, air and water."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.cooling.parts.loads import HeatLoad
from facility.core.rounding import closes, closes_in_cells
from facility.model.facility import Weather
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading

_HEAT, _W, _C, _K = "heat_flow", "active_power", "temperature", "temperature_difference"
_AIR, _LIQUID, _RATIO = "air_flow", "liquid_flow", "ratio"
_PARTS = (
    ("crah_fans", "CRAH fans"),
    ("cdu_pumps", "CDU pumps"),
    ("chw_pumps", "Chilled-water pumps"),
    ("fws_pumps", "Facility-water pumps"),
    ("chillers", "Chillers"),
    ("condenser_pumps", "Condenser pumps"),
    ("heat_rejection_fans", "Heat rejection fans"),
    ("humidification", "Humidification"),
)
_INTO_WATER = frozenset(name for name, _ in _PARTS[:6])
_OF_CRACS = {"CRAH fans": "CRAC fans", "Chillers": "Compressors"}


def parts_of(design: CoolingDesign) -> list[tuple[str, str]]:
    """Return the parts of the cooling load with their labels; CRACs have no chillers."""
    words = _OF_CRACS if design.chain.chilled_water.direct else {}
    return [(name, words.get(label, label)) for name, label in _PARTS]


@dataclass(frozen=True)
class CoolingCells:
    """Cells of the cooling load: by part, total, and split by supply in the power chain."""

    parts: dict[str, Cited]
    total: Cited
    on_ups: Cited
    mech: Cited


class CoolingSheet:
    """The sheet, written in two parts: power first, heat once the losses have their cells."""

    def __init__(
        self, name: str, design: CoolingDesign, flow: CoolingFlow, page_setup: PageSetup
    ) -> None:
        self.sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
        self._design = design
        self._flow = flow
        write_heading(
            self.sheet,
            f"Cooling, {design.chain.method}",
            "At the design weather. Power dissipated in a loop is heat in that loop.",
        )
        self.sheet.set_widths(42, 15, 11, 64)
        self._lines = Lines(self.sheet, 3)

    def write_power(self) -> CoolingCells:
        """Write the electrical power by component."""
        lines, power, on_ups = self._lines, self._flow.power, self._flow.on_ups_w
        lines.section("Electrical power")
        parts = {}
        for name, label in parts_of(self._design):
            into = "heat to its loop" if name in _INTO_WATER else "to the outdoors"
            parts[name] = lines.given(label, getattr(power, f"{name}_w"), _W, into, key=name)
        formula = f"SUM({{{_PARTS[0][0]}}}:{{{_PARTS[-1][0]}}})"
        total = lines.live(
            "Cooling, all parts", formula, power.total_w, _W, total=True, key="total"
        )
        why, label = "as assigned in the project", "of which on the LV boards"
        ups = lines.given("of which on the UPS", on_ups, _W, why, key="ups")
        mech = lines.live(label, "{total}-{ups}", power.total_w - on_ups, _W)
        return CoolingCells(parts, total, ups, mech)

    def write_heat(
        self, heat: HeatLoad, air_it: Cited, liquid_it: Cited, hall_losses: Cited, electrical: Cited
    ) -> Cited:
        """Write heat by location and destination; return the heat of the hall air."""
        lines, rejected_w, rolled = self._lines, self._flow.rejected_w, "sheet Roll-up"
        lines.section("Heat to remove")
        lines.live("IT heat to air", str(air_it), heat.air_it_w, _HEAT, rolled, key="air")
        lines.live(
            "Electrical losses in the halls", str(hall_losses), heat.hall_losses_w, _HEAT, rolled
        )
        lines.given("Lights", heat.lights_w, _HEAT)
        lines.given("People", heat.people_w, _HEAT, "sensible heat")
        lines.given("Envelope", heat.envelope_w, _HEAT, key="envelope")
        label, why = "Air-side heat load", "heat of the hall air"
        room = lines.live(label, "SUM({air}:{envelope})", heat.room_w, _HEAT, why, True, key="room")
        for key, label, cited, heat_w in (
            ("liquid", "IT heat to liquid", liquid_it, heat.liquid_it_w),
            ("electrical", "Electrical rooms", electrical, heat.electrical_room_w),
        ):
            lines.live(label, str(cited), heat_w, _HEAT, rolled, key=key)
        lines.given("Outdoor air of the halls", heat.ventilation_w, _HEAT, key="outdoor_air")
        why = "all heat removed by the cooling, excluding its own power"
        formula = "{room}+{liquid}+{electrical}+{outdoor_air}"
        lines.live("Heat collected", formula, heat.total_w, _HEAT, why, True, key="collected")
        into = sorted(_INTO_WATER)
        own = sum(lines.cells[name].si for name in into)
        formula = "+".join(f"{{{name}}}" for name in into)
        lines.live("Cooling power dissipated in the loops", formula, own, _HEAT, key="own")
        rejected = heat.total_w + own
        lines.live(
            "Heat rejected outdoors", "{collected}+{own}", rejected, _HEAT, total=True, key="out"
        )
        lines.given("Heat rejected, by the plant model", rejected_w, _HEAT, key="plant")
        holds = closes(rejected, rejected_w)
        lines.check("Heat balance", closes_in_cells("{out}", "{plant}"), holds)
        return room

    def write_plant(self, weather: Weather) -> None:
        """Write equipment, air and water at the design weather."""
        self._write_equipment()
        lines, flow = self._lines, self._flow
        lines.section("Weather")
        lines.given("Dry bulb", weather.dry_bulb_c, _C, "plant design condition")
        lines.given("Wet bulb", weather.wet_bulb_c, _C)
        lines.given("Station pressure", weather.pressure_pa, "pressure")
        self._write_air()
        if flow.tcs_flow_m3_s > 0.0:
            self._write_liquid()
        self._write_water()
        fit_heights(self.sheet, 3)

    def _write_equipment(self) -> None:
        counts, chain, lines = self._design.counts, self._design.chain, self._lines
        lines.section("Equipment", "Unit", "Duty", "Installed", "Model")
        crah, cdu = chain.crah.unit.model, chain.cdu.unit.model if chain.cdu else ""
        water = chain.facility_water.source.replace("_", " ") if chain.facility_water else ""
        units = chain.crah.path.unit_name
        others = units if chain.chilled_water.direct else "CRAH"
        for label, part, model in (
            (f"{units[:1].upper()}{units[1:]}s, halls", "crah", crah),
            (f"{others}s, electrical rooms", "crah_electrical", crah),
            ("CDUs", "cdu", cdu),
            ("Chillers", "chillers", chain.chilled_water.chiller.model),
            ("Chiller heat rejection", "rejection",
             chain.chilled_water.sink.kind.replace("_", " ")),
            ("Facility-water heat rejection", "fws_rejection", water),
        ):  # fmt: skip
            if installed := getattr(counts, part):
                self.sheet.put(lines.row, 1, label, "cell")
                table_row(self.sheet, lines.row, 2, getattr(counts, f"{part}_duty"), "count")
                table_row(self.sheet, lines.row, 3, installed, "count")
                self.sheet.put(lines.row, 4, model, "cell")
                lines.row += 1

    def _write_air(self) -> None:
        lines, flow, plan = self._lines, self._flow, self._design.chain.crah
        lines.section("Air")
        sealed = f"{plan.containment} containment"
        lines.given("Supply airflow, halls", flow.crah_airflow_m3_s, _AIR, sealed)
        lines.given("Supply airflow, electrical rooms", flow.electrical_airflow_m3_s, _AIR)
        lines.given("Supply air", flow.supply_air_c, _C, key="supply")
        lines.given("Return air at the coils", flow.return_air_c, _C, key="return")
        lines.live("Difference", "{return}-{supply}", flow.return_air_c - flow.supply_air_c, _K)
        lines.given("Equipment inlet, mean", flow.inlet_c, _C)
        lines.given("Equipment inlet, worst", flow.inlet_worst_c, _C)

    def _write_liquid(self) -> None:
        lines, flow = self._lines, self._flow
        lines.section("Coolant (TCS) and facility water (FWS)")
        lines.given("TCS flow", flow.tcs_flow_m3_s, _LIQUID)
        lines.given("TCS supply", flow.tcs_supply_c, _C, key="tcs")
        lines.given("TCS return", flow.tcs_return_c, _C, key="back")
        lines.live("TCS rise", "{back}-{tcs}", flow.tcs_return_c - flow.tcs_supply_c, _K)
        lines.given("FWS flow", flow.fws_flow_m3_s, _LIQUID)
        lines.given("FWS supply", flow.fws_supply_c, _C, key="fws")
        lines.given("FWS return", flow.fws_return_c, _C)
        approach_k, why = flow.tcs_supply_c - flow.fws_supply_c, "TCS supply minus FWS supply"
        lines.live("CDU approach", "{tcs}-{fws}", approach_k, _K, why)

    def _write_water(self) -> None:
        lines, flow = self._lines, self._flow
        direct = self._design.chain.chilled_water.direct
        name = "Compressor" if direct else "Chiller"
        lines.section("CRAC compressors" if direct else "Chilled water and chillers")
        if not direct:
            lines.given("Chilled-water flow", flow.chw_flow_m3_s, _LIQUID)
            lines.given("Chilled-water supply", flow.chw_supply_c, _C)
            lines.given("Chilled-water return", flow.chw_return_c, _C)
        load_w, power_w = flow.chiller_load_w, flow.power.chillers_w
        lines.given(f"{name} load", load_w, _HEAT, key="load")
        if power_w > 0.0:
            why = "load / compressor power, at this lift"
            lines.live(f"{name} COP", "{load}/{chillers}", load_w / power_w, _RATIO, why)
        if not direct:
            lines.given("Condenser-water flow", flow.condenser_flow_m3_s, _LIQUID)
        lines.given("Condenser water entering", flow.condenser_in_c, _C)
        lines.given("Condenser water leaving", flow.condenser_out_c, _C)
