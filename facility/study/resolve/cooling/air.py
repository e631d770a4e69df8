"""Air handlers and the air of the halls, resolved with their named defaults."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from facility.catalogue import table
from facility.core.errors import FacilityError
from facility.core.sources import PRACTICE, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling.air import TerminalKind
from facility.model.cooling.chain import CrahPlan
from facility.model.cooling.units import CrahUnit
from facility.model.inputs.cooling.air import FANS, FANS_W_PER_M3_S, AirPathSection, CrahSection
from facility.model.inputs.cooling.plant import PlantSection
from facility.model.inputs.cooling.ratings import CrahRatingSection
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import ItPlan
from facility.physics.air.psychrometrics import standard_pressure
from facility.physics.air.sensible import server_rise_at_altitude
from facility.study.resolve.cooling.floor import with_floor_leakage, without_blanking
from facility.study.resolve.cooling.it import InletAir, ItAir, devices_of, it_air
from facility.study.resolve.cooling.parts import curve, on_ups, resolve_spares, sizing_factor
from facility.study.resolve.cooling.room import DOORS, RoomUnits, air_path, hall_units
from facility.study.resolve.reader import Reader

_DEFAULT_CRAH = "CRAH 150 kW, 36/24 air, 18/26 water"
_RATING_DENSITY_KG_M3 = 1.2
_RIDE_THROUGH = Source("opengate-thermal-shutdown", "", "", "secondary")
_BALANCE_TOLERANCE = 0.05
_LEAKS = {"none": (0.50, 0.10), "hot-aisle": (0.075, 0.02), "cold-aisle": (0.075, 0.02)}
_DOORS_BYPASS = 0.075
"""Bypass of halls with rear doors: `room_rise` already includes the mixing of open aisles."""


@dataclass(frozen=True)
class Leaks:
    """Containment leakage: bypass, mean recirculation, and recirculation at the worst rack."""

    containment: str
    bypass: float
    recirculation: float
    worst: float


_LARGEST_RISE_K = 19.2
"""Server rise allowed for in the default supply air by recirculation: 19.0 K of a DGX B300 DC."""
_LOST_UNIT_K = 0.2
"""Margin to the equipment limit for the loss of a unit, until the others have taken over."""
_LOST_PUMPS_K = 1.5
"""The same with rear doors, for the loss of the pumps of one supply."""
_MIN_OVER_WATER_K = 3.0
"""Minimum default supply air above stated water: half of usual, to limit coil size."""
_MIN_OVER_COIL = 0.6
"""Minimum approach to the coil inlet for a lowered default supply air, relative to usual."""


@dataclass(frozen=True)
class RoomConditions:
    """Room dew point, site pressure, recommended and allowable inlets.

    `driest_c` is the lowest recommended dew point, None if the class has none.
    """

    dew_point_c: float
    pressure_pa: float
    recommended_min_c: float
    recommended_max_c: float
    allowable_max_c: float
    driest_c: float | None = None


def resolve_crah(
    section: CoolingSection, plan: ItPlan, by_air: bool, conditions: RoomConditions, trace: Trace
) -> tuple[CrahPlan, ItAir]:
    """Return the air side, and the air of the IT equipment served."""
    crah = section.crah or CrahSection.unstated()
    units = hall_units(section, lambda: _unit(crah, trace), trace)
    unit = units.electrical
    leaks = _leaks(section, units.terminal, trace)
    usual = _open_supply(section, plan, units, conditions, leaks)
    supply_c = Reader(section, "cooling", trace)("supply_air", *usual)
    inlet = InletAir.at(supply_c, conditions.dew_point_c, conditions.pressure_pa)
    air = it_air(section, plan, by_air, unit.return_air_c - _rated_supply(unit), inlet, trace)
    factor = sizing_factor(plan, crah, "air", trace)
    words = "in each row" if units.terminal == "in-row" else "in each hall"
    read = Reader(crah, "cooling.crah", trace)
    of_water = Reader(crah, "cooling.crah", trace if units.refrigerant is None else Trace())
    resolved = CrahPlan(
        unit=units.unit, count=crah.count, electrical_count=crah.electrical_count,
        spares=resolve_spares(crah, "cooling.crah", words, trace, crah.count),
        supply_air_c=supply_c, containment=leaks.containment, bypass=leaks.bypass,
        recirculation=leaks.recirculation, worst_recirculation=leaks.worst,
        server_rise_k=air.rise_k, inlet_limit_c=air.inlet_limit_c, halls=air.halls,
        sizing_factor=1.0 if by_air else factor,
        fan_curve=curve(
            "fan", read.word("fan_curve", crah.fan_curve), "cooling.crah.fan_curve"
        ),
        factors=read.factors(),
        film_ratio=of_water("film_ratio"),
        on_ups=on_ups(
            section.on_ups, "crah_fans", True,
            "racks above 10 kW reach thermal shutdown within a minute without air",
            _RIDE_THROUGH, trace,
        ),
        path=air_path(
            units, section.air or AirPathSection.unstated(), plan, air.halls,
            (leaks.containment, conditions.driest_c), trace,
        ),
    )  # fmt: skip
    return resolved, air


def _open_supply(
    section: CoolingSection,
    plan: ItPlan,
    units: RoomUnits,
    conditions: RoomConditions,
    leaks: Leaks,
) -> tuple[float, str, Source]:
    """Return the default supply air, reason and source; the loss margin is practice."""
    over, coldest = (
        _over_supply(section, units, conditions, leaks),
        _coldest_supply(section, units, conditions),
    )
    usual = _usual_supply(section, units, conditions, over, coldest)
    supply_c, why = _for_equipment(plan, over, usual, coldest)
    lowered = supply_c < _rated_supply(units.electrical)
    return supply_c, why, PRACTICE if lowered else units.electrical.source


class _Over(NamedTuple):
    """Worst inlet over supply: in service, addition for a loss, and text."""

    worst_k: float
    lost_k: float
    words: str


def _over_supply(
    section: CoolingSection, units: RoomUnits, conditions: RoomConditions, leaks: Leaks
) -> _Over:
    """Return the worst inlet over the supply: server rise at full fan speed is larger at altitude.

    With rear doors, air mixes at the racks.
    """
    if units.door is not None:
        room_k = Reader(section.air or AirPathSection.unstated(), "cooling.air", Trace())(
            "room_rise"
        )
        words = f"{room_k:g} K above supply (cooling.air.room_rise)"
        return _Over(
            room_k, _LOST_PUMPS_K, f"{words}, {_LOST_PUMPS_K:g} K margin for loss of pumps"
        )
    thin = float(standard_pressure.si(0.0)) / conditions.pressure_pa
    reserve = Reader(section, "cooling", Trace())("server_airflow_reserve")
    rise_k = float(server_rise_at_altitude.si(_LARGEST_RISE_K, 1.0, thin, reserve))
    worst_k = rise_k * leaks.worst / (1.0 - leaks.worst)
    words = f"{worst_k:.1f} K above supply (cooling.worst_recirculation)"
    return _Over(worst_k, _LOST_UNIT_K, f"{words}, {_LOST_UNIT_K:g} K margin for loss of a unit")


def _coldest_supply(
    section: CoolingSection, units: RoomUnits, conditions: RoomConditions
) -> tuple[float, str]:
    """Return the minimum default supply air and its basis; below it, coils are oversized."""
    unit, water = units.electrical, (section.plant or PlantSection.unstated()).chilled_water_supply
    if units.refrigerant is not None:
        coil_c, words = unit.water_in_c, "the refrigerant (cooling.air.rating.evaporating)"
    elif water is not None:
        coil_c, words = water.si, "the stated water (cooling.plant.chilled_water_supply)"
    else:
        return conditions.recommended_min_c, "minimum recommended inlet"
    rated_c = _rated_supply(unit)
    min_k = _MIN_OVER_COIL * (rated_c - unit.water_in_c)
    coldest_c = max(conditions.recommended_min_c, min(rated_c, coil_c + min_k))
    return coldest_c, f"{coldest_c - coil_c:.1f} K above {words}"


def _usual_supply(
    section: CoolingSection, units: RoomUnits, conditions: RoomConditions, over: _Over,
    coldest: tuple[float, str],
) -> tuple[float, str]:  # fmt: skip
    """Return the rated supply air and the reason; it follows warmer water.

    It is colder if the class of the equipment, at site elevation, does not permit the resulting
    worst inlet, down to the minimum of class and coils; or if it exceeds the recommended maximum
    itself. The air keeps the rated approach to the water, and is limited so that the worst inlet
    with recirculation meets the recommended limit. If the approach to the water is then too small
    for the coils, it is as warm as they require, up to the class and equipment limits. With rear
    doors it is not raised, since air mixes at the racks.
    """
    unit, plant = units.electrical, section.plant
    rated_c = _rated_supply(unit)
    water = None if plant is None else plant.chilled_water_supply
    highest_c = conditions.allowable_max_c - over.lost_k
    if conditions.recommended_max_c < rated_c:
        highest_c = min(highest_c, conditions.recommended_max_c)
    if highest_c - over.worst_k < rated_c:
        class_c = _tenths(highest_c - over.worst_k)
        if class_c < coldest[0]:
            return coldest[0], f"{coldest[1]}; the worst inlet would require less, {over.words}"
        words = f"for a worst inlet of {highest_c:.1f} degC, class limit at this elevation"
        return class_c, f"{words}, {over.words}"
    if water is None or water.si <= unit.water_in_c or units.door is not None:
        return rated_c, f"supply air at the rating of {unit.model}"
    warmest_c = max(rated_c, _tenths(conditions.recommended_max_c - over.worst_k))
    followed_c = min(rated_c + water.si - unit.water_in_c, warmest_c)
    if followed_c < water.si + _MIN_OVER_WATER_K:
        allowed_c = max(followed_c, _tenths(conditions.allowable_max_c - over.worst_k))
        followed_c = min(water.si + _MIN_OVER_WATER_K, allowed_c)
    return followed_c, f"{followed_c - water.si:.1f} K above the stated water"


def _for_equipment(
    plan: ItPlan, over: _Over, usual: tuple[float, str], coldest: tuple[float, str]
) -> tuple[float, str]:
    """Return the supply air, or the nearest value that meets all equipment inlet limits.

    Limited by class and coils for an inlet that is too warm only by recirculation.
    """
    supply_c = usual[0]
    devices = [device for _, device, _, _ in devices_of(plan)]
    coldest_c = max((d.inlet_min_c for d in devices if d.inlet_min_c is not None), default=supply_c)
    warmest_c = min((d.inlet_max_c for d in devices if d.inlet_max_c is not None), default=math.inf)
    highest_c = math.inf
    if warmest_c < math.inf:
        highest_c = _tenths(warmest_c - over.worst_k - over.lost_k)
    highest_c = max(highest_c, min(supply_c, coldest[0]))
    borne_c = min(max(supply_c, coldest_c), highest_c)
    if borne_c == supply_c:
        return usual
    if borne_c < supply_c:
        words = (
            f"for equipment with a maximum inlet of {warmest_c:.1f} degC, worst inlet {over.words}"
        )
        return borne_c, words
    return borne_c, f"for equipment with a minimum inlet of {coldest_c:.1f} degC"


def _tenths(temperature_c: float) -> float:
    """Return a temperature rounded down to 0.1 K."""
    return math.floor(10.0 * temperature_c) / 10.0


def _rated_supply(unit: CrahUnit) -> float:
    return round(unit.return_air_c - unit.rated_rise_k, 1)


def _unit(section: CrahSection, trace: Trace) -> CrahUnit:
    if section.rating is not None:
        return _given_unit(section.rating, trace)
    if section.model is not None:
        row = table("equipment/crah_crac").get(section.model, "cooling.crah.model")
    else:
        row = table("equipment/crah_crac").get(_DEFAULT_CRAH)
        trace.ledger.add_text(
            "cooling.crah.model",
            _DEFAULT_CRAH,
            "class row from a heat balance, not a product: enter the rating of the selected unit",
            row.cite("net_sensible_kw"),
        )
    give = "cooling.crah.rating"
    flow = row.si("airflow_m3_h", give)
    unit = CrahUnit(
        model=str(row["model"]),
        net_sensible_w=row.si("net_sensible_kw", give),
        air_flow_m3_s=flow,
        return_air_c=row.si("return_air_c", give),
        water_in_c=row.si("water_in_c", give),
        water_out_c=row.si("water_out_c", give),
        fan_w=_fan_power(row.si_or_none("fan_kw"), flow, trace),
        air_density_kg_m3=_RATING_DENSITY_KG_M3,
        source=row.cite("net_sensible_kw"),
        from_memory=any(row.is_memory(c) for c in ("net_sensible_kw", "airflow_m3_h", "fan_kw")),
    )
    _record_unit(unit, trace)
    return unit


def _given_unit(rating: CrahRatingSection, trace: Trace) -> CrahUnit:
    fan_w = rating.fan_power.si if rating.fan_power is not None else None
    unit = CrahUnit(
        model=rating.model or "CRAH as given",
        net_sensible_w=rating.net_sensible.si,
        air_flow_m3_s=rating.airflow.si,
        return_air_c=rating.return_air.si,
        water_in_c=rating.water_in.si,
        water_out_c=rating.water_out.si,
        fan_w=_fan_power(fan_w, rating.airflow.si, trace),
        air_density_kg_m3=trace.assume(
            "cooling.crah.rating_density",
            _RATING_DENSITY_KG_M3,
            "density",
            "data sheet ratings at standard air",
            PRACTICE,
        ),
        source=PROJECT,
        from_memory=False,
    )
    if rating.supply_air is not None:
        stated_w = unit.air_w_k * (unit.return_air_c - rating.supply_air.si)
        if abs(stated_w / unit.net_sensible_w - 1.0) > _BALANCE_TOLERANCE:
            raise FacilityError(
                "CRAH_RATING",
                "cooling.crah.rating.supply_air",
                f"the air heat is {stated_w / 1e3:,.1f} kW from {rating.supply_air.text} to "
                f"{unit.return_air_c:g} degC, but net_sensible is "
                f"{unit.net_sensible_w / 1e3:,.1f} kW.",
                "Check airflow, return_air, supply_air and net_sensible: they must balance to 5 %.",
            )
    _record_unit(unit, trace)
    return unit


def _record_unit(unit: CrahUnit, trace: Trace) -> None:
    figures = {
        "net_sensible": (unit.net_sensible_w, "heat_flow"),
        "airflow": (unit.air_flow_m3_s, "air_flow"),
        "return_air": (unit.return_air_c, "temperature"),
        "water_in": (unit.water_in_c, "temperature"),
        "water_out": (unit.water_out_c, "temperature"),
        "fan_power": (unit.fan_w, "active_power"),
    }
    for name, (value, kind) in figures.items():
        trace.given(f"cooling.crah.rating.{name}", value, kind, unit.source, unit.model)


def _fan_power(given_w: float | None, air_flow_m3_s: float, trace: Trace) -> float:
    if given_w is not None:
        return given_w
    specific = trace.assume(
        "cooling.crah.specific_fan_power",
        FANS_W_PER_M3_S,
        "specific_fan_power",
        "unknown for the unit",
        FANS,
    )
    return specific * air_flow_m3_s


def _leaks(section: CoolingSection, terminal: TerminalKind, trace: Trace) -> Leaks:
    usual, because = "hot-aisle", "contained aisles"
    doors = terminal in DOORS
    if doors:
        usual, because = "none", "doors cool the exhaust: open aisles"
    read = Reader(section, "cooling", trace)
    containment = read.word("containment", section.containment, usual, because)
    bypass, recirculation = _LEAKS[containment]
    words = f"supply air bypass, {containment} containment"
    if doors:
        bypass = _DOORS_BYPASS
        words = "supply air bypass: small, since room_rise includes the mixing"
    bypass = read("bypass", bypass, words)
    bypass = with_floor_leakage(section.air, bypass, trace)
    mixing = Reader(section, "cooling", Trace() if doors else trace)
    words = f"exhaust recirculation, {containment} containment"
    recirculation, words = without_blanking(section, recirculation, words)
    recirculation = mixing("recirculation", recirculation, words)
    worst = mixing("worst_recirculation", min(2.0 * recirculation, 0.95))
    if worst < recirculation:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            "cooling.worst_recirculation",
            f"{worst:.1%} is below the mean recirculation of {recirculation:.1%}.",
            "Enter at least cooling.recirculation.",
        )
    return Leaks(containment, bypass, recirculation, worst)
