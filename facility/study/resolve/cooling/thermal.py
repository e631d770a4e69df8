"""Thermal masses and restart times, resolved: what is given, and every default by name."""

from __future__ import annotations

from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling.thermal import (
    LoopMass,
    Restart,
    RoomMass,
    Tank,
    TankKind,
    ThermalBasis,
)
from facility.model.inputs.cooling.thermal import ThermalSection
from facility.model.it import ItPlan
from facility.study.resolve.cooling.it import devices_of
from facility.study.resolve.criteria import UNSTATED, given_or_assumed

_PRACTICE = Source("memory-cooling-practice", verified="memory")
_SERVER = Source("server-thermal-mass", "12 kJ/K for a server of 2 units", "", "secondary")
_RESTART = Source("chiller-restart-times", "4 to 8 min for a conventional chiller", "", "secondary")
_ISO = Source("iso-8528-5", "frequency recovery of class G2", "2005")

_HEIGHT_M, _COLD = 4.0, 0.4
_SLAB_J_M2K, _RACK_J_K = 50e3, 60e3
_FILM_W_M2K, _RACK_M2 = 5.0, 4.0
_UNIT_J_K = 6e3
_EFFECTIVENESS = 0.5
_COIL_S_K, _SHUTDOWN_C = 1.5, 50.0
_PLATE_J_K_PER_W, _PLATE_RISE_K, _PLATE_LIMIT_C = 0.3, 30.0, 95.0
_GALLON_M3, _TON_W = 3.785411784e-3, 3516.853
_CHW_M3_PER_W = 6.0 * _GALLON_M3 / _TON_W
_USABLE = 0.875
"""Middle of the 85 to 90 % that makers of stratified tanks count on."""
_RAMP_S, _CHILLER_S, _CHILLER_RAMP_S = 15.0, 240.0, 120.0
_REJECTION_S, _STEP_S, _CHANGEOVER_S, _HORIZON_S = 60.0, 5.0, 10.0, 1800.0


class _Reader:
    """Reads the section, and records what is given or assumed under ``cooling.thermal``."""

    def __init__(self, section: ThermalSection, trace: Trace) -> None:
        self.section = section
        self.trace = trace

    def __call__(
        self, name: str, value: float, kind: str, basis: str, source: Source = _PRACTICE
    ) -> float:
        given: Measured | None = getattr(self.section, name)
        return given_or_assumed(
            self.trace, f"cooling.thermal.{name}", given, value, kind, basis, source
        )


def resolve_thermal(section: ThermalSection, plan: ItPlan, trace: Trace) -> ThermalBasis:
    """Return masses, volumes and restart times in SI, complete.

    Parameters
    ----------
    section : ThermalSection
        What the project says.
    plan : ItPlan
        Halls, racks and devices, which the default masses follow.
    trace : Trace
        Receives the givens and, in its ledger, every default.

    Raises
    ------
    FacilityError
        ``THERMAL_CONTRADICTION`` for a changeover to a pump that is not there.
    """
    read = _Reader(section, trace)
    return ThermalBasis(_room(read, plan), _loops(read, plan), _restart(read))


def _room(read: _Reader, plan: ItPlan) -> RoomMass:
    floor_m2 = sum(hall.floor_area_m2 for hall in plan.halls)
    racks = sum(rack.count for rack in plan.racks)
    units = sum(
        count * device.rack_units * (1.0 - device.liquid_fraction)
        for _, device, count, _ in devices_of(plan)
    )
    height_m = read("room_height", _HEIGHT_M, "length", "halls with their plenums")
    return RoomMass(
        air_m3=floor_m2 * height_m,
        cold_share=read("cold_share", _COLD, "fraction", "air of the halls on the supply side"),
        structure_j_k=read(
            "structure_mass", _SLAB_J_M2K * floor_m2 + _RACK_J_K * racks, "heat_capacity",
            f"{_SLAB_J_M2K / 1e3:g} kJ/K for each m2 of floor and {_RACK_J_K / 1e3:g} kJ/K for "
            "each rack take part within minutes",
        ),
        structure_w_k=read(
            "structure_conductance", _FILM_W_M2K * (2.0 * floor_m2 + _RACK_M2 * racks),
            "thermal_conductance",
            f"{_FILM_W_M2K:g} W/(m2 K) at floor, ceiling and {_RACK_M2:g} m2 of each rack",
        ),
        server_j_k=read(
            "server_mass", _UNIT_J_K * units, "heat_capacity",
            f"{_UNIT_J_K / 1e3:g} kJ/K for each rack unit, as much of it as air cools", _SERVER,
        ),
        server_effectiveness=read(
            "server_effectiveness", _EFFECTIVENESS, "fraction",
            "rise of the air over the difference of metal and inlet",
        ),
        coil_j_k=_coil_mass(read),
        coil_s_k=_COIL_S_K,
        shutdown_c=read(
            "shutdown_inlet", _SHUTDOWN_C, "temperature",
            "inlet air from which equipment sheds its load; makers seldom publish it",
        ),
    )  # fmt: skip


def _coil_mass(read: _Reader) -> float | None:
    given = read.section.coil_mass
    if given is not None:
        return read.trace.given("cooling.thermal.coil_mass", given.si, "heat_capacity", PROJECT)
    read.trace.ledger.add_text(
        "cooling.thermal.coil_mass",
        f"{_COIL_S_K:g} kJ/K for each kW of coil load",
        "some 25 L of water and 80 kg of metal for 100 kW",
        _PRACTICE,
    )
    return None


def _loops(read: _Reader, plan: ItPlan) -> LoopMass:
    liquid_w = sum(rack.count * rack.liquid_w for rack in plan.racks)
    liquid_w *= plan.demand_factor * plan.diversity
    wet = liquid_w > 0.0

    def of_coolant(name: str, value: float, kind: str, basis: str, source: Source) -> float:
        return read(name, value, kind, basis, source) if wet else value

    kind = _tank(read.section, read.trace)
    return LoopMass(
        plate_j_k=of_coolant(
            "plate_mass",
            _PLATE_J_K_PER_W * liquid_w,
            "heat_capacity",
            f"{_PLATE_J_K_PER_W:g} J/K for each W of chips and cold plates",
            _PRACTICE,
        ),
        plate_rise_k=of_coolant(
            "plate_rise",
            _PLATE_RISE_K,
            "temperature_difference",
            "chips and cold plates over the coolant supply",
            _PRACTICE,
        ),
        plate_limit_c=of_coolant(
            "plate_limit", _PLATE_LIMIT_C, "temperature", "where chips stop themselves", _PRACTICE
        ),
        tcs_m3=_volume(read, "tcs_volume", read.section.tcs_volume, wet),
        fws_m3=_volume(read, "facility_water_volume", read.section.facility_water_volume, wet),
        chw_m3=_chw_volume(read),
        chw_m3_per_w=_CHW_M3_PER_W,
        chw_tank_m3=_tank_m3(read, "chilled_water_tank", True),
        fws_tank_m3=_tank_m3(read, "facility_water_tank", wet),
        open_tanks=_open_tanks(read.section),
        chw_tank=kind,
        tank_usable=_usable(read, kind),
    )


def _volume(read: _Reader, name: str, given: Measured | None, wet: bool) -> float | None:
    id = f"cooling.thermal.{name}"
    if given is not None:
        return read.trace.given(id, given.si, "volume", PROJECT)
    if wet:
        read.trace.ledger.add_text(
            id,
            "as laid out",
            "pipes of the loop, and what its racks hold; CDUs and other machines are not counted",
            DERIVED,
        )
    return None


def _tank_m3(read: _Reader, name: str, there: bool) -> float:
    """Return the buffer given; zero for one that is chosen once the failures are followed."""
    id, given = f"cooling.thermal.{name}", getattr(read.section, name)
    if given is not None:
        return float(read.trace.given(id, given.si, "volume", PROJECT))
    if there:
        read.trace.ledger.add_text(
            id,
            "as the ride-through needs",
            "the smallest standard size with which no failure "
            "that cooling comes back from passes an allowable limit; none where none is passed",
            DERIVED,
        )
    return 0.0


def _open_tanks(section: ThermalSection) -> frozenset[Tank]:
    named: tuple[tuple[Tank, object], ...] = (
        ("chw", section.chilled_water_tank),
        ("fws", section.facility_water_tank),
    )
    return frozenset(tank for tank, given in named if given is None)


def _chw_volume(read: _Reader) -> float | None:
    given, id = read.section.chilled_water_volume, "cooling.thermal.chilled_water_volume"
    if given is not None:
        return read.trace.given(id, given.si, "volume", PROJECT)
    read.trace.ledger.add_text(
        id,
        "6 US gal per ton of chiller load",
        "low end of what chiller makers ask for close control",
        _PRACTICE,
    )
    return None


def _tank(section: ThermalSection, trace: Trace) -> TankKind:
    if section.tank_kind is not None:
        return section.tank_kind
    trace.ledger.add_text(
        "cooling.thermal.tank_kind",
        "mixed",
        "the careful choice: it warms from the start",
        UNSTATED,
    )
    return "mixed"


def _usable(read: _Reader, kind: TankKind) -> float:
    if kind == "stratified":
        return read(
            "tank_usable",
            _USABLE,
            "fraction",
            "85 to 90 % of a stratified tank: the rest is at its diffusers and between cold and "
            "warm water",
        )
    return read("tank_usable", 1.0, "fraction", "all of a mixed tank takes part", DERIVED)


def _restart(read: _Reader) -> Restart:
    section = read.section
    if section.standby_pump is False and section.pump_changeover is not None:
        raise FacilityError(
            "THERMAL_CONTRADICTION", "cooling.thermal.pump_changeover",
            "a changeover is given, but the CDUs have no standby pump.",
            "Leave pump_changeover out, or set standby_pump to true.",
        )  # fmt: skip
    if section.standby_pump is None:
        read.trace.ledger.add_text(
            "cooling.thermal.standby_pump", "true", "two pumps in each CDU, one at work", _PRACTICE
        )
    _assume_order(read.trace)
    standby = section.standby_pump is not False
    time = "time"
    return Restart(
        ramp_s=read("ramp", _RAMP_S, time, "fans and pumps on drives, up to their speed"),
        chiller_s=read(
            "chiller_restart", _CHILLER_S, time,
            "from power to cooling; quick-start chillers take 30 s and more", _RESTART,
        ),
        chiller_ramp_s=read("chiller_ramp", _CHILLER_RAMP_S, time, "chillers up to capacity"),
        rejection_s=read(
            "rejection_restart", _REJECTION_S, time, "towers and dry coolers with their pumps"
        ),
        step_s=read(
            "generator_step", _STEP_S, time, "the next load step when the frequency is back", _ISO
        ),
        pump_changeover_s=(
            read("pump_changeover", _CHANGEOVER_S, time, "standby pump up to its speed")
            if standby
            else None
        ),
        standby_rejection=_standing(section, read.trace),
        header_flow=read(
            "header_flow", 0.0, "fraction", "one header alone: nothing flows when it is shut"
        ),
        horizon_s=read("horizon", _HORIZON_S, time, "how long a failure is followed", UNSTATED),
    )  # fmt: skip


def _standing(section: ThermalSection, trace: Trace) -> bool:
    """Return whether spare units of heat rejection stand still."""
    if section.standby_rejection is None:
        trace.ledger.add_text(
            "cooling.thermal.standby_rejection",
            "false",
            "all installed towers and dry coolers share the load at slower fans",
            _PRACTICE,
        )
    return section.standby_rejection is True


def _assume_order(trace: Trace) -> None:
    trace.ledger.add_text(
        "cooling.thermal.generator_order",
        "cooling last",
        "cooling is the last blocks of load "
        "that the generators take: all of it waits for the last step, though its first blocks "
        "come sooner",
        DERIVED,
    )
