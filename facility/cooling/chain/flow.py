"""Cooling design with sized parts, and operating point: power, heat, water and air."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

from facility.cooling.air.crah import CrahDesign
from facility.cooling.choices import CduChoice, CoolingChoices, CrahChoice
from facility.cooling.liquid.facility_water import FacilityWater
from facility.cooling.parts.cdu import CduDesign
from facility.cooling.parts.loads import CoolingCounts
from facility.cooling.plant.chilled_water import ChilledWater
from facility.cooling.plant.rejection import CorrelationRange, Rejection
from facility.core.check import Check
from facility.core.trace import SILENT, Trace
from facility.core.views import show
from facility.model.cooling.chain import CoolingChain
from facility.model.facility import Criteria


@dataclass(frozen=True)
class CoolingPower:
    """Electrical power of the cooling by part.

    `crah_fans_w` includes the fans of electrical rooms, rear doors and outdoor air;
    `heat_rejection_fans_w` and `condenser_pumps_w` are for chillers and facility water,
    the former including air-side economizer fans; `fws_pumps_w` circulate the facility water.
    """

    crah_fans_w: float
    cdu_pumps_w: float
    chw_pumps_w: float
    fws_pumps_w: float
    chillers_w: float
    condenser_pumps_w: float
    heat_rejection_fans_w: float
    humidification_w: float

    @property
    def parts(self) -> dict[str, float]:
        """Power by the name of the part."""
        return {field.name.removesuffix("_w"): getattr(self, field.name) for field in fields(self)}

    @cached_property
    def total_w(self) -> float:
        """Power of all parts."""
        return self.total()

    def total(self, trace: Trace = SILENT) -> float:
        """Return `total_w`, recorded as ``load.cooling``, the sum of the parts."""
        parts = {f"cooling.{name}": power_w for name, power_w in self.parts.items()}
        because = "electrical power of the cooling"
        return trace.add("load.cooling", "active_power", because, parts)

    @property
    def into_water_w(self) -> float:
        """Power that ends as heat in the loops; outdoor fans only warm outdoor air."""
        return self.total_w - self.heat_rejection_fans_w - self.humidification_w


@dataclass(frozen=True)
class CoolingFlow:
    """Operating point of the cooling at one heat and weather."""

    power: CoolingPower  # Electrical power by component
    on_ups_w: float  # Power on UPS; `mech_w` is the rest
    mech_w: float
    # Shares of these two that remove heat of coolant; the rest removes heat of air.
    on_ups_coolant_w: float
    mech_coolant_w: float
    coolant_of_chilled: float  # Share of chilled-water heat from coolant
    # Facility heat removed (IT, losses, people ...), without heat of the cooling itself.
    collected_w: float
    room_w: float  # Heat of the room air
    coils_w: float  # Heat of the coils
    electrical_coils_w: float  # Heat of the coils of the electrical rooms
    doors_w: float  # Heat of rear doors
    facility_water_w: float  # Heat of the facility water with its pumps
    fws_chilled_w: float  # Heat of the facility water removed by chilled water
    chiller_load_w: float  # Heat of the chillers
    # Heat rejected outdoors: heat removed and all power ending in the water, without
    # `reused_w`.
    rejected_w: float
    crah_airflow_m3_s: float  # Air supplied to the halls
    electrical_airflow_m3_s: float  # Air supplied to the electrical rooms
    # Air temperatures; `inlet_c` is the mean of the equipment inlets.
    supply_air_c: float
    return_air_c: float
    inlet_c: float
    inlet_worst_c: float
    # Coolant; zero flow without CDUs.
    tcs_flow_m3_s: float
    tcs_supply_c: float
    tcs_return_c: float
    # Facility water.
    fws_flow_m3_s: float
    fws_supply_c: float
    fws_return_c: float
    # Chilled water.
    chw_flow_m3_s: float
    chw_supply_c: float
    chw_return_c: float
    # Condenser water; for air-cooled chillers the air in and the condensing temperature.
    condenser_flow_m3_s: float
    condenser_in_c: float
    condenser_out_c: float
    chiller_cop: float  # Load over compressor power
    checks: tuple[Check, ...]  # Checks that depend on the weather
    rejection: Rejection  # Heat rejection of the chillers
    fws_rejection: (
        Rejection | None
    )  # Heat rejection of the facility water, None without a dedicated one
    economizer_w: float = 0.0  # Heat removed by an economizer without compressors
    pads_kg_s: float = 0.0  # Water evaporated by its pads
    coil_capacity_w: float = 0.0  # Capacity of the installed coils of the halls
    fresh_w: float = 0.0  # Heat of the outdoor air of the halls, including fans
    reused_w: float = 0.0  # Heat delivered to a heat user
    tank_w: float = 0.0  # Heat from a tank while charging; below zero while discharging
    # Towers in operation with the range of their correlation; empty for multiple hours.
    correlation_ranges: tuple[CorrelationRange, ...] = ()


@dataclass(frozen=True)
class CoolingDesign:
    """The cooling sized at the design weather."""

    # Design basis.
    chain: CoolingChain
    criteria: Criteria
    # Its parts; `cdus` and `water` are None without liquid.
    crah: CrahDesign
    cdus: CduDesign | None
    water: FacilityWater | None
    chilled: ChilledWater
    # IT heat for sizing of air handlers and CDUs; the sum may differ from the IT
    # load.
    crah_design_w: float
    cdu_design_w: float
    outdoor_c: float  # Design outdoor air including recirculation
    counts: CoolingCounts  # Units, duty and installed
    checks: tuple[Check, ...]  # Weather-independent checks
    # Duty air handlers at rated chilled-water rise.
    usual_crahs: int = 0

    @property
    def cdu_approach_available_k(self) -> float | None:
        """Coolant above the facility water; None without either."""
        if self.cdus is None or self.water is None:
            return None
        return self.cdus.plan.tcs_supply_c - self.water.plan.supply_c

    @property
    def choices(self) -> CoolingChoices:
        """The selections: models, sizes, counts and arrangement."""
        counts, chilled, crah = self.counts, self.chilled, self.chain.crah
        water = self.water
        return CoolingChoices(
            CrahChoice(crah.path.terminal, counts.crah, counts.crah_electrical),
            None if water is None else CduChoice(water.cdus.plan.unit.model, counts.cdu),
            None if water is None else water.choice,
            None if chilled.plan.direct else chilled.choice,
            chilled.sink.choice,
        )


@dataclass(frozen=True)
class CoolingOperation:
    """The cooling as designed, and at one heat and weather."""

    design: CoolingDesign
    flow: CoolingFlow

    @property
    def inlet_words(self) -> str:
        """Causes of the worst inlet temperature, with their fields."""
        chain, crah, worst_c = self.design.chain, self.design.chain.crah, self.flow.inlet_worst_c
        rise = show(worst_c - crah.supply_air_c, "temperature_difference")
        cause = "of rack exhaust (cooling.containment, cooling.worst_recirculation)"
        if crah.path.door is not None:
            door = f"{show(crah.path.door.net_sensible_w, 'heat_flow')} (cooling.air.terminal)"
            cause = f"downstream of a rear door of {door} on racks of up to "
            cause += f"{show(max(rack.air_w for rack in chain.racks), 'heat_flow')} in air (it)"
        supply = f"supply air of {show(crah.supply_air_c, 'temperature')} (cooling.supply_air)"
        return f"{show(worst_c, 'temperature')}: {supply} and {rise} {cause}"

    @property
    def facility_water_words(self) -> str:
        """Sources of the facility water, with their fields; empty without facility water."""
        water = self.design.water
        if water is None:
            return ""
        names = {"tower": "towers", "dry_cooler": "dry coolers", "chilled_water": "chilled water"}
        made = show(self.flow.fws_supply_c, "temperature")
        supplement = " and chilled water" if water.plan.trim and water.chilled_w > 0.0 else ""
        named = f"{names[water.plan.source]}{supplement} (cooling.facility_water.source)"
        bulb = "wet bulb" if water.plan.source == "tower" else "dry bulb"
        if water.plan.source == "chilled_water":
            return f"{named} supply {made}"
        word, k, field = "rise", water.rise_k, "delta_t"
        if water.tower_part < 1.0:
            word, k, field = "range", water.plan.tower_range_k, "tower_range"
        return (
            f"{named} supply {made} at the site {bulb} and a {word} of "
            f"{show(k, 'temperature_difference')} (cooling.facility_water.{field})"
        )
