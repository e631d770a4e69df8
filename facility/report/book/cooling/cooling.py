"""The Cooling sheet: heat by place, electrical power by part, equipment, air and water."""

from __future__ import annotations

from dataclasses import dataclass

from facility.cooling.chain.design import CoolingDesign
from facility.cooling.chain.flow import CoolingFlow
from facility.cooling.parts.loads import HeatLoad
from facility.model.facility import Weather
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_HEAT, _W, _C, _K = "heat_flow", "active_power", "temperature", "temperature_difference"
_AIR, _LIQUID, _RATIO = "air_flow", "liquid_flow", "ratio"
PARTS = (
    ("crah_fans", "CRAH fans"),
    ("cdu_pumps", "CDU pumps"),
    ("chw_pumps", "Chilled-water pumps"),
    ("fws_pumps", "Facility-water pumps"),
    ("chillers", "Chillers"),
    ("condenser_pumps", "Condenser pumps"),
    ("heat_rejection_fans", "Heat rejection fans"),
    ("humidification", "Humidification"),
)
_INTO_WATER = frozenset(name for name, _ in PARTS[:6])


@dataclass(frozen=True)
class CoolingPlaces:
    """Where the cooling load stands: by part, its sum, and how the power chain supplies it."""

    parts: dict[str, Cited]
    total: Cited
    on_ups: Cited
    mech: Cited


class CoolingSheet:
    """The sheet, written in two parts: power first, heat once the losses have their cells."""

    def __init__(
        self, name: str, design: CoolingDesign, flow: CoolingFlow, furniture: Furniture
    ) -> None:
        self.sheet = Sheet(name, page=furniture.page(landscape=False, fit_height=1))
        self._design = design
        self._flow = flow
        write_heading(
            self.sheet,
            f"Cooling, {design.chain.method}",
            "At the design weather. Power that ends in a loop is heat in that loop.",
        )
        self.sheet.set_widths(42, 15, 11, 64)
        self._lines = Lines(self.sheet, 3)

    def write_power(self) -> CoolingPlaces:
        """Write the electrical power by part."""
        lines, flow = self._lines, self._flow
        lines.section("Electrical power")
        parts = {}
        for name, label in PARTS:
            into = "heat in its loop" if name in _INTO_WATER else "to the outdoors"
            parts[name] = lines.given(label, getattr(flow.power, f"{name}_w"), _W, into)
        first, last = parts[PARTS[0][0]].here, parts[PARTS[-1][0]].here
        total = lines.live(
            "Cooling, all parts", f"SUM({first}:{last})", flow.power.total_w, _W, total=True
        )
        on_ups = lines.given("of which on the UPS", flow.on_ups_w, _W, "as the project assigns it")
        mech = lines.live(
            "of which on the LV boards",
            f"{total.here}-{on_ups.here}",
            flow.power.total_w - flow.on_ups_w,
            _W,
        )
        self._places = CoolingPlaces(parts, total, on_ups, mech)
        return self._places

    def write_heat(
        self, heat: HeatLoad, air_it: Cited, liquid_it: Cited, hall_losses: Cited,
        electrical_room: Cited,
    ) -> Cited:  # fmt: skip
        """Write the heat by place and where it goes; return the heat of the halls' air."""
        lines, flow = self._lines, self._flow
        lines.section("Heat to take away")
        terms = [
            lines.live("IT heat to air", str(air_it), heat.air_it_w, _HEAT, "sheet Roll-up"),
            lines.live("Electrical losses in the halls", str(hall_losses), heat.hall_losses_w,
                       _HEAT, "sheet Roll-up"),
            lines.given("Lights", heat.lights_w, _HEAT),
            lines.given("People", heat.people_w, _HEAT, "sensible heat"),
            lines.given("Envelope", heat.envelope_w, _HEAT),
        ]  # fmt: skip
        room = lines.live("Heat of the hall air", f"SUM({terms[0].here}:{terms[-1].here})",
                          heat.room_w, _HEAT, "what the air side must remove", True)  # fmt: skip
        liquid = lines.live("IT heat to liquid", str(liquid_it), heat.liquid_it_w, _HEAT,
                            "sheet Roll-up")  # fmt: skip
        electrical = lines.live("Electrical rooms", str(electrical_room), heat.electrical_room_w,
                                _HEAT, "sheet Roll-up")  # fmt: skip
        collected = lines.live(
            "Heat collected", f"{room.here}+{liquid.here}+{electrical.here}", heat.total_w, _HEAT,
            "all heat the cooling takes away, without its own", True,
        )  # fmt: skip
        into = [self._places.parts[name] for name in sorted(_INTO_WATER)]
        own = sum(cited.si for cited in into)
        joined = "+".join(cited.here for cited in into)
        water = lines.live("Power that ends in the loops", joined, own, _HEAT)
        rejected = lines.live("Heat rejected outdoors", f"{collected.here}+{water.here}",
                              heat.total_w + own, _HEAT, total=True)  # fmt: skip
        plant = lines.given("Heat rejected, by the plant model", flow.rejected_w, _HEAT)
        held = abs(heat.total_w + own - flow.rejected_w) <= 1e-9 * flow.rejected_w
        lines.verdict(
            "Heat closes",
            f'IF(ABS({rejected.here}-{plant.here})<=1E-9*{plant.here},"OK","CHECK")',
            "OK" if held else "CHECK",
        )
        return room

    def write_plant(self, weather: Weather) -> None:
        """Write equipment, air and water at the design weather."""
        self._write_equipment()
        lines, flow = self._lines, self._flow
        lines.section("Weather")
        lines.given("Dry bulb", weather.dry_bulb_c, _C, "design condition of the plant")
        lines.given("Wet bulb", weather.wet_bulb_c, _C)
        lines.given("Station pressure", weather.pressure_pa, "pressure")
        self._write_air()
        if flow.tcs_flow_m3_s > 0.0:
            self._write_liquid()
        self._write_water()
        fit_heights(self.sheet, 3)

    def _write_equipment(self) -> None:
        counts, lines = self._design.counts, self._lines
        lines.section("Equipment", "Unit", "Duty", "Installed", "Model")
        chain = self._design.chain
        rows = (
            ("CRAHs, halls", counts.crah_duty, counts.crah, chain.crah.unit.model),
            (
                "CRAHs, electrical rooms",
                counts.crah_electrical_duty,
                counts.crah_electrical,
                chain.crah.unit.model,
            ),
            ("CDUs", counts.cdu_duty, counts.cdu, chain.cdu.unit.model if chain.cdu else ""),
            ("Chillers", counts.chillers_duty, counts.chillers, chain.chilled_water.chiller.model),
            (
                "Heat rejection of the chillers",
                counts.rejection_duty,
                counts.rejection,
                chain.chilled_water.sink.kind.replace("_", " "),
            ),
            (
                "Heat rejection of the facility water",
                counts.fws_rejection_duty,
                counts.fws_rejection,
                chain.facility_water.source.replace("_", " ") if chain.facility_water else "",
            ),
        )
        for label, duty, installed, model in rows:
            if not installed:
                continue
            self.sheet.put(lines.row, 1, label, "cell")
            table_row(self.sheet, lines.row, 2, duty, "count")
            table_row(self.sheet, lines.row, 3, installed, "count")
            self.sheet.put(lines.row, 4, model, "cell")
            lines.row += 1

    def _write_air(self) -> None:
        lines, flow, plan = self._lines, self._flow, self._design.chain.crah
        lines.section("Air")
        lines.given(
            "Supplied to the halls", flow.crah_airflow_m3_s, _AIR, f"{plan.containment} containment"
        )
        lines.given("Supplied to the electrical rooms", flow.electrical_airflow_m3_s, _AIR)
        supply = lines.given("Supply air", flow.supply_air_c, _C)
        back = lines.given("Return air at the coils", flow.return_air_c, _C)
        rise = flow.return_air_c - flow.supply_air_c
        lines.live("Difference", f"{back.here}-{supply.here}", rise, _K)
        lines.given("Equipment inlet, mean", flow.inlet_c, _C)
        lines.given("Equipment inlet, worst", flow.inlet_worst_c, _C)

    def _write_liquid(self) -> None:
        lines, flow = self._lines, self._flow
        lines.section("Coolant (TCS) and facility water (FWS)")
        lines.given("TCS flow", flow.tcs_flow_m3_s, _LIQUID)
        supply = lines.given("TCS supply", flow.tcs_supply_c, _C)
        back = lines.given("TCS return", flow.tcs_return_c, _C)
        lines.live(
            "TCS rise", f"{back.here}-{supply.here}", flow.tcs_return_c - flow.tcs_supply_c, _K
        )
        lines.given("FWS flow", flow.fws_flow_m3_s, _LIQUID)
        fws = lines.given("FWS supply", flow.fws_supply_c, _C)
        lines.given("FWS return", flow.fws_return_c, _C)
        lines.live(
            "CDU approach",
            f"{supply.here}-{fws.here}",
            flow.tcs_supply_c - flow.fws_supply_c,
            _K,
            "TCS supply less FWS supply",
        )

    def _write_water(self) -> None:
        lines, flow = self._lines, self._flow
        lines.section("Chilled water and chillers")
        lines.given("Chilled-water flow", flow.chw_flow_m3_s, _LIQUID)
        lines.given("Chilled-water supply", flow.chw_supply_c, _C)
        lines.given("Chilled-water return", flow.chw_return_c, _C)
        load = lines.given("Chiller load", flow.chiller_load_w, _HEAT)
        chillers = self._places.parts["chillers"]
        if flow.power.chillers_w > 0.0:
            lines.live(
                "Chiller COP",
                f"{load.here}/{chillers.here}",
                flow.chiller_load_w / flow.power.chillers_w,
                _RATIO,
                "load over compressor power, at this lift",
            )
        lines.given("Condenser-water flow", flow.condenser_flow_m3_s, _LIQUID)
        lines.given("Condenser in", flow.condenser_in_c, _C)
        lines.given("Condenser out", flow.condenser_out_c, _C)
