"""The chilled-water plant, resolved with its named defaults."""

from __future__ import annotations

import math
from typing import NamedTuple

from facility.catalogue import Row, table
from facility.cooling.plant.chillers import (
    CURVE_SETS,
    LARGEST_AIR_COOLED,
    LARGEST_WATER_COOLED,
    RATED_AIR_C,
    default_chiller,
    eir_curves,
    min_chiller_capacity,
    published_range,
)
from facility.cooling.plant.site_air import chillers_at_altitude
from facility.core.errors import FacilityError
from facility.core.sources import Source
from facility.core.trace import Trace
from facility.model.cooling.air import Refrigerant
from facility.model.cooling.chain import ChilledWaterPlan, ChillerPlan, CrahPlan
from facility.model.cooling.units import CrahUnit, Pump, SinkKind
from facility.model.facility import Site
from facility.model.inputs.cooling.machines import ChillerSection, RejectionSection
from facility.model.inputs.cooling.plant import PlantSection
from facility.physics.plant.chiller.curves import EirPoint
from facility.physics.plant.chiller.lift import carnot_fraction
from facility.study.resolve.cooling.parts import (
    coil_fluid,
    known_fluid,
    refuse_compressors,
    resolve_condenser_pump,
    resolve_fluid,
    resolve_pump,
    resolve_spares,
    sized_at_site,
)
from facility.study.resolve.cooling.plant_options import usual_rise
from facility.study.resolve.cooling.sink import (
    OF_TOWERS,
    condenser_flow,
    condenser_fluid,
    condenser_range,
    plant_type,
    resolve_sink,
    wet_bulb_setpoint_approach,
)
from facility.study.resolve.reader import Reader

_RATED_RANGE_K = 10.0 / 1.8
_AHRI_CHW_C, _AHRI_CONDENSER_C = 6.67, 29.44
_RATED_SPAN_K = RATED_AIR_C - _AHRI_CHW_C
"""Rated air minus chilled-water temperature of air-cooled chillers."""
COLDEST_WATER_C = 5.0
"""Minimum default chilled water temperature."""
_CHILLERS = "equipment/chillers"
_CHILLER = "cooling.plant.chiller"
_SINK = "cooling.plant.rejection"
_CRAC_W = 100e3
"""Compressor heat of one CRAC, modelled as a small air-cooled chiller."""
_CRAC_MIN = (
    "condenser_water_least",
    20.0,
    "minimum condenser air for head pressure of CRACs: at the usual approach "
    "35 degC, the middle of a manufacturer's 250 to 350 psi of R-410A",
    Source("bard-fusion-tec"),
)
_OF_WATER = ("chilled_water_supply", "delta_t", "fluid", "pump", *OF_TOWERS, "heat_rejection")
"""Fields of a plant with chilled water."""


def resolve_chilled_water(
    section: PlantSection,
    crah: CrahPlan,
    pumps_on_ups: bool,
    site: Site,
    warmest: tuple[float, str] | None,
    heat_w: float,
    outdoor_c: float,
    trace: Trace,
) -> ChilledWaterPlan:
    """Return the chilled-water plant for the air handlers of `crah`.

    With CRACs it is only their compressors and condensers. The rise follows the units with
    most of the heat: rear doors, or the units of the halls. Air-cooled machines are rated at
    sea level; the elevation of the site derates them. `warmest` is the warmest water permitted by
    loads other than the supply air, with the load; None if there is none. `heat_w` is the estimated
    load, for default plant type and machine, and `outdoor_c` the air at condensers at design.
    """
    if crah.path.refrigerant is not None:
        duty = min(heat_w, _CRAC_W), outdoor_c
        plan = _direct(section, crah.path.refrigerant, pumps_on_ups, duty, trace)
    else:
        needed = warmest, heat_w, outdoor_c
        plan = _with_water(section, crah, pumps_on_ups, site, needed, trace)
    if plan.sink.kind != "air_cooled":
        return plan
    return chillers_at_altitude(plan, sized_at_site(section.chiller), site.elevation_m, trace)


def _with_water(
    section: PlantSection, crah: CrahPlan, pumps_on_ups: bool, site: Site,
    needed: tuple[tuple[float, str] | None, float, float], trace: Trace,
) -> ChilledWaterPlan:  # fmt: skip
    (warmest, heat_w, outdoor_c), unit = needed, crah.path.electrical_unit
    main = crah.path.door or crah.unit
    read = Reader(section, "cooling.plant", trace)
    kind = plant_type(section, heat_w, read)
    usual = _usual_water(unit, crah.supply_air_c, warmest)
    supply_c = read("chilled_water_supply", *usual, unit.source)
    usual_fluid, fluid_words = "water", "indoor loop"
    if kind == "air_cooled":
        usual_fluid = coil_fluid(site, supply_c)
        fluid_words = "outdoor evaporators; coils and chillers are rated with water"
    fluid = resolve_fluid(section.fluid, "cooling.plant.fluid", usual_fluid, fluid_words, trace)
    duty, machines = (heat_w, outdoor_c, supply_c), section.chiller or ChillerSection.unstated()
    usual_k, words = usual_rise(crah, fluid)
    rise_k = read("delta_t", usual_k, words, main.source)
    rejection = section.rejection or RejectionSection.unstated()
    condenser = condenser_fluid(section, kind, site, trace)
    pump = None
    if kind != "air_cooled":
        pump = resolve_condenser_pump(rejection.pump, f"{_SINK}.pump", trace)
    sink = resolve_sink(kind, rejection, _SINK, condenser, pump, trace)
    approach_k = wet_bulb_setpoint_approach(section, kind, read)
    flow_m3_s = condenser_flow(kind, read)
    return ChilledWaterPlan(
        supply_c=supply_c, rise_k=rise_k,
        fluid=fluid,
        pump=resolve_pump(section.pump, "cooling.plant.pump", trace),
        chiller=_chiller(machines, kind, sink.approach_k, duty, trace),
        sink=sink,
        condenser_range_k=condenser_range(kind, flow_m3_s, read),
        min_water_c=read("condenser_water_least"),
        pumps_on_ups=pumps_on_ups,
        setpoint_approach_k=approach_k,
        setpoint_max_c=read.given("condenser_water_most", noted=False),
        condenser_flow_m3_s=flow_m3_s,
        outdoors=kind == "air_cooled",
        usual_rise_k=usual_k,
    )  # fmt: skip


def _usual_water(
    unit: CrahUnit, supply_air_c: float, warmest: tuple[float, str] | None
) -> tuple[float, str]:
    """Return the water temperature and the reason: for the air, or colder if required by a load."""
    found = _water_for_air(unit, supply_air_c)
    if warmest is None or warmest[0] >= found[0]:
        return found
    colder_c = max(math.floor(10.0 * warmest[0] + 1e-6) / 10.0, min(COLDEST_WATER_C, found[0]))
    return colder_c, warmest[1]


def _water_for_air(unit: CrahUnit, supply_air_c: float) -> tuple[float, str]:
    """Return the rated water temperature and the reason; it follows the supply air.

    The water keeps the rated approach to the supply air, and is never colder
    than `COLDEST_WATER_C`.
    """
    rated_c = round(unit.return_air_c - unit.rated_rise_k, 1)
    if supply_air_c == rated_c:
        return unit.water_in_c, f"entering water at the rating of {unit.model}"
    followed_c = max(
        unit.water_in_c + supply_air_c - rated_c, min(COLDEST_WATER_C, unit.water_in_c)
    )
    below_k = supply_air_c - followed_c
    words = f"{below_k:g} K below the supply air, the rated approach of {unit.model} or less"
    return followed_c, words


def _direct(
    section: PlantSection,
    refrigerant: Refrigerant,
    pumps_on_ups: bool,
    needed: tuple[float, float],
    trace: Trace,
) -> ChilledWaterPlan:
    """Return the compressors of CRACs: air-cooled, without water.

    Raises ``AIR_CONTRADICTION`` for a plant with chilled water.
    """
    for name in _OF_WATER:
        if getattr(section, name) not in (None, "air_cooled"):
            raise FacilityError(
                "AIR_CONTRADICTION",
                f"cooling.plant.{name}",
                "CRACs have air-cooled condensers and no chilled water.",
                "Omit it, or select another cooling.air.terminal.",
            )
    chiller = section.chiller or ChillerSection.unstated()
    refuse_compressors(chiller)
    fluid = known_fluid("water")
    sink = resolve_sink("air_cooled", RejectionSection.unstated(), _SINK, fluid, None, trace)
    duty = *needed, refrigerant.outdoor_c - _RATED_SPAN_K
    machine = _chiller(chiller, "air_cooled", sink.approach_k, duty, trace, direct=True)
    return ChilledWaterPlan(
        supply_c=refrigerant.evaporating_c + machine.evaporator_approach_k,
        rise_k=_RATED_RANGE_K,
        fluid=fluid,
        pump=Pump(0.0, 1.0, (0.0, 0.0, 0.0, 1.0)),
        chiller=machine,
        sink=sink,
        condenser_range_k=_RATED_RANGE_K,
        min_water_c=Reader(section, "cooling.plant", trace)(*_CRAC_MIN),
        pumps_on_ups=pumps_on_ups,
        direct=True,
    )


class _Approaches(NamedTuple):
    """Rated refrigerant approaches of a machine: evaporator and condenser."""

    evaporator_k: float
    condenser_k: float


def _chiller(
    section: ChillerSection,
    kind: SinkKind,
    air_approach_k: float,
    duty: tuple[float, float, float],
    trace: Trace,
    *,
    direct: bool = False,
) -> ChillerPlan:
    """Return the chillers, or with `direct` the compressors of CRACs, without size.

    `duty` is the heat [W], the air at air-cooled condensers at design and the chilled water [degC].
    Inputs without effect are not in the ledger: sizes of such compressors, condenser water
    of air-cooled condensers.
    """
    read = Reader(section, _CHILLER, trace)
    unheard = Trace()
    sized, cooled = unheard if direct else trace, unheard if kind == "air_cooled" else trace
    evaporator_k = read("evaporator_approach")
    condenser_k = Reader(section, _CHILLER, cooled)("condenser_approach")
    if kind == "air_cooled" and section.condenser_approach is not None:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            f"{_CHILLER}.condenser_approach",
            "the condensers are air-cooled.",
            "Omit it, or select another heat_rejection.",
        )
    rated_k = _Approaches(evaporator_k, air_approach_k if kind == "air_cooled" else condenser_k)
    # Air above the rated lift requires a machine published for it.
    heat_w, outdoor_c, supply_c = duty
    hot_c = outdoor_c if outdoor_c - supply_c > _RATED_SPAN_K else None
    by_curves, largest = section.performance == "curves", section.largest
    largest_w = largest.si if largest is not None else None
    usual = default_chiller(
        kind, heat_w, by_curves=by_curves, max_w=largest_w, hot_c=hot_c, direct=direct
    )
    model, capacity_w, fraction, rated_lift_k, recalled = _machine(
        section, kind, usual, rated_k, trace
    )
    run_by = _curve_set(section, model)
    if not direct:
        read.word("performance", section.performance, "lift")
    if rated_lift_k and section.model is None:
        rated_lift_k = max(rated_lift_k, _published_lift(model, duty[2], rated_k))
    curve = run_by or _curve_of(model)
    warmest_c = curve.si("x_max_c") if curve is not None else None
    if section.carnot_fraction is not None:
        fraction, rated_lift_k, warmest_c = section.carnot_fraction.si, None, None
        read.given("carnot_fraction")
    capacity_w, largest_w = _sizes(Reader(section, _CHILLER, sized), kind, capacity_w)
    return ChillerPlan(
        model=model, capacity_w=capacity_w, largest_w=largest_w, count=section.count,
        spares=resolve_spares(section, _CHILLER, "among the chillers", sized, section.count),
        carnot_fraction=fraction, rated_lift_k=rated_lift_k, warmest_chw_c=warmest_c,
        evaporator_approach_k=evaporator_k, condenser_approach_k=condenser_k,
        min_lift_k=read("least_lift"), factors=read.factors(),
        from_memory=recalled, curves=str(run_by["name"]) if run_by is not None else None,
        rated_w=_rated_point(run_by, kind)[0].capacity_w if run_by is not None else 0.0,
        min_w=min_chiller_capacity(kind),
    )  # fmt: skip


def _published_lift(model: str, supply_c: float, rated_k: _Approaches) -> float:
    """Return the lift at the maximum published air of an air-cooled machine; 0 without.

    From the chilled water of the design, at least the chilled water of its curves.
    """
    curves = published_range(model)
    if curves is None:
        return 0.0
    evaporating_c = max(supply_c, curves.range_chw_c[0]) - rated_k.evaporator_k
    return curves.range_condenser_c[1] + rated_k.condenser_k - evaporating_c


def _curve_set(section: ChillerSection, model: str) -> Row | None:
    """Return the curve set of the chillers, None for the lift model.

    Raises ``CHILLER_CURVES`` where the machine has no curve set, or a Carnot fraction is specified.
    """
    if section.performance != "curves":
        return None
    curve = _curve_of(model)
    if curve is None and (model,) in table(_CHILLERS).index:
        named = table(_CHILLERS).get(model)["curve"]
        curve = table(CURVE_SETS).get(str(named)) if named is not None else None
    if curve is None or section.carnot_fraction is not None:
        reason = "has no curve set" if curve is None else "has a specified Carnot fraction"
        raise FacilityError(
            "CHILLER_CURVES",
            f"{_CHILLER}.performance",
            f"{model!r} {reason}.",
            f"Select a model of the table {CURVE_SETS}, or performance: lift.",
        )
    return curve


def _sizes(read: Reader, kind: SinkKind, of_model_w: float | None) -> tuple[float | None, float]:
    """Return the capacity of one chiller, and the maximum for the design.

    The capacity is None for a design variable.
    """
    name = LARGEST_AIR_COOLED if kind == "air_cooled" else LARGEST_WATER_COOLED
    row = table(_CHILLERS).get(name)
    largest_w, capacity_w = row.si("capacity_kw"), read.given("capacity") or of_model_w
    if capacity_w is None:
        words = f"largest chiller: {name}; required capacity is load over count"
        largest_w = read("largest", largest_w, words, row.cite("capacity_kw"))
    return capacity_w, largest_w


def _machine(
    section: ChillerSection,
    kind: SinkKind,
    usual: tuple[str, str],
    rated_k: _Approaches,
    trace: Trace,
) -> tuple[str, float | None, float, float | None, bool]:
    """Return model, capacity, Carnot fraction, its lift, and whether the data are unverified."""
    name = section.model
    if name is None:
        name, why = usual
        Reader(section, _CHILLER, trace).word("model", None, name, why)
    where = "cooling.plant.chiller.model"
    if (name,) in table(CURVE_SETS).index:
        row = table(CURVE_SETS).get(name, where)
        _refuse_other_kind(str(row["condenser"]) == "AirCooled", kind, name)
        capacity_w, fraction, lift_k = _from_curves(row, kind, rated_k, trace)
    else:
        row = table(_CHILLERS).get(name, where)
        _refuse_other_kind(row["type"] == "air-cooled", kind, name)
        curve = _curve_of(name)
        if section.carnot_fraction is not None:
            capacity_w, fraction, lift_k = row.si("capacity_kw"), section.carnot_fraction.si, 0.0
        elif curve is not None:
            capacity_w, fraction, lift_k = _from_curves(curve, kind, rated_k, trace)
        else:
            give = "cooling.plant.chiller.carnot_fraction"
            column = "ambient_db_c" if kind == "air_cooled" else "condenser_leaving_c"
            fraction, lift_k = _fraction(
                row.si("cop", give),
                row.si("chw_leaving_c", give),
                row.si(column, give),
                rated_k,
                trace,
            )
            capacity_w = row.si("capacity_kw")
    own = capacity_w if section.model is not None else None
    recalled = row.verified == "memory"
    return name, own, fraction, lift_k, recalled


def _curve_of(name: str) -> Row | None:
    """Return the curve set with the reference conditions of a machine.

    The set of its own name, or the set named by its row without rating conditions.
    """
    curves, machines = table(CURVE_SETS), table(_CHILLERS)
    if (name,) in curves.index:
        return curves.get(name)
    if (name,) not in machines.index:
        return None
    row = machines.get(name)
    own = row["curve"] is not None and row["chw_leaving_c"] is None
    return curves.get(str(row["curve"])) if own else None


def _refuse_other_kind(air_cooled: bool, kind: SinkKind, name: str) -> None:
    if air_cooled != (kind == "air_cooled"):
        found = "air-cooled" if air_cooled else "water-cooled"
        raise FacilityError(
            "CHILLER_KIND",
            "cooling.plant.chiller.model",
            f"{name!r} is {found}, but the heat rejection is {kind!r}.",
            "Select a chiller of that type, or another heat_rejection.",
        )


def _fraction(
    cop: float, chw_c: float, sink_c: float, rated_k: _Approaches, trace: Trace
) -> tuple[float, float]:
    evaporating_c, condensing_c = chw_c - rated_k.evaporator_k, sink_c + rated_k.condenser_k
    fraction = trace.do(
        "cooling.plant.chiller.carnot_fraction",
        carnot_fraction,
        "at the rating of the machine",
        cop=cop,
        evaporating_c=evaporating_c,
        condensing_c=condensing_c,
    )
    return float(fraction), condensing_c - evaporating_c


def _from_curves(
    row: Row, kind: SinkKind, rated_k: _Approaches, trace: Trace
) -> tuple[float, float, float]:
    """Return capacity, Carnot fraction and lift of a curve set at its AHRI-like point.

    Outside the valid range of the set, at the nearest point inside.
    """
    point, chw_c, condenser_c = _rated_point(row, kind)
    range_k = 0.0 if kind == "air_cooled" else _RATED_RANGE_K
    fraction, lift_k = _fraction(point.cop, chw_c, condenser_c + range_k, rated_k, trace)
    return point.capacity_w, fraction, lift_k


def _rated_point(row: Row, kind: SinkKind) -> tuple[EirPoint, float, float]:
    """Return a curve set at its AHRI-like point, with chilled water and condenser temperatures."""
    curves = eir_curves(row)
    condenser_c = row.si("t_cond_ent_ref_c")
    if kind != "air_cooled":
        low_c, high_c = curves.range_condenser_c
        condenser_c = min(max(_AHRI_CONDENSER_C, low_c), high_c)
    chw_c = min(max(_AHRI_CHW_C, curves.range_chw_c[0]), curves.range_chw_c[1])
    return curves.at(chw_c, condenser_c, 1.0), chw_c, condenser_c
