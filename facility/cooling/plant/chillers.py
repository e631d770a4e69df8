"""Chillers in operation: number running, and COP from the curve set of the machine."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
from facility.core.rounding import whole_units, whole_units_each
from facility.model.cooling.chain import ChillerPlan
from facility.model.cooling.units import SinkKind
from facility.physics.elementwise import maximum, plain
from facility.physics.plant.chiller.curves import EirCurves
from facility.physics.plant.chiller.switched import LiftLimits, switched_hours

CURVE_SETS = "cooling/chillers_eir"
_CHILLERS = "equipment/chillers"
_CLASSES = ("DOE-2 Centrifugal/5.50COP", "DOE-2 Reciprocating/3.67COP")
"""Curve sets of a class, scaled to 100 kW."""
_MIN_W = 1.0
"""Load replacing zero load, for the COP at minimum part load."""


LARGEST_AIR_COOLED, LARGEST_WATER_COOLED = "30XA500", "WSC100M"
_AIR_COOLED_SOURCE = "energyplus-air-cooled-chillers"
_WATER_COOLED = (
    "Trane CGWD 207kW/3.99COP/None",
    "Trane RTWA 383kW/4.17COP/Valve",
    "York YS 781kW/5.42COP/Valve",
    "York YT 1055kW/5.96COP/Vanes",
)
"""Curve sets with reference point at 6.67 and 29.44 degC: scroll, screw, screw, centrifugal."""
RATED_AIR_C = 35.0
"""Rated condenser air of air-cooled machines, AHRI 550/590 [degC]."""
_MIN_SCALE = 0.5
"""Minimum machine capacity over the smallest of its class in the catalogue."""


@per_catalogue(None)
def catalogue_chillers(kind: SinkKind) -> tuple[tuple[float, str], ...]:
    """Return capacity [W] and model of the catalogue chillers, in ascending order.

    Those with a COP at a rating point, and the reference points of the curve sets.
    """
    air = kind == "air_cooled"
    machines = [
        (row.si("capacity_kw"), str(row["model"]))
        for row in table(_CHILLERS).select(type="air-cooled" if air else "water-cooled")
        if row["cop"] is not None and row.verified != "memory"
    ]
    sets = [
        row
        for row in table(CURVE_SETS).select(condenser="AirCooled" if air else "WaterCooled")
        if row["name"] not in _CLASSES
    ]
    return tuple(sorted([*machines, *((row.si("cap_ref_kw"), str(row["name"])) for row in sets)]))


def min_chiller_capacity(kind: SinkKind) -> float:
    """Return the minimum capacity of available chillers of a type [W]."""
    return _MIN_SCALE * catalogue_chillers(kind)[0][0]


def default_chiller(
    kind: SinkKind,
    heat_w: float,
    *,
    by_curves: bool,
    max_w: float | None = None,
    hot_c: float | None = None,
    direct: bool = False,
) -> tuple[str, str]:
    """Return the default machine, and the reason.

    The smallest that carries its share of the load: from the air-cooled catalogue, or from
    water-cooled curve sets with reference at the rating point. Larger machines are scaled
    from the largest.

    by_curves: Whether it has a curve set; few air-cooled machines do.
    max_w: Largest chiller; None for the catalogue maximum.
    hot_c: Condenser air that requires a machine published for it [degC].
    direct: Whether it represents CRAC compressors, which increase in number, not size, in hot air.
    """
    if kind == "air_cooled" and hot_c is not None:
        largest_w = max_w or table(_CHILLERS).get(LARGEST_AIR_COOLED).si("capacity_kw")
        each_w = heat_w / whole_units(heat_w / largest_w, minimum=1)
        if (named := _for_hot_air(each_w, hot_c, direct)) is not None:
            return named
    if kind == "air_cooled":
        largest = table(_CHILLERS).get(LARGEST_AIR_COOLED)
        rows = [
            (row.si("capacity_kw"), str(row["model"]))
            for row in table(_CHILLERS).select(type="air-cooled")
            if (row["curve"] is not None if by_curves else row["source"] == _AIR_COOLED_SOURCE)
        ]
    else:
        largest = table(_CHILLERS).get(LARGEST_WATER_COOLED)
        rows = [(table(CURVE_SETS).get(name).si("cap_ref_kw"), name) for name in _WATER_COOLED]
    each_w = heat_w / whole_units(heat_w / (max_w or largest.si("capacity_kw")), minimum=1)
    found = _smallest(rows, each_w)
    return found[1], f"about {each_w / 1e3:,.0f} kW each: smallest sufficient row, or largest"


def _for_hot_air(each_w: float, hot_c: float, direct: bool) -> tuple[str, str] | None:
    """Return the air-cooled machine published for such air that carries a load, and the reason."""
    rows = [
        (row.si("capacity_kw") * (1.0 if direct else ratio), str(row["model"]))
        for row in table(_CHILLERS).select(type="air-cooled")
        if (ratio := ratio_in_hot_air(str(row["model"]), hot_c)) is not None
    ]
    if not rows:
        return None
    found = _smallest(rows, each_w)
    words = f"smallest sufficient row published for {hot_c:.1f} degC air, or largest"
    return found[1], f"about {each_w / 1e3:,.0f} kW each: {words}"


def _smallest(rows: list[tuple[float, str]], each_w: float) -> tuple[float, str]:
    """Return the smallest machine that carries a load, else the largest."""
    return min((row for row in rows if row[0] >= each_w), default=max(rows))


def published_range(model: str) -> EirCurves | None:
    """Return the curve set of an air-cooled catalogue machine; None without one."""
    row = table(_CHILLERS).index.get((model,))
    if row is None or row["curve"] is None or row["type"] != "air-cooled":
        return None
    return eir_curves(table(CURVE_SETS).get(str(row["curve"])))


def ratio_in_hot_air(model: str, air_c: float) -> float | None:
    """Return the capacity of an air-cooled machine in hot air over its rated capacity.

    At the warmest chilled water of its curves; None without curves, or outside their air range.
    """
    curves = published_range(model)
    if curves is None or air_c > curves.range_condenser_c[1]:
        return None
    warmest_c = curves.range_chw_c[1]
    rated_w = curves.at(warmest_c, RATED_AIR_C, 1.0).capacity_w
    return min(curves.at(warmest_c, max(air_c, RATED_AIR_C), 1.0).capacity_w / rated_w, 1.0)


@dataclass(frozen=True)
class Chillers:
    """Duty chillers and the capacity of each at the design hour."""

    duty: int
    capacity_w: float

    def running(self, load_w: float, stage_up: float) -> int:
        """Return the minimum number of chillers loaded at most to `stage_up`.

        At design load all duty chillers run at their sized load; CRAC compressors
        are not chillers.
        """
        if self.duty == 0:
            return 0
        needed = load_w / (stage_up * self.capacity_w)
        if isinstance(needed, float):
            return min(self.duty, whole_units(needed))
        return np.minimum(whole_units_each(needed), self.duty)


def curves_of(plan: ChillerPlan, rated_w: float) -> EirCurves | None:
    """Return the curve set of one chiller of a rated capacity; None for the lift model."""
    if plan.curves is None:
        return None
    found = eir_curves(table(CURVE_SETS).get(plan.curves))
    return replace(found, capacity_w=found.capacity_w * rated_w / plan.rated_w)


def capacity_ratio(plan: ChillerPlan, chilled_c: float, sink_c: float) -> float:
    """Return the capacity of a chiller at water temperatures over its rated capacity.

    From its curves, at the limit of their range for temperatures outside, as EnergyPlus
    limits curve inputs; CURVE-BOX warns of a larger lift. 1 for the lift model, whose
    capacity is the required or stated capacity at design weather.
    """
    if plan.curves is None:
        return 1.0
    found = eir_curves(table(CURVE_SETS).get(plan.curves))
    return (
        found.at(chilled_c - plan.glycol_k, sink_c + plan.altitude_k, 1.0).capacity_w / plan.rated_w
    )


def cop_by_curves(
    curves: EirCurves,
    plan: ChillerPlan,
    water_c: tuple[float, float],
    to_condensing_k: float,
    load_w: float,
    running: int,
) -> float:
    """Return the COP of chillers sharing a load; outside the range of their curves from the lift.

    curves, plan: The curve set of one chiller, and the data of the lift model.
    water_c: Leaving chilled water; entering condenser water or air.
    to_condensing_k: Condensing temperature above the condenser inlet temperature.
    load_w, running: Total heat, and number of running chillers.
    """
    chilled_c, sink_c = water_c[0] - plan.glycol_k, water_c[1]
    limits = LiftLimits(
        plan.evaporator_approach_k - plan.glycol_k,
        to_condensing_k - plan.altitude_k,
        plan.min_lift_k,
        plan.factors["cop_limit"],
    )
    each_w = maximum(load_w / maximum(running, 1), _MIN_W)
    return plain(switched_hours(curves, limits, chilled_c, sink_c + plan.altitude_k, each_w).cop)


def eir_curves(row: Row) -> EirCurves:
    """Return a catalogue curve set."""
    terms = ("1", "x", "x2", "y", "y2", "xy")
    return EirCurves(
        name=str(row["name"]),
        capacity_w=row.si("cap_ref_kw"),
        cop=row.si("cop_ref"),
        capacity_curve=tuple(row.si(f"capft_{term}") for term in terms),
        input_curve=tuple(row.si(f"eirft_{term}") for term in terms),
        part_load_curve=(row.si("eirfplr_1"), row.si("eirfplr_p"), row.si("eirfplr_p2")),
        range_chw_c=(row.si("x_min_c"), row.si("x_max_c")),
        range_condenser_c=(row.si("y_min_c"), row.si("y_max_c")),
        range_plr=(row.si("plr_min"), row.si("plr_max")),
    )


def chillers_for(plan: ChillerPlan, load_w: float, ratio: float, floor: int) -> tuple[int, float]:
    """Return the duty chillers and the capacity of each at design, with `ratio` to rated capacity.

    Without a stated capacity, the number follows from the largest size, and the capacity is
    the required one, at least that of the smallest machine.
    """
    each_w = (plan.capacity_w or plan.largest_w) * ratio
    duty = max(floor, whole_units(load_w / each_w, minimum=1))
    if plan.capacity_w:
        return duty, each_w
    return duty, max(load_w / duty, min(plan.min_w * ratio, each_w))
