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
"""Air of ratings; fan, motor and drive of large axial fans."""
_NO_FANS: Curve = (0.0, 0.0, 0.0, 0.0)
"""The fans of air-cooled chillers are in the power of the chillers."""
_OF_CELLS = ("largest_cell", "tower_fan")
"""What is stated of tower cells of which no rating is given."""
_FOREIGN: Mapping[SinkKind, Collection[str]] = {
    "dry_cooler": ("tower", "drift", *_OF_CELLS),
    "tower": ("dry_cooler",),
}
"""Fields of heat rejection that only another kind has."""
_CHOSEN_AT = {
    "cooling.plant.rejection": "cooling.plant.heat_rejection",
    "cooling.facility_water.rejection": "cooling.facility_water.source",
}
"""Where the kind of heat rejection is stated."""
_INPUT_OVER_LOAD = 0.2
"""Of water-cooled chillers, to estimate the heat of their towers."""
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
    """Return heat rejection of one kind.

    fluid, pump: What circulates, and its own pumps.
    """
    given = section or RejectionSection()
    _refuse_of_others(given, kind, id)
    unit = _dry_cooler(given.dry_cooler, id, kind == "dry_cooler", trace)
    cell_w, fan_w_per_kg_s, water_ratio, cell_kg_s = 1.0, 0.0, 1.0, None
    cycles, drift, fans = math.inf, 0.0, kind != "air_cooled"
    read = Reader(given, id, trace)
    pads = _pads(given, kind, read, id)
    if pads is not None and unit.scalable:
        unit = _behind_pads(unit, read("pad_drop"), trace, id)
    if kind == "tower":
        cell_w, fan_w_per_kg_s, cell_kg_s = _tower(given.tower, id, read)
        water_ratio = tower_water_ratio(given.tower, f"{id}.tower", trace)
        cycles, drift = read("cycles"), read("drift")
    name = {"tower": "towers", "dry_cooler": "dry coolers", "air_cooled": "condensers"}[kind]
    # Condensers of air-cooled machines are as many as these: their spares decide nothing.
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
        tower=given.tower.model or "open tower as given" if given.tower is not None else "",
        film=_film(kind, unit, fluid, id, trace),
    )


def _refuse_of_others(section: RejectionSection, kind: SinkKind, id: str) -> None:
    """Refuse what only heat rejection of another kind has: it would change nothing."""
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
        "air_cooled": "air-cooled chillers carry their condensers and fans.",
        "dry_cooler": "it is of open towers, or of pads, and there are dry coolers without.",
        "tower": "it is of dry coolers, or of towers without a rating of their own.",
    }
    raise FacilityError(
        "COOLING_CONTRADICTION",
        f"{id}.{stated[0]}",
        words[kind],
        "Leave it out, or choose the heat rejection that it belongs to.",
    )


def _fan_curve(section: RejectionSection, read: Reader, id: str) -> Curve:
    """Return the part-load curve of the fans, of those of towers or of any fan."""
    chosen = read.word("fan_curve", section.fan_curve)
    of_towers = table("cooling/fan_pump_part_load").select(device="tower fan", curve=chosen)
    return curve("tower fan" if of_towers else "fan", chosen, f"{id}.fan_curve")


def wet_bulb_setpoint_approach(section: PlantSection, kind: SinkKind, read: Reader) -> float | None:
    """Return by how much the water of towers is held above the wet bulb, None where it is not."""
    name = "condenser_setpoint_approach"
    if kind != "tower" and section.condenser_setpoint_approach is not None:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            f"cooling.plant.{name}",
            f"only towers are held to the wet bulb, the heat rejection is {kind!r}.",
            "Leave it out, or choose heat_rejection: tower.",
        )
    return read.given(name, noted=False)


def plant_type(section: PlantSection, heat_w: float, read: Reader) -> SinkKind:
    """Return the heat rejection of the chillers; open, by their model or the size of the load.

    Below the smallest water-cooled chiller of the catalogue, and the smallest tower, they are
    air-cooled, unless something of towers or dry coolers is stated.
    """
    chiller = section.chiller or ChillerSection()
    if chiller.model is not None:
        air_cooled = chiller.model in {model for _, model in catalogue_chillers("air_cooled")}
        return read.word(
            "heat_rejection",
            section.heat_rejection,
            "air_cooled" if air_cooled else "tower",
            f"as {chiller.model} is built (cooling.plant.chiller.model)",
        )
    watered = any(getattr(section, name) is not None for name in OF_TOWERS)
    smallest_w, smallest = catalogue_chillers("tower")[0]
    least_w = max(smallest_w, MIN_TOWER_W / (1.0 + _INPUT_OVER_LOAD))
    if watered or chiller.condenser_approach is not None or heat_w >= least_w:
        return read.word("heat_rejection", section.heat_rejection)
    return read.word(
        "heat_rejection",
        section.heat_rejection,
        "air_cooled",
        f"about {heat_w / 1e3:,.0f} kW of chilled water, under {least_w / 1e3:,.0f} kW, for which "
        f"there is a tower ({MIN_TOWER_W / 1e3:,.0f} kW) and a chiller ({smallest})",
    )


def condenser_fluid(section: PlantSection, kind: SinkKind, site: Site, trace: Trace) -> Fluid:
    """Return what circulates between the chillers and their heat rejection."""
    id = "cooling.plant.condenser_fluid"
    if section.condenser_fluid is not None and kind != "dry_cooler":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            id,
            f"only the loop of dry coolers is filled, the heat rejection is {kind!r}.",
            "Leave it out, or choose heat_rejection: dry_cooler.",
        )
    usual, words = "water", "open tower loop, or none"
    if kind == "dry_cooler":
        usual, words = outdoor_fluid(site, "PG25"), "glycol where the loop goes outdoors"
    return resolve_fluid(section.condenser_fluid, id, usual, words, trace)


def condenser_flow(kind: SinkKind, read: Reader) -> float | None:
    """Return the constant flow of the condenser water, None where the range is kept."""
    flow_m3_s = read.given("condenser_flow", noted=False)
    if flow_m3_s is not None and kind == "air_cooled":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            "cooling.plant.condenser_flow",
            "air-cooled chillers have no condenser water.",
            "Leave it out, or choose towers or dry coolers.",
        )
    return flow_m3_s


def condenser_range(kind: SinkKind, flow_m3_s: float | None, read: Reader) -> float:
    """Return the range that is kept; at a constant flow where the design starts from."""
    if kind == "air_cooled" and read.si("condenser_range") is not None:
        raise FacilityError(
            "COOLING_CONTRADICTION",
            "cooling.plant.condenser_range",
            "air-cooled chillers have no condenser water.",
            "Leave it out, or choose towers or dry coolers.",
        )
    limits = table("cooling/cooling_tower_limits").get("YorkCalc")
    rated_k = limits.si("design_range_k")
    if flow_m3_s is not None:
        return rated_k
    return read("condenser_range", rated_k, source=limits.cite("design_range_k"))


def tower_water_ratio(rating: TowerRatingSection | None, id: str, trace: Trace) -> float:
    """Return the water of the cells over that of the correlation, 1 where no rating is given.

    Raises ``TOWER_RATING`` for an approach that the correlation does not make at its point.
    """
    if rating is None:
        return 1.0
    point = rating.wet_bulb.si, rating.range.si
    ratio, least_k, most_k = yorkcalc_rated_water(*point, rating.approach.si)
    if not least_k <= rating.approach.si <= most_k:
        raise FacilityError(
            "TOWER_RATING",
            f"{id}.approach",
            f"towers of the YorkCalc correlation make an approach of {least_k:.1f} to {most_k:.1f} "
            f"K at {point[0]:g} degC wet bulb and a range of {point[1]:g} K, not "
            f"{rating.approach.si:g} K.",
            "Check wet_bulb, range and approach; or leave the rating out.",
        )
    return trace.choose(
        f"{id}.water_ratio",
        ratio,
        "ratio",
        "water of the rating over that of the correlation, with which it makes the approach",
        Source("energyplus-towers"),
    )


def given_pads(section: RejectionSection) -> Pads | None:
    """Return the pads that the project asks for, None without; their cycles stay open."""
    effectiveness, above = section.pad_effectiveness, section.pad_wet_above
    if effectiveness is None:
        return None
    above_c = above.si if above is not None else None
    return Pads(effectiveness.si, above_c, math.inf, section.dry_cooler is None)


def _pads(section: RejectionSection, kind: SinkKind, read: Reader, id: str) -> Pads | None:
    """Return the pads ahead of dry coolers, recorded.

    Raises ``COOLING_CONTRADICTION`` where there are no dry coolers.
    """
    pads = given_pads(section)
    if pads is None:
        return None
    if kind != "dry_cooler":
        raise FacilityError(
            "COOLING_CONTRADICTION",
            f"{id}.pad_effectiveness",
            f"pads are wetted ahead of dry coolers, the heat rejection is {kind!r} "
            f"({_CHOSEN_AT[id]}).",
            "Leave it out, or choose dry coolers there.",
        )
    read("pad_effectiveness")
    read.given("pad_wet_above")
    return replace(pads, cycles=read("cycles"))


def _behind_pads(unit: DryCoolerUnit, drop_pa: float, trace: Trace, id: str) -> DryCoolerUnit:
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
        f"fans of {unit.model} with the drop of the pads, {_FAN_EFFICIENCY:.0%} fan efficiency",
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
            "leaving fluid above the entering air, as at the rating of the dry cooler",
            unit.source,
        )
    return 0.0


def _film(kind: SinkKind, unit: DryCoolerUnit, fluid: Fluid, id: str, trace: Trace) -> float:
    """Return the film of the fluid in dry coolers over that of their rating.

    The default is rated with water; a rating that the project states is taken as with its fluid.
    """
    if kind != "dry_cooler" or not unit.scalable:
        return 1.0
    trace.ledger.add_text(
        f"{id}.rating_fluid", "water", "fluid of the dry cooler at its rating, which names none",
        UNSTATED,
    )  # fmt: skip
    return film_of(fluid, 0.5 * (unit.fluid_in_c + unit.fluid_out_c), f"{id}.film", trace)


def _tower(
    rating: TowerRatingSection | None, id: str, of_cells: Reader
) -> tuple[float, float, float | None]:
    """Return heat of a cell, fan power for each kg/s of water, and its water where it is rated."""
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
            rating.model or "dry cooler as given", *figures, _FILM_RATIO, False, PROJECT
        )
    else:
        unit = DryCoolerUnit(*_BAC_UNIT, _FILM_RATIO, True, _BAC)
        if used:
            trace.ledger.add_text(
                f"{id}.dry_cooler",
                unit.model,
                "coolers in the proportions of this rating, as large as the heat asks for",
                _BAC,
            )
    if used:
        trace.assume(
            f"{id}.film_ratio",
            _FILM_RATIO,
            "ratio",
            "air-side over fluid-side hA of the coil at its rating; equal capacity rates there",
            _COIL,
        )
    return unit
