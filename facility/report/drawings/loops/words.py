"""Texts in the boxes of a loop diagram: heats, powers, units running and installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from facility.cooling.chain.flow import CoolingDesign, CoolingFlow
from facility.core.views import System, show
from facility.model.cooling.thermal import LoopMass
from facility.model.facility import Criteria
from facility.study.annual.limits.loading import cooling_loads
from facility.study.cooling_hour import CoolingHour

_SINKS = {
    "tower": ("Cooling towers", "cells", "fans", "wet bulb"),
    "dry_cooler": ("Dry coolers", "coolers", "fans", "air"),
    "air_cooled": ("Outdoor air", "", "", "air"),
}

Content = tuple[str, tuple[str, ...], str]
"""Title, lines and trace step of a box."""


@dataclass(frozen=True)
class LoopWords:
    """Texts of one hour in one unit system."""

    design: CoolingDesign  # Units and plans
    hour: CoolingHour  # What they do
    system: System  # Units of the texts

    @property
    def flow(self) -> CoolingFlow:
        """Cooling in operation."""
        return self.hour.point.cooling

    @property
    def criteria(self) -> Criteria:
        """Limits of the classes."""
        return self.design.criteria

    def temperature(self, value_c: float) -> str:
        """Return a temperature as text."""
        return show(value_c, "temperature", self.system)

    def heat(self, value_w: float) -> str:
        """Return a heat as text, whole units."""
        return show(value_w, "heat_flow", self.system, digits=0)

    def power(self, value_w: float) -> str:
        """Return an electrical power as text, whole kilowatts from 100 kW on."""
        return show(value_w, "active_power", self.system, digits=0 if value_w >= 1e5 else 1)

    def water(self, value_m3_s: float) -> str:
        """Return a flow of water or coolant as text."""
        return show(value_m3_s, "liquid_flow", self.system, digits=0)

    def air(self, value_m3_s: float) -> str:
        """Return a flow of air as text."""
        return show(value_m3_s, "air_flow", self.system, digits=0 if self.system == "ip" else 1)

    def rise(self, value_k: float) -> str:
        """Return a difference of temperatures as text."""
        return show(value_k, "temperature_difference", self.system)

    def step(self, id: str) -> float:
        """Return a step of the hour in SI."""
        return self.hour.step(id)

    def has(self, id: str) -> bool:
        """Whether the hour has the calculation step; idle heat rejection has no step."""
        return id in self.hour.trace

    @cached_property
    def _loadings(self) -> dict[str, float]:
        """Load of the duty units by equipment type, as in the annual study.

        Chillers over capacity, CDUs over rated flow, heat rejection over its design heat.
        """
        found = cooling_loads(self.design, self.flow)
        return {name: float(load) / float(most) for name, load, most in found if float(most) > 0.0}

    def loaded(self, text: str, name: str) -> str:
        """Return the units on duty as text, with their load in percent."""
        if name not in self._loadings:
            return text
        return f"{text}, {show(self._loadings[name], 'fraction', digits=0)}"

    def racks_liquid(self) -> Content:
        """Return title and lines of the liquid-cooled racks."""
        heat, flow = self.hour.point.heat.liquid_it_w, self.flow
        return (
            "Racks, cold plates",
            (
                f"{self.heat(heat)} to coolant",
                f"rise {self.rise(flow.tcs_return_c - flow.tcs_supply_c)}",
            ),
            "heat.liquid",
        )

    def racks_air(self) -> Content:
        """Return title and lines of the air-cooled racks."""
        heat = self.hour.point.heat
        return (
            "Racks and halls, air",
            (
                f"IT {self.heat(heat.air_it_w)}",
                f"other {self.heat(heat.non_it_w)}",
                f"inlet mean {self.temperature(self.flow.inlet_c)}",
                f"inlet worst {self.temperature(self.flow.inlet_worst_c)}",
                f"allowed {self.temperature(self.criteria.air_allowable_max_c)}",
            ),
            "air.inlet_temperature_worst",
        )

    def inlet_alarm(self) -> str:
        """Return the limit exceeded by the worst inlet; empty if none."""
        worst_c, criteria = self.flow.inlet_worst_c, self.criteria
        if worst_c > criteria.air_allowable_max_c:
            return f"above limit {self.temperature(criteria.air_allowable_max_c)}"
        return ""

    def remaining_hall_air(self) -> Content:
        """Return title and lines of the heat that rear doors leave in the room."""
        lines = (f"{self.heat(self.step('heat.behind_doors'))}",)
        return "Hall air, remaining", lines, "heat.behind_doors"

    def cdus(self) -> Content:
        """Return title and lines of the CDUs."""
        counts, flow = self.design.counts, self.flow
        return (
            "CDUs",
            (
                f"{counts.cdu} installed, {counts.cdu_duty} on duty",
                self.loaded("duty units", "CDUs on duty, coolant"),
                f"pumps {self.power(flow.power.cdu_pumps_w)}",
                f"{self.heat(self.step('heat.cdu'))} to water",
                f"approach {self.rise(flow.tcs_supply_c - flow.fws_supply_c)}",
            ),
            "heat.cdu",
        )

    def handlers(self) -> Content:
        """Return title and lines of the air handlers of the halls."""
        counts, flow = self.design.counts, self.flow
        name = self.design.chain.crah.path.unit_name
        lines = [
            f"{counts.crah} of {counts.crah} run",
            f"fans {self.power(self.step('crah.fan_power'))}",
            f"coils {self.heat(flow.coils_w)}",
        ]
        if self.design.chain.economizer.on_air:
            lines.append(f"economizer {self.heat(flow.economizer_w)}")
        if flow.fresh_w:
            lines.append(f"fresh air {self.heat(flow.fresh_w)}")
        return f"{name[0].upper()}{name[1:]}s", tuple(lines), "heat.coils"

    def doors(self) -> Content:
        """Return title and lines of the rear doors."""
        racks = sum(rack.count for rack in self.design.chain.racks if rack.air_w > 0.0)
        fans_w = self.step("doors.fan_power")
        return (
            "Rear doors",
            (
                f"{racks:,} racks",
                f"fans {self.power(fans_w)}" if fans_w else "no fans",
                f"coils {self.heat(self.flow.doors_w)}",
            ),
            "doors.heat",
        )

    def electrical(self) -> Content:
        """Return title and lines of the electrical rooms."""
        return (
            "Electrical rooms",
            (f"{self.heat(self.hour.point.heat.electrical_room_w)} of losses",),
            "heat.electrical_room",
        )

    def electrical_handlers(self) -> Content:
        """Return title and lines of the air handlers of the electrical rooms."""
        counts, flow = self.design.counts, self.flow
        name = "CRAC" if self.design.chain.crah.path.refrigerant is not None else "CRAH"
        return (
            f"{name}s, electrical",
            (
                f"{counts.crah_electrical} of {counts.crah_electrical} run",
                f"fans {self.power(self.step('crah.electrical.fan_power'))}",
                f"coils {self.heat(flow.electrical_coils_w)}",
            ),
            "heat.electrical_coils",
        )

    def exchanger(self) -> Content:
        """Return title and lines of the exchanger between facility water and its source."""
        plan = self.design.chain.facility_water
        approach_k = plan.exchanger_approach_k if plan is not None else 0.0
        lines = [f"{self.heat(self.flow.facility_water_w)}", f"approach {self.rise(approach_k)}"]
        if plan is not None and plan.trim:
            lines.append(f"trim {self.heat(self.flow.fws_chilled_w)}")
        return "Plate exchanger", tuple(lines), "heat.facility_water"

    def chillers(self) -> Content:
        """Return title and lines of the chillers, or of the compressors of CRACs."""
        counts, flow, plan = self.design.counts, self.flow, self.design.chilled.plan
        if plan.direct:
            title, run = "Compressors", "in the CRACs"
        else:
            air_cooled = plan.sink.kind == "air_cooled"
            title = "Air-cooled chillers" if air_cooled else "Water-cooled chillers"
            duty = f"duty {counts.chillers_duty} of {counts.chillers}"
            run = self.loaded(duty, "chillers on duty")
        return (
            title,
            (
                run,
                f"load {self.heat(flow.chiller_load_w)}",
                f"power {self.power(flow.power.chillers_w)}",
                f"COP {flow.chiller_cop:.2f}",
                f"economizer {self.heat(flow.economizer_w)}"
                if self.design.chain.economizer.on_water
                else f"condensing {self.temperature(self.step('plant.condensing'))}",
            ),
            "plant.chiller_power",
        )

    def tanks(self, loops: LoopMass) -> Content | None:
        """Return title and lines of the tank of the chilled water; None if none is stated."""
        storage, tank, lines, key = self.design.chain.storage, self.hour.tank, [], ""
        if storage is not None:
            lines += [show(storage.volume_m3, "volume", self.system), "controlled by tariff"]
            if tank.charge_w:
                line, key = f"charging {self.heat(tank.charge_w)}", "tank.charge"
            elif tank.discharge_w:
                line, key = f"discharging {self.heat(tank.discharge_w)}", "tank.given"
            else:
                line = "idle in this hour"
            lines.append(line)
        if loops.chw_tank_m3:
            reserved = show(loops.chw_tank_m3, "volume", self.system)
            lines.append(
                f"of which {reserved} reserved for failures"
                if loops.reserve
                else f"{reserved} reserved for failures"
            )
        return ("Chilled-water tank", tuple(lines), key) if lines else None

    def rejected_w(self, subject: str) -> float:
        """Return the heat that ``plant.rejection`` or ``fws.rejection`` rejects outdoors."""
        before = self.step("plant.condenser_heat")
        if subject != "plant.rejection":
            before = self.flow.facility_water_w - self.flow.fws_chilled_w
        reused_w = self.step(f"{subject}.reused")
        return (self.step(f"{subject}.rejected") or before) - reused_w

    def _rejected(self, subject: str) -> str:
        """Return the trace step of `rejected_w`."""
        own = [f"{subject}.outdoors", f"{subject}.rejected"]
        found = [*own, "heat.fws_rejected", "heat.facility_water"]
        if subject == "plant.rejection":
            found = [*own, "plant.condenser_heat"]
        return next(id for id in found if self.has(id) or id == found[-1])

    def sink(self, subject: str) -> Content:
        """Return title and lines of heat rejection, ``plant.rejection`` or ``fws.rejection``."""
        water, counts = self.design.water, self.design.counts
        of_plant = subject == "plant.rejection"
        sink = self.design.chilled.sink if of_plant or water is None else water.sink
        if sink is None:
            return "", (), ""
        duty, installed = counts.rejection_duty, counts.rejection
        if not of_plant:
            duty, installed = counts.fws_rejection_duty, counts.fws_rejection
        title, units, fans, air = _SINKS[sink.plan.kind]
        served = "chillers" if of_plant else "facility water"
        run = self.loaded(f"{units}: {duty} of {installed}", f"heat rejection of the {served}")
        lines = [run] if units else []
        lines.append(f"rejects {self.heat(self.rejected_w(subject))}")
        if fans:
            lines.append(f"fans {self.power(self.step(f'{subject}.fan_power'))}")
        pumps_w = self.step(f"{subject}.pump_power")
        if pumps_w:
            lines.append(f"pumps {self.power(pumps_w)}")
        if self.has(f"{subject}.entering_air"):
            lines.append(f"{air} in {self.temperature(self.step(f'{subject}.entering_air'))}")
        if self.has(f"{subject}.coil_air"):
            lines.append(f"pads to {self.temperature(self.step(f'{subject}.coil_air'))}")
        return title, tuple(lines), self._rejected(subject)
