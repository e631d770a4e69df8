"""Heat rejection, resolved with its named defaults: towers, dry coolers, condenser coils."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace

from facility.catalogue import table
from facility.cooling.parts.fluids import liquid_at
from facility.cooling.plant.chillers import catalogue_chillers
from facility.cooling.plant.sinks import MIN_TOWER_W
from facility.core.errors import FacilityError
from facility.core.sources import PRACTICE, PROJECT, UNSTATED, Source
from facility.core.trace import Trace
from facility.model.cooling.chain import SinkPlan
from facility.model.cooling.units import (
    DRY_AIR_J_KGK,
    Curve,
    DryCoolerUnit,
    Fluid,
    Pads,
    Pump,
    SinkKind,
)
from facility.model.facility import Site
from facility.model.inputs.cooling.machines import ChillerSection, RejectionSection
from facility.model.inputs.cooling.plant import PlantSection
from facility.model.inputs.cooling.ratings import DryCoolerRatingSection, TowerRatingSection
from facility.physics.plant.fans_pumps import fan_power
from facility.physics.plant.tower.yorkcalc import yorkcalc_rated_water
from facility.study.resolve.cooling.parts import (
    curve,
    film_of,
    known_fluid,
    outdoor_fluid,
    resolve_fluid,
    resolve_spares,
)
from facility.study.resolve.reader import Reader

_BAC = Source("modelica-buildings-drycooler", "BAC TDFS1238N-C60ET40B")
_COIL = Source("modelica-buildings-heat-exchangers", "HADryCoil: r_nominal")
_AIR_COOLED_APPROACH_K = 15.0
_FILM_RATIO = 0.5
_STANDARD_AIR_KG_M3, _FAN_EFFICIENCY = 1.2, 0.55
"""Rating air; fan, motor and drive efficiency of large axial fans."""
_NO_FANS: Curve = (0.0, 0.0, 0.0, 0.0)
"""Fans of air-cooled chillers are included in chiller power."""
_OF_CELLS = ("largest_cell", "tower_fan")
"""Fields of tower cells without a rating."""
_FOREIGN: Mapping[SinkKind, Collection[str]] = {
    "dry_cooler": ("tower", "drift", *_OF_CELLS),
    "tower": ("dry_cooler",),
}
"""Fields of other heat rejection types."""
_CHOSEN_AT = {
    "cooling.plant.rejection": "cooling.plant.heat_rejection",
    "cooling.facility_water.rejection": "cooling.facility_water.source",
}
"""Field of the heat rejection type."""
_INPUT_OVER_LOAD = 0.2
"""Input over load of water-cooled chillers, for estimating tower heat."""
OF_TOWERS = (
    "rejection",
    "condenser_range",
    "condenser_setpoint_approach",
    "condenser_water_most",
    "condenser_flow",
    "condenser_fluid",
)
"""Fields of a plant with condenser water."""
_CELL = "open tower 1017 kW"
_BAC_UNIT = ("BAC TDFS1238N-C60ET40B", 2931e3, 35.0, 46.11, 40.55, 117.68e3)


def resolve_sink(
    kind: SinkKind,
    section: RejectionSection | None,
    id: str,
    fluid: Fluid,
    pump: Pump | None,
    trace: Trace,
) -> SinkPlan:
    """Return heat rejection of one type.

    fluid, pump: Circulating fluid, and dedicated pumps.
    """
    given = section or RejectionSection.unstated()
    _refuse_of_others(given, kind, id)
    unit = _dry_cooler(given.dry_cooler, id, kind == "dry_cooler", trace)
    cell_w, fan_w_per_kg_s, water_ratio, cell_kg_s = 1.0, 0.0, 1.0, None
    cycles, drift, fans = math.inf, 0.0, kind != "air_cooled"
    read = Reader(given, id, trace)
    pads = _pads(given, kind, read, id)
    if pads is not None and unit.scalable:
        unit = _with_pad_drop(unit, read("pad_drop"), trace, id)
    if kind == "tower":
        cell_w, fan_w_per_kg_s, cell_kg_s = _tower(given.tower, id, read)
        water_ratio = tower_water_ratio(given.tower, f"{id}.tower", trace)
        cycles, drift = read("cycles"), read("drift")
    name = {"tower": "towers", "dry_cooler": "dry coolers", "air_cooled": "condensers"}[kind]
    # Condensers match the air-cooled machines in number: their spares have no effect.
    heard = trace if kind != "air_cooled" else Trace()
    return SinkPlan(
        kind=kind,
        fluid=fluid,
        pump=pump,
        count=given.count,
        spares=resolve_spares(given, id, f"among the {name}", heard, given.count),
        unit=unit,
        cell_w=cell_w,
        fan_w_per_kg_s=fan_w_per_kg_s,
        approach_k=_approach(kind, unit, id, trace),
        fan_curve=_fan_curve(given, read, id) if fans else _NO_FANS,
        cycles=cycles,
        drift=drift,
        pads=pads,
        water_ratio=water_ratio,
        least_air=read("least_air") if fans else 0.0,
        cell_kg_s=cell_kg_s,
        tower=given.tower.model or "open tower as specified" if given.tower is not None else "",
        film=_film(kind, unit, fluid, id, trace),
    )


def _refuse_of_others(section: RejectionSection, kind: SinkKind, id: str) -> None:
    """Reject fields of other heat rejection types, which would have no effect."""
    foreign: Collection[str] = _FOREIGN.get(kind, ())
    if kind == "air_cooled":
        foreign = set(type(section).model_fields) - {"pad_effectiveness", "pad_wet_above"}
    elif kind == "dry_cooler" and section.pad_effectiveness is None:
        foreign = {*foreign, "cycles"}
    if section.tower is not None and kind == "tower":
        foreign = {*foreign, *_OF_CELLS}
    stated = [n for n in type(section).model_fields if n in foreign and getattr(section, n)]
    if not stated:
        return
    words = {
        "air_cooled": "air-cooled chillers include their condensers and fans.",
        "dry_cooler": "the field applies to open towers or pads, not to dry coolers without pads.",
        "tower": "the field applies to dry coolers, or to towers without a stated rating.",
    }
    raise FacilityError(
        "COOLING_CONTRADICTION",
        f"{id}.{stated[0]}",
        words[kind],
        "Omit it, or select the heat rejection type to which it applies.",
    )


def _fan_curve(section: RejectionSection, read: Reader, id: str) -> Curve:
    """Return the fan part-load curve, for tower fans or any fan."""
    chosen = read.word("fan_curve", section.fan_curve)
    of_towers = table("cooling/fan_pump_part_load").select(device="tower fan", curve=chosen)
    return curve("tower fan" if of_towers else "fan", chosen, f"{id}.fan_curve")


def wet_bulb_setpoint_approach(section: PlantSection, kind: SinkKind, read: Reader) -> float | None:
    """Return the tower set point above wet bulb, None without one."""
    name = "condenser_setpoint_approach"
    if kind != "tower" and section.condenser_setpoint_approach is not None:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            f"cooling.plant.{name}",
            f"the wet-bulb set point applies only to towers, but the heat rejection is {kind!r}.",
            "Omit it, or select heat_rejection: tower.",
        )
    return read.given(name, noted=False)


def plant_type(section: PlantSection, heat_w: float, read: Reader) -> SinkKind:
    """Return the heat rejection of the chillers; by default from their model or the load.

    Below the smallest catalogue water-cooled chiller, or the smallest tower, they are
    air-cooled, unless fields of towers or dry coolers are stated.
    """
    chiller = section.chiller or ChillerSection.unstated()
    if chiller.model is not None:
        air_cooled = chiller.model in {model for _, model in catalogue_chillers("air_cooled")}
        return read.word(
            "heat_rejection",
            section.heat_rejection,
            "air_cooled" if air_cooled else "tower",
            f"type of {chiller.model} (cooling.plant.chiller.model)",
        )
    watered = any(getattr(section, name) is not None for name in OF_TOWERS)
    smallest_w, smallest = catalogue_chillers("tower")[0]
    min_w = max(smallest_w, MIN_TOWER_W / (1.0 + _INPUT_OVER_LOAD))
    if watered or chiller.condenser_approach is not None or heat_w >= min_w:
        return read.word("heat_rejection", section.heat_rejection)
    return read.word(
        "heat_rejection",
        section.heat_rejection,
        "air_cooled",
        f"about {heat_w / 1e3:,.0f} kW of chilled water, below the {min_w / 1e3:,.0f} kW "
        f"minimum for a tower ({MIN_TOWER_W / 1e3:,.0f} kW) and a chiller ({smallest})",
    )


def condenser_fluid(section: PlantSection, kind: SinkKind, site: Site, trace: Trace) -> Fluid:
    """Return the fluid between the chillers and their heat rejection."""
    id = "cooling.plant.condenser_fluid"
    if section.condenser_fluid is not None and kind != "dry_cooler":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            id,
            f"condenser_fluid applies only to dry coolers, but the heat rejection is {kind!r}.",
            "Omit it, or select heat_rejection: dry_cooler.",
        )
    usual, words = "water", "open tower loop, or none"
    if kind == "dry_cooler":
        usual, words = outdoor_fluid(site, "PG25"), "glycol for outdoor loops"
    return resolve_fluid(section.condenser_fluid, id, usual, words, trace)


def condenser_flow(kind: SinkKind, read: Reader) -> float | None:
    """Return the constant flow of the condenser water, None for constant range."""
    flow_m3_s = read.given("condenser_flow", noted=False)
    if flow_m3_s is not None and kind == "air_cooled":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            "cooling.plant.condenser_flow",
            "air-cooled chillers have no condenser water.",
            "Omit it, or select towers or dry coolers.",
        )
    return flow_m3_s


def condenser_range(kind: SinkKind, flow_m3_s: float | None, read: Reader) -> float:
    """Return the constant range, or the starting value at constant flow."""
    if kind == "air_cooled" and read.si("condenser_range") is not None:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            "cooling.plant.condenser_range",
            "air-cooled chillers have no condenser water.",
            "Omit it, or select towers or dry coolers.",
        )
    limits = table("cooling/cooling_tower_limits").get("YorkCalc")
    rated_k = limits.si("design_range_k")
    if flow_m3_s is not None:
        return rated_k
    return read("condenser_range", rated_k, source=limits.cite("design_range_k"))


def tower_water_ratio(rating: TowerRatingSection | None, id: str, trace: Trace) -> float:
    """Return the cell water flow over the correlation's flow, 1 without a rating.

    Raises ``TOWER_RATING`` for an approach outside the correlation at its rating point.
    """
    if rating is None:
        return 1.0
    point = rating.wet_bulb.si, rating.range.si
    ratio, min_k, max_k = yorkcalc_rated_water(*point, rating.approach.si)
    if not min_k <= rating.approach.si <= max_k:
        raise FacilityError(
            "TOWER_RATING",
            f"{id}.approach",
            f"the YorkCalc correlation covers an approach of {min_k:.1f} to {max_k:.1f} "
            f"K at {point[0]:g} degC wet bulb and a range of {point[1]:g} K, not "
            f"{rating.approach.si:g} K.",
            "Check wet_bulb, range and approach; or omit the rating.",
        )
    return trace.choose(
        f"{id}.water_ratio",
        ratio,
        "ratio",
        "rated water flow over correlation water flow at the rated approach",
        Source("energyplus-towers"),
    )


def given_pads(section: RejectionSection) -> Pads | None:
    """Return the specified pads, None without; cycles remain unspecified."""
    effectiveness, above = section.pad_effectiveness, section.pad_wet_above
    if effectiveness is None:
        return None
    above_c = above.si if above is not None else None
    return Pads(effectiveness.si, above_c, math.inf, section.dry_cooler is None)


def _pads(section: RejectionSection, kind: SinkKind, read: Reader, id: str) -> Pads | None:
    """Return the pads upstream of dry coolers, recorded.

    Raises ``COOLING_CONTRADICTION`` where there are no dry coolers.
    """
    pads = given_pads(section)
    if pads is None:
        return None
    if kind != "dry_cooler":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            f"{id}.pad_effectiveness",
            f"pads apply only to dry coolers, but the heat rejection is {kind!r} "
            f"({_CHOSEN_AT[id]}).",
            "Omit it, or select dry coolers there.",
        )
    read("pad_effectiveness")
    read.given("pad_wet_above")
    return replace(pads, cycles=read("cycles"))


def _with_pad_drop(unit: DryCoolerUnit, drop_pa: float, trace: Trace, id: str) -> DryCoolerUnit:
    """Return a dry cooler whose fans also overcome the pressure drop of pads, wetted or dry.

    At the air flow of the rating, whose capacity rate is that of the fluid.
    """
    air_w_k = unit.heat_w / (unit.fluid_in_c - unit.fluid_out_c)
    pads_w = float(
        fan_power.si(
            air_w_k / (_STANDARD_AIR_KG_M3 * DRY_AIR_J_KGK), drop_pa, _FAN_EFFICIENCY, 1.0, 1.0
        )
    )
    total_w = trace.choose(
        f"{id}.dry_cooler_fans",
        unit.fan_w + pads_w,
        "active_power",
        f"fans of {unit.model} with pad pressure drop, {_FAN_EFFICIENCY:.0%} fan efficiency",
        PRACTICE,
    )
    return replace(unit, fan_w=total_w)


def _approach(kind: SinkKind, unit: DryCoolerUnit, id: str, trace: Trace) -> float:
    if kind == "air_cooled":
        return trace.assume(
            f"{id}.condenser_approach",
            _AIR_COOLED_APPROACH_K,
            "temperature_difference",
            "condensing temperature above the ambient air",
            PRACTICE,
        )
    if kind == "dry_cooler":
        return trace.assume(
            f"{id}.approach",
            unit.fluid_out_c - unit.air_in_c,
            "temperature_difference",
            "leaving fluid above entering air, from the dry cooler rating",
            unit.source,
        )
    return 0.0


def _film(kind: SinkKind, unit: DryCoolerUnit, fluid: Fluid, id: str, trace: Trace) -> float:
    """Return the fluid film coefficient of dry coolers over its rated value.

    The default is rated with water; a stated rating applies with the project fluid.
    """
    if kind != "dry_cooler" or not unit.scalable:
        return 1.0
    trace.ledger.add_text(
        f"{id}.rating_fluid", "water", "rating fluid of the dry cooler, not stated in the data",
        UNSTATED,
    )  # fmt: skip
    return film_of(fluid, 0.5 * (unit.fluid_in_c + unit.fluid_out_c), f"{id}.film", trace)


def _tower(
    rating: TowerRatingSection | None, id: str, of_cells: Reader
) -> tuple[float, float, float | None]:
    """Return heat of a cell, fan power per kg/s of water, and rated water flow if any."""
    trace = of_cells.trace
    if rating is not None:
        read, flow_m3_s = Reader(rating, f"{id}.tower", trace), 0.0
        entering_c = rating.wet_bulb.si + rating.approach.si + 0.5 * rating.range.si
        water = liquid_at(known_fluid("water"), entering_c, f"{id}.tower")
        _correlation(id, trace)
        for name in ("wet_bulb", "range", "approach"):
            read.given(name)
        if rating.flow is not None:
            flow_m3_s = rating.flow.si
            heat_w = water.rate_w_k(flow_m3_s) * rating.range.si
        else:
            heat_w = read("heat")
            flow_m3_s = heat_w / water.rate_w_k(1.0) / rating.range.si
        water_kg_s = flow_m3_s * water.density_kg_m3
        return heat_w, read("fan_power") / water_kg_s, water_kg_s
    row = table("equipment/towers_drycoolers").get(_CELL)
    given_w = row.si("heat_rejected_kw")
    cell_w = of_cells("largest_cell", given_w, source=row.cite("heat_rejected_kw"))
    _correlation(id, trace)
    return cell_w, of_cells("tower_fan"), None


def _correlation(id: str, trace: Trace) -> None:
    trace.ledger.add_text(
        f"{id}.tower_model",
        "YorkCalc",
        "approach varies with wet bulb, range and air flow; rated at 25.6 degC, 3.9 K, 5.6 K",
        Source("energyplus-towers"),
    )


def _dry_cooler(
    rating: DryCoolerRatingSection | None, id: str, used: bool, trace: Trace
) -> DryCoolerUnit:
    if rating is not None:
        figures = (
            rating.heat.si,
            rating.air_in.si,
            rating.fluid_in.si,
            rating.fluid_out.si,
            rating.fan_power.si,
        )
        unit = DryCoolerUnit(
            rating.model or "dry cooler as specified", *figures, _FILM_RATIO, False, PROJECT
        )
    else:
        unit = DryCoolerUnit(*_BAC_UNIT, _FILM_RATIO, True, _BAC)
        if used:
            trace.ledger.add_text(
                f"{id}.dry_cooler",
                unit.model,
                "coolers scaled from this rating to the required heat",
                _BAC,
            )
    if used:
        trace.assume(
            f"{id}.film_ratio",
            _FILM_RATIO,
            "ratio",
            "air-side over fluid-side hA of the coil at its rating, with equal capacity rates",
            _COIL,
        )
    return unit
