"""Assembly of the operating parts: powers, heats, temperatures of one `CoolingFlow`."""

from __future__ import annotations

from collections.abc import Mapping

from facility.cooling.air.air_side import AirSide
from facility.cooling.chain.flow import CoolingDesign, CoolingFlow, CoolingPower
from facility.cooling.economizer.parts import AirEconomy
from facility.cooling.liquid.facility_water import FacilityWaterState
from facility.cooling.parts.cdu import LiquidSide
from facility.cooling.parts.loads import HeatLoad
from facility.cooling.plant.chilled_water import ChilledWaterState
from facility.core.sources import DERIVED
from facility.core.trace import Trace
from facility.physics.elementwise import anywhere, maximum, where

_MIN_W = 1e-9
"""Divisor replacing zero heat; the quotient is not used."""
_MIN_W_K = 1e-9
"""Divisor replacing zero flow; the quotient is not used."""


def cooling_power(
    side: AirSide,
    liquid: LiquidSide | None,
    water: FacilityWaterState | None,
    plant: ChilledWaterState,
    economy: AirEconomy | None,
    steam_w: float,
    trace: Trace,
) -> CoolingPower:
    """Return electrical power by component, as ``cooling.<part>``, and ``load.cooling``."""
    own = water.rejection if water is not None else None
    terms = {
        "crah_fans": {
            "crah.fan_power": side.fans_w,
            "crah.electrical.fan_power": side.electrical_fans_w,
            "doors.fan_power": side.door_fans_w,
            "ventilation.fan_power": side.fresh_fans_w,
        },
        "cdu_pumps": {"cdu.pump_power": liquid.pumps_w if liquid is not None else 0.0},
        "chw_pumps": {"plant.chw.pump_power": plant.pumps_w},
        "fws_pumps": {"fws.pump_power": water.pumps_w if water is not None else 0.0},
        "chillers": {"plant.chiller_power": plant.chillers_w},
        "condenser_pumps": {
            "plant.rejection.pump_power": plant.rejection.pumps_w,
            "fws.rejection.pump_power": own.pumps_w if own is not None else 0.0,
        },
        "heat_rejection_fans": {
            "plant.rejection.fan_power": plant.rejection.fans_w,
            "fws.rejection.fan_power": own.fans_w if own is not None else 0.0,
            "economizer.fan_power": economy.fans_w if economy is not None else 0.0,
        },
        "humidification": {"humidifier.power": steam_w},
    }
    power = CoolingPower(**{f"{name}_w": _part(name, of, trace) for name, of in terms.items()})
    power.total(trace)
    return power


def _part(name: str, terms: Mapping[str, float], trace: Trace) -> float:
    at = f"cooling.{name}"
    present = {step: w for step, w in terms.items() if step in trace or anywhere(w)}
    if not present:
        return trace.given(at, 0.0, "active_power", DERIVED, "not present")
    return trace.add(at, "active_power", "electrical power", present)


def _supplied(
    design: CoolingDesign,
    power: CoolingPower,
    side: AirSide,
    water: FacilityWaterState | None,
    plant: ChilledWaterState,
) -> dict[str, float]:
    """Return the power on UPS and on boards, and its shares for heat from coolant.

    For chilled water, chillers and their heat rejection, this is the share of the heat added by
    the facility water.
    """
    chain, rejection = design.chain, plant.rejection
    chilled_w = water.chilled_w if water is not None else 0.0
    picked_w = side.coil_w + side.electrical_coil_w + side.doors_w + side.fresh_w + chilled_w
    chilled = where(picked_w > 0.0, chilled_w / maximum(picked_w, _MIN_W), 0.0)
    cdus, pumps = chain.cdu is not None and chain.cdu.on_ups, chain.chilled_water.pumps_on_ups
    of_units = chain.chilled_water.compressors_on_ups
    of_water = water.rejection if water is not None else None
    water_w = of_water.pumps_w + of_water.fans_w if of_water is not None else 0.0
    parts = (
        (chain.crah.on_ups, power.crah_fans_w, 0.0),
        (cdus, power.cdu_pumps_w, 1.0),
        (pumps, power.chw_pumps_w, chilled),
        (pumps, power.fws_pumps_w, 1.0),
        (of_units, power.chillers_w, chilled),
        (False, rejection.pumps_w + rejection.fans_w, chilled),
        (False, water_w, 1.0),
    )
    ups_w = sum(power_w for on_ups, power_w, _ in parts if on_ups)
    return {
        "on_ups_w": ups_w,
        "mech_w": power.total_w - ups_w,
        "on_ups_coolant_w": sum(power_w * part for on_ups, power_w, part in parts if on_ups),
        "mech_coolant_w": sum(power_w * part for on_ups, power_w, part in parts if not on_ups),
        "coolant_of_chilled": chilled,
    }


def assemble(
    design: CoolingDesign,
    heat: HeatLoad,
    side: AirSide,
    liquid: LiquidSide | None,
    water: FacilityWaterState | None,
    plant: ChilledWaterState,
    economy: AirEconomy | None,
    power: CoolingPower,
) -> CoolingFlow:
    """Return the cooling in operation, without checks."""
    chain = design.chain
    of_water = water.rejection if water is not None else None
    fws_rejected = of_water.heat_w if of_water is not None else 0.0
    reused_w = plant.rejection.reused_w + (of_water.reused_w if of_water is not None else 0.0)
    outdoors_w = economy.heat_w if economy is not None else 0.0
    tcs_flow, tcs_supply_c, tcs_return_c = _coolant(design, liquid, water)
    condenser_in_c = plant.rejection.water.leaving_c
    chilled = chain.chilled_water
    chw_rise_k = chilled.rise_k
    return CoolingFlow(
        power=power, **_supplied(design, power, side, water, plant),
        collected_w=heat.total_w, room_w=heat.room_w, coils_w=side.coil_w,
        electrical_coils_w=side.electrical_coil_w, doors_w=side.doors_w,
        facility_water_w=water.heat_w if water is not None else 0.0,
        fws_chilled_w=water.chilled_w if water is not None else 0.0,
        chiller_load_w=plant.load_w, rejected_w=plant.rejection.heat_w + fws_rejected + outdoors_w,
        crah_airflow_m3_s=side.supply_flow_m3_s, electrical_airflow_m3_s=side.electrical_flow_m3_s,
        supply_air_c=chain.crah.supply_air_c, return_air_c=side.return_c, inlet_c=side.inlet_c,
        inlet_worst_c=side.inlet_worst_c,
        tcs_flow_m3_s=tcs_flow, tcs_supply_c=tcs_supply_c, tcs_return_c=tcs_return_c,
        fws_flow_m3_s=water.flow_m3_s if water is not None else 0.0,
        fws_supply_c=water.supply_c if water is not None else 0.0,
        fws_return_c=water.return_c if water is not None else 0.0,
        chw_flow_m3_s=plant.flow_m3_s, chw_supply_c=chilled.supply_c,
        chw_return_c=chilled.supply_c + chw_rise_k,
        condenser_flow_m3_s=plant.rejection.flow_m3_s, condenser_in_c=condenser_in_c,
        condenser_out_c=_condenser_out(design, plant),
        chiller_cop=plant.cop, checks=(), correlation_ranges=(),
        economizer_w=plant.economizer_w + outdoors_w,
        rejection=plant.rejection, fws_rejection=of_water, reused_w=reused_w,
        pads_kg_s=economy.pads_kg_s if economy is not None else 0.0,
        fresh_w=side.fresh_w,
    )  # fmt: skip


def _condenser_out(design: CoolingDesign, plant: ChilledWaterState) -> float:
    """Return the condenser return water temperature, or the temperature of air-cooled condensers.

    Without an economizer it is the condenser outlet. An upstream exchanger accepts colder water
    than the head pressure permits; the return carries the heat of both, independent of the
    recirculation of the mixing valve.
    """
    sink, rejection = design.chilled.sink, plant.rejection
    if sink.plan.kind == "air_cooled":
        return plant.condensing_c
    outlet_c = plant.condensing_c - design.chain.chilled_water.chiller.condenser_approach_k
    if not design.chain.economizer.on_water:
        return outlet_c
    rate_w_k = maximum(sink.liquid.rate_w_k(rejection.flow_m3_s), _MIN_W_K)
    mixed_c = rejection.water.leaving_c + rejection.whole_w / rate_w_k
    return where(plant.economizer_w > 0.0, mixed_c, outlet_c)


def _coolant(
    design: CoolingDesign, liquid: LiquidSide | None, water: FacilityWaterState | None
) -> tuple[float, float, float]:
    """Return coolant flow, supply and return; the supply rises with facility water too warm."""
    if design.cdus is None or liquid is None or water is None:
        return 0.0, 0.0, 0.0
    plan = design.cdus.plan
    approach_k = design.cdus.approach_with(
        design.cdus.installed, liquid.heat_w, plan.tcs_flow_m3_s, water.flow_m3_s
    )
    supply_c = maximum(plan.tcs_supply_c, water.supply_c + approach_k)
    return plan.tcs_flow_m3_s, supply_c, liquid.return_c - plan.tcs_supply_c + supply_c
