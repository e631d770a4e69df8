"""Hall units other than CRAHs, resolved: catalogue rows, ratings, named defaults.

Public tables rarely state the air and water conditions of a capacity. Such rows are completed by
rating conditions listed individually in the ledger, and the unit is marked as unverified.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from facility.catalogue import Row, table
from facility.cooling.air.rack_limits import AIR_DENSITY_W, MAX_COOLERS_PER_RACK, densest_air
from facility.core.errors import FacilityError
from facility.core.sources import PRACTICE, PROJECT, Source
from facility.core.trace import Trace
from facility.model.cooling.air import AirPath, Refrigerant, TerminalKind
from facility.model.cooling.units import DRY_AIR_J_KGK, CrahUnit
from facility.model.inputs.cooling.air import (
    FANS,
    FANS_W_PER_M3_S,
    AirPathSection,
    AirRatingSection,
)
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.it import ItPlan
from facility.physics.air.psychrometrics import standard_pressure
from facility.study.resolve.cooling.floor import resolve_room
from facility.study.resolve.reader import Reader

_STANDARD_AIR_KG_M3 = 1.2
_OVER_RACK_AIR = 1.2
"""In-row cooler air over rack air, for leakage and other hall heat."""
_AT = "cooling.air.rating"


@dataclass(frozen=True)
class _Class:
    """Data of a unit type: catalogue rows, and usual rating conditions.

    `fan_w_per_m3_s` is zero for units without fans.
    """

    table: str
    type: str
    model: str
    capacity: str
    return_c: float
    drop_k: float
    water_in_c: float
    water_out_c: float
    fan_w_per_m3_s: float
    fan_source: Source = PRACTICE


_IN_ROW = "equipment/in_row_rdhx"
_CLASSES: dict[TerminalKind, _Class] = {
    "in-row": _Class(
        _IN_ROW, "in-row CW", "Liebert CRV040", "capacity_kw", 37.0, 23.0, 7.0, 12.0, 318.0
    ),
    "rear-door": _Class(
        _IN_ROW,
        "passive rear door",
        "passive rear door 35 kW",
        "capacity_kw",
        40.0,
        16.0,
        18.0,
        23.0,
        0.0,
    ),
    "active-rear-door": _Class(
        _IN_ROW,
        "active rear door",
        "active rear door 60 kW",
        "capacity_kw",
        44.0,
        20.0,
        18.0,
        23.0,
        318.0,
    ),
    "fan-wall": _Class(
        "equipment/crah_crac",
        "thermal wall",
        "Liebert CWA 400",
        "net_sensible_kw",
        38.0,
        13.0,
        20.0,
        30.0,
        FANS_W_PER_M3_S,
        FANS,
    ),
}
DOORS = ("rear-door", "active-rear-door")
_CRAC_W, _CRAC_RETURN_C, _CRAC_DROP_K = 100e3, 36.0, 12.0


@dataclass(frozen=True)
class RoomUnits:
    """Resolved units of halls and electrical rooms, with rear door or refrigerant."""

    terminal: TerminalKind
    unit: CrahUnit
    electrical: CrahUnit
    door: CrahUnit | None
    refrigerant: Refrigerant | None


def hall_units(section: CoolingSection, crah: Callable[[], CrahUnit], trace: Trace) -> RoomUnits:
    """Return the units of halls, electrical rooms and racks.

    crah: Resolver of the CRAH; not called with CRACs.
    """
    air = section.air or AirPathSection.unstated()
    terminal: TerminalKind = Reader(air, "cooling.air", trace).word("terminal", air.terminal)
    if terminal == "crac":
        unit, refrigerant = resolve_crac(section, trace)
        return RoomUnits(terminal, unit, unit, None, refrigerant)
    usual = crah()
    if terminal in ("in-row", "fan-wall"):
        return RoomUnits(terminal, resolve_unit(terminal, air, trace), usual, None, None)
    door = resolve_unit(terminal, air, trace) if terminal != "crah" else None
    return RoomUnits(terminal, usual, usual, door, None)


def max_rack_air(section: CoolingSection, pressure_pa: float) -> float:
    """Return the maximum data-sheet air flow of a rack within the limits of its units.

    In-row coolers supply rated volume flow at any altitude; servers draw more at altitude.
    """
    air = section.air or AirPathSection.unstated()
    if air.terminal in DOORS:
        return resolve_unit(air.terminal, air, Trace()).air_flow_m3_s
    if air.terminal == "in-row":
        more = max(float(standard_pressure.si(0.0)) / pressure_pa, 1.0)
        limit = (
            MAX_COOLERS_PER_RACK
            * resolve_unit("in-row", air, Trace()).air_flow_m3_s
            / _OVER_RACK_AIR
        )
        return limit / min(more, Reader(section, "cooling", Trace())("server_airflow_reserve"))
    return densest_air()[0]


def max_rack_heat(section: CoolingSection) -> float:
    """Return the air heat limit for filling default racks, infinite with doors [W]."""
    with_doors = section.air is not None and section.air.terminal in DOORS
    return math.inf if with_doors else AIR_DENSITY_W


def resolve_crac(section: CoolingSection, trace: Trace) -> tuple[CrahUnit, Refrigerant]:
    """Return the CRACs and their refrigerant; the catalogue has no CRAC ratings.

    Raises ``AIR_CONTRADICTION`` if a CRAH or a catalogue model is also specified; ``OUT_OF_RANGE``
    for an evaporating temperature that is not below the return air.
    """
    air = section.air or AirPathSection.unstated()
    _refuse_unlike_crac(section, air)
    rating = air.rating
    read = Reader(rating or AirRatingSection.model_construct(), _AT, trace)
    evaporating_c, outdoor_c = read("evaporating"), read("outdoor")
    if rating is not None:
        unit = _given(
            rating, "CRAC as given", (evaporating_c, evaporating_c), FANS_W_PER_M3_S, FANS, trace
        )
    else:
        unit = _class_crac(evaporating_c, trace)
    if not evaporating_c < unit.return_air_c:
        raise FacilityError(
            "OUT_OF_RANGE", f"{_AT}.evaporating",
            f"{evaporating_c:g} degC is not below the return air of {unit.return_air_c:g} degC.",
            "Enter the evaporating temperature of the data sheet.",
        )  # fmt: skip
    return unit, Refrigerant(evaporating_c, outdoor_c, stated=rating is not None)


def _refuse_unlike_crac(section: CoolingSection, air: AirPathSection) -> None:
    crah, rating = section.crah, air.rating
    if crah is not None and (crah.model is not None or crah.rating is not None):
        raise FacilityError(
            "AIR_CONTRADICTION",
            "cooling.crah",
            "a CRAH is specified, but the halls have CRACs and no chilled water.",
            "Enter the CRAC in cooling.air.rating, or select another terminal.",
        )
    if air.model is not None:
        raise FacilityError(
            "UNKNOWN_MODEL",
            "cooling.air.model",
            f"{air.model!r}: the catalogue has no CRAC ratings.",
            "Enter cooling.air.rating from its data sheet.",
        )
    if rating is not None and rating.water_in is not None:
        raise FacilityError(
            "AIR_RATING",
            f"{_AT}.water_in",
            "a CRAC has no water coil.",
            "Enter evaporating, and omit water_in and water_out.",
        )


def _class_crac(evaporating_c: float, trace: Trace) -> CrahUnit:
    """Return a generic CRAC, with every figure an assumption."""
    trace.ledger.add_text(
        "cooling.air.model",
        "CRAC class unit",
        "not a product: enter the rating of the selected unit in cooling.air.rating",
        PRACTICE,
    )
    heat_w = trace.assume(f"{_AT}.net_sensible", _CRAC_W, "heat_flow", "class unit", PRACTICE)
    return_c = trace.assume(
        f"{_AT}.return_air", _CRAC_RETURN_C, "temperature", "class unit", PRACTICE
    )
    flow = heat_w / (_STANDARD_AIR_KG_M3 * DRY_AIR_J_KGK * _CRAC_DROP_K)
    flow = trace.assume(
        f"{_AT}.airflow", flow, "air_flow", f"air temperature drop {_CRAC_DROP_K:g} K", PRACTICE
    )
    fan_w = trace.assume(
        f"{_AT}.fan_power", FANS_W_PER_M3_S * flow, "active_power", "unknown for the unit", FANS
    )
    return CrahUnit(
        "CRAC class unit",
        heat_w,
        flow,
        return_c,
        evaporating_c,
        evaporating_c,
        fan_w,
        _STANDARD_AIR_KG_M3,
        PRACTICE,
        True,
    )


def resolve_unit(kind: TerminalKind, section: AirPathSection, trace: Trace) -> CrahUnit:
    """Return in-row cooler, fan-wall unit or rear door at its rating point.

    Raises ``UNKNOWN_MODEL`` and ``AIR_KIND`` for a model missing in the catalogue, or of
    another type; ``UNKNOWN_VALUE`` for a row without a capacity; ``AIR_RATING`` for a rating
    without water temperatures.
    """
    known = _CLASSES[kind]
    if section.rating is not None:
        return _given_water(section.rating, kind, known, trace)
    rows = table(known.table)
    if section.model is not None:
        row = rows.get(section.model, "cooling.air.model")
    else:
        row = rows.get(known.model)
        trace.ledger.add_text(
            "cooling.air.model",
            known.model,
            f"{known.type} of the catalogue: enter the rating of the selected unit",
            row.cite(known.capacity),
        )
    if row["type"] != known.type:
        raise FacilityError(
            "AIR_KIND",
            "cooling.air.model",
            f"{row['model']!r} is of the type {row['type']!r}, but the terminal is {kind!r}.",
            f"Select a model of the type {known.type!r}, "
            f"{_other_terminal(str(row['type']))}or enter cooling.air.rating.",
        )
    return _from_row(row, known, trace)


def _other_terminal(type: str) -> str:
    """Return the terminal of a unit type, as part of a hint; empty for none."""
    terminal = next((kind for kind, known in _CLASSES.items() if known.type == type), None)
    return "" if terminal is None else f"set cooling.air.terminal: {terminal}, "


def _from_row(row: Row, known: _Class, trace: Trace) -> CrahUnit:
    """Return the unit of a row; missing data are individual assumptions."""
    heat_w = row.si(known.capacity, _AT)
    recalled = row.is_memory(known.capacity)

    def cell(column: str, name: str, default: float, kind: str, basis: str) -> float:
        nonlocal recalled
        value = row.si_or_none(column) if column in row.values else None
        if value is not None:
            recalled = recalled or row.is_memory(column)
            return trace.given(f"{_AT}.{name}", value, kind, row.cite(column))
        recalled = True
        return trace.assume(f"{_AT}.{name}", default, kind, basis, PRACTICE)

    at = f"the row of {row['model']} has no rating condition"
    trace.given(f"{_AT}.net_sensible", heat_w, "heat_flow", row.cite(known.capacity))
    return_c = cell("return_air_c", "return_air", known.return_c, "temperature", at)
    water_in_c = cell("water_in_c", "water_in", known.water_in_c, "temperature", at)
    water_out_c = cell("water_out_c", "water_out", known.water_out_c, "temperature", at)
    flow = heat_w / (_STANDARD_AIR_KG_M3 * DRY_AIR_J_KGK * known.drop_k)
    flow = cell(
        "airflow_m3_h",
        "airflow",
        flow,
        "air_flow",
        f"{at}: air temperature drop {known.drop_k:g} K",
    )
    fan_w = 0.0
    if known.fan_w_per_m3_s:
        fan_w = cell("fan_kw", "fan_power", known.fan_w_per_m3_s * flow, "active_power",
                     f"{known.fan_w_per_m3_s:g} W per m3/s")  # fmt: skip
    return CrahUnit(
        str(row["model"]), heat_w, flow, return_c, water_in_c, water_out_c, fan_w,
        _STANDARD_AIR_KG_M3, row.cite(known.capacity), recalled,
    )  # fmt: skip


def _given_water(
    rating: AirRatingSection, kind: TerminalKind, known: _Class, trace: Trace
) -> CrahUnit:
    if rating.water_in is None or rating.water_out is None:
        raise FacilityError(
            "AIR_RATING",
            f"{_AT}.water_in",
            "the rating has no water temperatures.",
            "Enter water_in and water_out, to which the capacity applies.",
        )
    if rating.evaporating is not None or rating.outdoor is not None:
        raise FacilityError(
            "AIR_RATING",
            f"{_AT}.evaporating",
            f"a {kind} has a water coil without refrigerant.",
            "Omit evaporating and outdoor, or select crac as the terminal.",
        )
    if kind == "rear-door" and rating.fan_power is not None:
        raise FacilityError(
            "AIR_RATING",
            f"{_AT}.fan_power",
            "a passive rear door has no fans.",
            "Omit fan_power, or select active-rear-door.",
        )
    water_c = (rating.water_in.si, rating.water_out.si)
    return _given(
        rating, f"{kind} as given", water_c, known.fan_w_per_m3_s, known.fan_source, trace
    )


def _given(
    rating: AirRatingSection,
    name: str,
    water_c: tuple[float, float],
    fan_w_per_m3_s: float,
    fan_source: Source,
    trace: Trace,
) -> CrahUnit:
    density = trace.assume(
        f"{_AT}.density",
        _STANDARD_AIR_KG_M3,
        "density",
        "data sheet ratings at standard air",
        PRACTICE,
    )
    usual_w = fan_w_per_m3_s * rating.airflow.si
    unit = CrahUnit(
        model=rating.model or name,
        net_sensible_w=rating.net_sensible.si,
        air_flow_m3_s=rating.airflow.si,
        return_air_c=rating.return_air.si,
        water_in_c=water_c[0],
        water_out_c=water_c[1],
        fan_w=(
            Reader(rating, _AT, trace)("fan_power", usual_w, source=fan_source) if usual_w else 0.0
        ),
        air_density_kg_m3=density,
        source=PROJECT,
        from_memory=False,
    )
    for field, value, kind in (
        ("net_sensible", unit.net_sensible_w, "heat_flow"),
        ("airflow", unit.air_flow_m3_s, "air_flow"),
        ("return_air", unit.return_air_c, "temperature"),
    ):
        trace.given(f"{_AT}.{field}", value, kind, PROJECT, unit.model)
    return unit


def air_path(
    units: RoomUnits,
    section: AirPathSection,
    plan: ItPlan,
    halls: tuple[tuple[str, float], ...],
    room_limits: tuple[str, float | None],
    trace: Trace,
) -> AirPath:
    """Return the air path of the halls `halls`, each with its share of the air heat.

    `room_limits` is the containment, and the minimum recommended dew point.

    In-row coolers serve the racks of their row: each row is a separate group.
    """
    rise_k = 0.0
    if units.door is not None:
        rise_k = Reader(section, "cooling.air", trace)("room_rise")
    groups = halls
    if units.terminal == "in-row":
        groups = tuple(row for hall in halls for row in _rows_of(*hall, plan))
    room = resolve_room(units.terminal, section, room_limits, plan, trace)
    return AirPath(
        units.terminal, units.electrical, units.door, rise_k, units.refrigerant, groups, room
    )


def _rows_of(name: str, share: float, plan: ItPlan) -> Iterator[tuple[str, float]]:
    """Yield the rows of a hall with their shares: whole racks, in rows as equal as possible."""
    rows = next(hall.rows for hall in plan.halls if hall.name == name)
    racks = sum(rack.count for rack in plan.racks if rack.hall == name)
    shortest, longer = divmod(racks, rows)
    for row in range(rows):
        yield f"{name}, row {row + 1}", share * (shortest + (row < longer)) / racks
