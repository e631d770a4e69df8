"""The cooling at work: electrical power by part, heat by part, water and air."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.check import Check


@dataclass(frozen=True)
class CoolingPower:
    """Electrical power of the cooling by part.

    `crah_fans_w` includes the air handlers of the electrical rooms and the fans of rear doors,
    `heat_rejection_fans_w` and `condenser_pumps_w` those of both plants (and the fans of an
    air-side economizer); `fws_pumps_w` circulate
    the facility water.
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
    def total_w(self) -> float:
        """Power of all parts."""
        return (
            self.crah_fans_w
            + self.cdu_pumps_w
            + self.chw_pumps_w
            + self.fws_pumps_w
            + self.chillers_w
            + self.condenser_pumps_w
            + self.heat_rejection_fans_w
            + self.humidification_w
        )

    @property
    def into_water_w(self) -> float:
        """Power that ends as heat in the loops; the fans outdoors warm the outdoor air only."""
        return self.total_w - self.heat_rejection_fans_w - self.humidification_w


@dataclass(frozen=True)
class CoolingFlow:
    """The cooling at one heat and weather.

    Attributes
    ----------
    power : CoolingPower
        Electrical power by part.
    on_ups_w : float
        Part of it that the UPS supplies; `mech_w` is the rest.
    on_ups_coolant_w, mech_coolant_w : float
        Parts of these two that take the heat of coolant, the rest that of air.
    coolant_of_chilled : float
        Part of the heat in the chilled water that comes from coolant.
    collected_w : float
        Heat of the facility that the cooling took up (IT, losses, people ...), without its own.
    room_w, coils_w, electrical_coils_w, doors_w, facility_water_w, chiller_load_w : float
        Heat of the room air, of the coils, of the coils of the electrical rooms, of rear doors, of
        the facility water with its pumps, and of the chillers.
    fws_chilled_w : float
        Heat of the facility water that the chilled water takes.
    rejected_w : float
        Heat given to the outdoors: what was collected and all power that ends in the water.
    crah_airflow_m3_s, electrical_airflow_m3_s : float
        Air supplied to the halls and the electrical rooms.
    supply_air_c, return_air_c, inlet_c, inlet_worst_c : float
        Air temperatures; `inlet_c` is the mean of the equipment inlets.
    tcs_flow_m3_s, tcs_supply_c, tcs_return_c : float
        Coolant; zero flow without CDUs.
    fws_flow_m3_s, fws_supply_c, fws_return_c : float
        Facility water.
    chw_flow_m3_s, chw_supply_c, chw_return_c : float
        Chilled water.
    condenser_flow_m3_s, condenser_in_c, condenser_out_c : float
        Condenser water; for air-cooled chillers the air in and the condensing temperature.
    chiller_cop : float
        Load over compressor power.
    economizer_w : float
        Heat that an economizer takes without compressors.
    checks : tuple[Check, ...]
        Checks that depend on the weather.
    """

    power: CoolingPower
    on_ups_w: float
    mech_w: float
    on_ups_coolant_w: float
    mech_coolant_w: float
    coolant_of_chilled: float
    collected_w: float
    room_w: float
    coils_w: float
    electrical_coils_w: float
    doors_w: float
    facility_water_w: float
    fws_chilled_w: float
    chiller_load_w: float
    rejected_w: float
    crah_airflow_m3_s: float
    electrical_airflow_m3_s: float
    supply_air_c: float
    return_air_c: float
    inlet_c: float
    inlet_worst_c: float
    tcs_flow_m3_s: float
    tcs_supply_c: float
    tcs_return_c: float
    fws_flow_m3_s: float
    fws_supply_c: float
    fws_return_c: float
    chw_flow_m3_s: float
    chw_supply_c: float
    chw_return_c: float
    condenser_flow_m3_s: float
    condenser_in_c: float
    condenser_out_c: float
    chiller_cop: float
    checks: tuple[Check, ...]
    economizer_w: float = 0.0
