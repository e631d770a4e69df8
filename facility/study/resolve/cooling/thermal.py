"""Thermal masses and restart times, resolved: inputs, and every default by name."""

from __future__ import annotations

from dataclasses import replace

from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.sources import DERIVED, PRACTICE
from facility.core.trace import Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.cooling.thermal import LoopMass, Restart, RoomMass, Tank, TankKind, ThermalBasis
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.model.it import ItPlan
from facility.study.resolve.cooling.it import devices_of
from facility.study.resolve.reader import Reader

_SLAB_J_M2K, _RACK_J_K = 50e3, 60e3
_FILM_W_M2K, _RACK_M2 = 5.0, 4.0
_UNIT_J_K = 6e3
_COIL_S_K, _DIRECT_COIL_S_K = 1.5, 0.5
"""Water and metal per W of coils; for CRACs metal and refrigerant, per rating."""
_COMPRESSOR_RESTART = (180.0, "anti-short-cycle timer of CRAC compressors, 3 to 5 min", PRACTICE)
_COMPRESSOR_RAMP = (30.0, "CRAC compressors to full capacity", PRACTICE)
_PLATE_J_K_PER_W = 0.3
_GALLON_M3, _TON_W = 3.785411784e-3, 3516.853
_CHW_MIN_M3_PER_W = 6.0 * _GALLON_M3 / _TON_W
_USABLE = 0.875
"""Middle of the 85 to 90 % used by manufacturers of stratified tanks."""


def resolve_thermal(
    given: ThermalSection | None, plan: ItPlan, cooling: CoolingChain, trace: Trace
) -> ThermalBasis:
    """Return masses, volumes and restart times in SI, complete.

    plan: Halls, racks and devices, basis of the default masses.
    cooling: Whether the halls have CRACs, with their own compressors; the storage tank.

    Raises ``THERMAL_CONTRADICTION`` for a changeover without a standby pump, and for a buffer
    in addition to the reserve of a tank.
    """
    section, direct = given or ThermalSection.unstated(), cooling.chilled_water.direct
    reserve_m3 = cooling.storage.reserve_m3 if cooling.storage is not None else 0.0
    if reserve_m3 > 0.0:
        section = _with_reserve(section, reserve_m3)
    read = Reader(section, "cooling.thermal", trace)
    return ThermalBasis(
        _room(read, plan, direct),
        replace(_loops(section, read, plan, direct), reserve=reserve_m3 > 0.0),
        _restart(section, read, cooling),
    )


def _heard(read: Reader, there: bool) -> Reader:
    """Return the reader, or a non-recording one for absent equipment."""
    return read if there else Reader(read.section, "", Trace())


def _with_reserve(section: ThermalSection, reserve_m3: float) -> ThermalSection:
    """Return the masses with the reserve of a tank as the buffer of the chilled water."""
    for name in ("chilled_water_tank", "tank_kind", "tank_usable"):
        if getattr(section, name) is not None:
            raise FacilityError(
                "THERMAL_CONTRADICTION",
                f"cooling.thermal.{name}",
                "the chilled-water buffer is the reserve of the storage tank "
                "(cooling.storage.reserve), stratified and fully usable.",
                "Omit it, or omit reserve and enter the buffer.",
            )
    volume = Measured(f"{reserve_m3:g} m3", "volume", "m3", reserve_m3, reserve_m3)
    whole = Measured("100 %", "fraction", "%", 100.0, 1.0)
    changes = {"chilled_water_tank": volume, "tank_kind": "stratified", "tank_usable": whole}
    return section.model_copy(update=changes)


def _room(read: Reader, plan: ItPlan, direct: bool) -> RoomMass:
    floor_m2 = sum(hall.floor_area_m2 for hall in plan.halls)
    racks = sum(rack.count for rack in plan.racks)
    units = sum(
        count * device.rack_units * (1.0 - device.liquid_fraction)
        for _, device, count, _ in devices_of(plan)
    )
    return RoomMass(
        air_m3=floor_m2 * read("room_height"),
        cold_share=read("cold_share"),
        structure_j_k=read(
            "structure_mass",
            _SLAB_J_M2K * floor_m2 + _RACK_J_K * racks,
            f"{_SLAB_J_M2K / 1e3:g} kJ/K per m2 of floor area and {_RACK_J_K / 1e3:g} kJ/K "
            "per rack, effective within minutes",
        ),
        structure_w_k=read(
            "structure_conductance",
            _FILM_W_M2K * (2.0 * floor_m2 + _RACK_M2 * racks),
            f"{_FILM_W_M2K:g} W/(m2 K) at floor, ceiling and {_RACK_M2:g} m2 per rack",
        ),
        server_j_k=read(
            "server_mass",
            _UNIT_J_K * units,
            f"{_UNIT_J_K / 1e3:g} kJ/K per rack unit, air-cooled share",
        ),
        server_effectiveness=read("server_effectiveness"),
        coil_j_k=read.given("coil_mass"),
        coil_s_k=_DIRECT_COIL_S_K if direct else _COIL_S_K,
        shutdown_c=read("shutdown_inlet"),
    )


def _loops(section: ThermalSection, read: Reader, plan: ItPlan, direct: bool) -> LoopMass:
    liquid_w = sum(rack.count * rack.liquid_w for rack in plan.racks)
    liquid_w *= plan.demand_factor * plan.diversity
    wet, chilled = liquid_w > 0.0, _heard(read, not direct)
    # Without coolant, cold plates have no effect, and no default is recorded.
    of_plates = read if wet else Reader(ThermalSection.unstated(), "", Trace())
    kind: TankKind = chilled.word("tank_kind", section.tank_kind)
    named: dict[Tank, object] = {"fws": section.facility_water_tank}
    if not direct:
        named["chw"] = section.chilled_water_tank
    return LoopMass(
        plate_j_k=of_plates(
            "plate_mass",
            _PLATE_J_K_PER_W * liquid_w,
            f"{_PLATE_J_K_PER_W:g} J/K per W of chips and cold plates",
        ),
        plate_rise_k=of_plates("plate_rise"),
        plate_limit_c=of_plates("plate_limit"),
        tcs_m3=read.given("tcs_volume", wet),
        fws_m3=read.given("facility_water_volume", wet),
        chw_m3=chilled.given("chilled_water_volume"),
        chw_min_m3_per_w=_min_water(chilled.trace),
        chw_tank_m3=chilled.given("chilled_water_tank") or 0.0,
        fws_tank_m3=read.given("facility_water_tank", wet) or 0.0,
        open_tanks=frozenset(tank for tank, given in named.items() if given is None),
        chw_tank=kind,
        tank_usable=(
            chilled(
                "tank_usable",
                _USABLE,
                "85 to 90 % of a stratified tank: the remainder is at diffusers and between cold "
                "and warm water",
                PRACTICE,
            )
            if kind == "stratified"
            else chilled("tank_usable", 1.0, "full volume of a mixed tank")
        ),
        reserve=False,
    )


def _min_water(trace: Trace) -> float:
    """Return the minimum loop volume of chillers per load [m3/W]."""
    trace.ledger.add_text(
        "cooling.thermal.least_chilled_water",
        "6 US gal per ton of chiller load",
        "low end of chiller manufacturers' requirements for close control; 3 for comfort cooling",
        PRACTICE,
    )
    return _CHW_MIN_M3_PER_W


def _standby_pump(section: ThermalSection, read: Reader) -> float | None:
    """Return when the standby pump of a water loop starts; None where all installed pumps run."""
    idle = read.flag("standby_water_pumps")
    if idle:
        return read("water_pump_start")
    if section.water_pump_start is not None:
        raise FacilityError(
            "THERMAL_CONTRADICTION",
            "cooling.thermal.water_pump_start",
            "water_pump_start is specified, but all installed pumps of the water loops run"
            " (cooling.thermal.standby_water_pumps is false).",
            "Omit water_pump_start, or set standby_water_pumps to true.",
        )
    return None


def _restart(section: ThermalSection, read: Reader, cooling: CoolingChain) -> Restart:
    direct, of_cdus = cooling.chilled_water.direct, _heard(read, cooling.cdu is not None)
    of_sinks = _heard(read, cooling.rejects_outdoors)
    of_water = _heard(read, cooling.cdu is not None or not direct)
    if section.standby_pump is False and section.pump_changeover is not None:
        raise FacilityError(
            "THERMAL_CONTRADICTION",
            "cooling.thermal.pump_changeover",
            "a changeover time is specified, but the CDUs have no standby pump.",
            "Omit pump_changeover, or set standby_pump to true.",
        )
    standby = of_cdus.flag("standby_pump")
    read.trace.ledger.add_text(
        "cooling.thermal.generator_order",
        "cooling last",
        "cooling is in the last generator load "
        "steps: all cooling is delayed to the last step, although its first blocks "
        "start earlier",
        DERIVED,
    )
    return Restart(
        ramp_s=read("ramp"),
        chiller_s=read("chiller_restart", *(_COMPRESSOR_RESTART if direct else ())),
        chiller_ramp_s=read("chiller_ramp", *(_COMPRESSOR_RAMP if direct else ())),
        rejection_s=of_sinks("rejection_restart"),
        step_s=read("generator_step"),
        pump_changeover_s=of_cdus("pump_changeover") if standby else None,
        standby_pump_s=_standby_pump(section, of_water),
        standby_rejection=of_sinks.flag("standby_rejection"),
        header_flow=of_water.given("header_flow"),
        horizon_s=read("horizon"),
    )
