"""How the facility water is cooled: as stated, or the simplest way that holds its supply."""

from __future__ import annotations

import math
from dataclasses import dataclass

from facility.catalogue import table
from facility.cooling.plant.pads import design_air
from facility.cooling.plant.sinks import MIN_DRY_APPROACH_K
from facility.model.cooling.units import HydraulicsPlan, WaterSource
from facility.model.facility import Criteria, Site, Weather
from facility.model.inputs.cooling.liquid import FacilityWaterSection
from facility.model.inputs.cooling.machines import RejectionSection
from facility.physics.plant.tower.yorkcalc import yorkcalc_approach
from facility.physics.roots import root_between
from facility.study.resolve.cooling.sink import given_pads

WARMEST_C = 45.0
"""Facility water that open choices go up to: the warmest class of the racks."""
SOURCES: dict[str, WaterSource] = {
    "dry_cooler": "dry_cooler",
    "tower": "tower",
    "chilled_water": "chilled_water",
}


@dataclass(frozen=True)
class WaterSite:
    """Where the heat goes: weather, class, and chilled water where there is a plant."""

    site: Site
    criteria: Criteria
    chilled_c: float | None
    recirculation_k: float
    pipes: HydraulicsPlan
    tower_water: float  # Water of tower cells at their rating, over that of the correlation
    exchanger_k: float  # Approach of the plate exchanger of the facility water


@dataclass(frozen=True)
class Way:
    """How the facility water is cooled.

    `made_c` is what the heat rejection makes at the design weather where it works alone, `rise_k`
    the range of the facility water, `range_k` that of the water of towers. `held`: towers alone
    hold the water wanted.
    """

    source: WaterSource
    trim: bool
    made_c: float
    why: str
    rise_k: float
    range_k: float
    held: bool = True

    @property
    def name(self) -> str:
        """The way as the project would state it."""
        return f"{self.source}_and_chiller" if self.trim else self.source

    @property
    def range_words(self) -> str:
        """Why the water of towers has its range."""
        if self.range_k < self.rise_k and self.held:
            return f"towers alone hold the supply with it, not with {self.rise_k:.1f} K"
        if self.range_k < self.rise_k and self.trim:
            return "cells have their usual range at what they take at design, not all of the heat"
        if self.range_k < self.rise_k:
            return "towers come closest to the supply with it, and nothing else cools the water"
        return "range of the facility water: the exchanger has equal flows"


def way_of(
    section: FacilityWaterSection, water_c: tuple[float, float], rise_k: float, place: WaterSite
) -> Way:
    """Return how the facility water is cooled: as stated, or the simplest way that holds it.

    Dry coolers where the air at design is cold enough, else towers. Where these miss the supply at
    the design weather and take half of the heat in the mean year, chilled water takes the rest
    behind them; it takes all where they would not take half.

    water_c: Facility water wanted, and the warmest that the racks bear.
    rise_k: Rise of the facility water through CDUs and pumps.
    """
    wanted_c, most_c = water_c
    air_c = coil_air(section, place)
    dry_c = air_c + MIN_DRY_APPROACH_K
    range_k, tower_c = tower_water(section, wanted_c, rise_k, place)
    water = rise_k, range_k, tower_c <= wanted_c
    if section.source == "dry_cooler":
        dry_c = max(min(dry_c, most_c), air_c)
    if section.source is not None:
        name, _, trim = section.source.partition("_and_")
        made = {"dry_cooler": dry_c, "tower": tower_c, "chilled_water": -math.inf}
        source = SOURCES[name]
        return Way(source, bool(trim), -math.inf if trim else made[source], "as stated", *water)
    if dry_c <= wanted_c:
        why = f"{air_c:.1f} degC air at design leaves 3 K"
        return Way("dry_cooler", False, dry_c, why, *water)
    if tower_c <= wanted_c:
        why = f"air at design is too warm ({air_c:.1f} degC); towers make {tower_c:.1f} degC"
        return Way("tower", False, tower_c, why, *water)
    why = f"neither air ({air_c:.1f} degC) nor towers ({tower_c:.1f} degC) reach it at design"
    if place.chilled_c is None:
        return Way("tower", False, tower_c, f"{why}; there is no chilled water", *water)
    mean = place.site.mean
    if mean is None or _towers_make(place, mean, 0.5 * range_k) <= wanted_c + 0.5 * rise_k:
        why += ", but in the mean year most of the heat: chilled water takes the rest"
        return Way("tower", True, -math.inf, why, *water)
    return Way("chilled_water", False, -math.inf, f"{why}, nor in the mean year", *water)


def coil_air(section: FacilityWaterSection, place: WaterSite) -> float:
    """Return the air that dry coolers take in at design, behind their pads where they have some."""
    given = section.rejection or RejectionSection()
    return design_air(given_pads(given), place.site.design, place.recirculation_k)


def tower_water(
    section: FacilityWaterSection, wanted_c: float, rise_k: float, place: WaterSite
) -> tuple[float, float]:
    """Return the range of the tower water, and the facility water that towers make with it.

    As stated, or that of the facility water. Where this misses the water wanted it is smaller, no
    smaller than the range of the correlation: more water through the towers comes closer to the
    wet bulb, and the exchanger, which has its approach at the cold end, has more at the other.
    Where that does not reach it either, towers that are alone to hold a stated supply or class come
    as close as they can; where chilled water takes the rest, it is so much that cells have the
    range of the correlation at the part of the heat that they take at design.
    """
    design = place.site.design
    if section.tower_range is not None:
        range_k = section.tower_range.si
        return range_k, _towers_make(place, design, range_k)
    whole_c = _towers_make(place, design, rise_k)
    least_k = table("cooling/cooling_tower_limits").get("YorkCalc").si("design_range_k")

    def warmer(range_k: float) -> float:
        return _towers_make(place, design, range_k) - wanted_c

    if whole_c <= wanted_c or rise_k <= least_k:
        return rise_k, whole_c
    if (missed_k := warmer(least_k)) > 0.0:
        range_k = least_k if _alone(section, place) else rise_k
        if _helped(section, place) and rise_k - missed_k > least_k:
            range_k = max(math.floor(10.0 * rise_k * least_k / (rise_k - missed_k)) / 10.0, least_k)
        return range_k, _towers_make(place, design, range_k)
    range_k = max(math.floor(10.0 * root_between(warmer, least_k, rise_k)) / 10.0, least_k)
    return range_k, _towers_make(place, design, range_k)


def _alone(section: FacilityWaterSection, place: WaterSite) -> bool:
    """Return whether towers have to hold a supply or class that is stated, and nothing helps."""
    stated = section.supply is not None or place.criteria.liquid_class_stated
    return stated and not _helped(section, place) and section.source in (None, "tower")


def _helped(section: FacilityWaterSection, place: WaterSite) -> bool:
    """Return whether chilled water may take what towers leave."""
    left_open = section.source is None and place.chilled_c is not None
    return left_open or section.source == "tower_and_chiller"


def _towers_make(place: WaterSite, weather: Weather, range_k: float) -> float:
    """Return the facility water that towers make behind their exchanger in some weather."""
    wet_c = weather.wet_bulb_c + place.recirculation_k
    approach_k = float(yorkcalc_approach.si(wet_c, range_k, place.tower_water, 1.0))
    return wet_c + approach_k + place.exchanger_k
