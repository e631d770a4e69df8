"""Heat sink of the facility water: as stated, or the simplest that maintains its supply."""

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
"""Maximum facility water of default selections: the warmest rack class."""
SOURCES: dict[str, WaterSource] = {
    "dry_cooler": "dry_cooler",
    "tower": "tower",
    "chilled_water": "chilled_water",
}


@dataclass(frozen=True)
class WaterSite:
    """Conditions of the heat sink: weather, class, and chilled water if there is a plant."""

    site: Site
    criteria: Criteria
    chilled_c: float | None
    recirculation_k: float
    pipes: HydraulicsPlan
    tower_water: float  # Rated water flow of tower cells over the correlation's flow
    exchanger_k: float  # Approach of the plate exchanger of the facility water


@dataclass(frozen=True)
class Way:
    """Heat sink of the facility water.

    `made_c` is the heat rejection supply at design weather without chilled water, `rise_k`
    the range of the facility water, `range_k` the tower water range. `maintained`: towers alone
    maintain the required supply.
    """

    source: WaterSource
    trim: bool
    made_c: float
    why: str
    rise_k: float
    range_k: float
    maintained: bool = True

    @property
    def name(self) -> str:
        """The heat sink as a project input."""
        return f"{self.source}_and_chiller" if self.trim else self.source

    @property
    def range_words(self) -> str:
        """Reason for the tower water range."""
        if self.range_k < self.rise_k and self.maintained:
            return f"towers alone maintain the supply with it, not with {self.rise_k:.1f} K"
        if self.range_k < self.rise_k and self.trim:
            return "usual cell range at their design share of the heat"
        if self.range_k < self.rise_k:
            return "closest approach of towers to the supply, without supplementary cooling"
        return "facility water range: equal flows in the exchanger"


def way_of(
    section: FacilityWaterSection,
    water_c: tuple[float, float],
    rise_k: float,
    conditions: WaterSite,
) -> Way:
    """Return the heat sink of the facility water: as stated, or the simplest sufficient one.

    Dry coolers if design air is cold enough, else towers. If these miss the supply at
    design weather but remove half of the heat in the mean year, chilled water supplements
    them; otherwise it removes all heat.

    water_c: Required facility water, and the maximum for the racks.
    rise_k: Rise of the facility water through CDUs and pumps.
    """
    required_c, max_c = water_c
    air_c = coil_air(section, conditions)
    dry_c = air_c + MIN_DRY_APPROACH_K
    range_k, tower_c = tower_water(section, required_c, rise_k, conditions)
    water = rise_k, range_k, tower_c <= required_c
    if section.source == "dry_cooler":
        dry_c = max(min(dry_c, max_c), air_c)
    if section.source is not None:
        name, _, trim = section.source.partition("_and_")
        made = {"dry_cooler": dry_c, "tower": tower_c, "chilled_water": -math.inf}
        source = SOURCES[name]
        return Way(source, bool(trim), -math.inf if trim else made[source], "as stated", *water)
    if dry_c <= required_c:
        why = f"{air_c:.1f} degC design air leaves a 3 K approach"
        return Way("dry_cooler", False, dry_c, why, *water)
    if tower_c <= required_c:
        why = f"design air is too warm ({air_c:.1f} degC); towers reach {tower_c:.1f} degC"
        return Way("tower", False, tower_c, why, *water)
    why = f"dry coolers ({air_c:.1f} degC air) and towers ({tower_c:.1f} degC) miss it at design"
    if conditions.chilled_c is None:
        return Way("tower", False, tower_c, f"{why}; there is no chilled water", *water)
    mean = conditions.site.mean
    if mean is None or _towers_make(conditions, mean, 0.5 * range_k) <= required_c + 0.5 * rise_k:
        why += ", but remove most of the heat in the mean year: chilled water supplements"
        return Way("tower", True, -math.inf, why, *water)
    return Way("chilled_water", False, -math.inf, f"{why}, nor in the mean year", *water)


def coil_air(section: FacilityWaterSection, conditions: WaterSite) -> float:
    """Return the dry cooler coil air at design, downstream of pads if any."""
    given = section.rejection or RejectionSection.unstated()
    return design_air(given_pads(given), conditions.site.design, conditions.recirculation_k)


def tower_water(
    section: FacilityWaterSection, required_c: float, rise_k: float, conditions: WaterSite
) -> tuple[float, float]:
    """Return the range of the tower water, and the resulting facility water from towers.

    As stated, or the facility water range. If this misses the required supply it is smaller, at
    least the range of the correlation: higher tower flow gives a closer approach to the
    wet bulb; the exchanger has its approach at the cold end, and a larger one at the hot end.
    If that is not sufficient either, towers alone on a stated supply or class operate
    at the closest approach; with supplementary chilled water, cells have the
    range of the correlation at their design share of the heat.
    """
    design = conditions.site.design
    if section.tower_range is not None:
        range_k = section.tower_range.si
        return range_k, _towers_make(conditions, design, range_k)
    whole_c = _towers_make(conditions, design, rise_k)
    min_k = table("cooling/cooling_tower_limits").get("YorkCalc").si("design_range_k")

    def warmer(range_k: float) -> float:
        return _towers_make(conditions, design, range_k) - required_c

    if whole_c <= required_c or rise_k <= min_k:
        return rise_k, whole_c
    if (missed_k := warmer(min_k)) > 0.0:
        range_k = min_k if _alone(section, conditions) else rise_k
        if _helped(section, conditions) and rise_k - missed_k > min_k:
            range_k = max(math.floor(10.0 * rise_k * min_k / (rise_k - missed_k)) / 10.0, min_k)
        return range_k, _towers_make(conditions, design, range_k)
    range_k = max(math.floor(10.0 * root_between(warmer, min_k, rise_k)) / 10.0, min_k)
    return range_k, _towers_make(conditions, design, range_k)


def _alone(section: FacilityWaterSection, conditions: WaterSite) -> bool:
    """Return whether towers alone must maintain a stated supply or class."""
    stated = section.supply is not None or conditions.criteria.liquid_class_stated
    return stated and not _helped(section, conditions) and section.source in (None, "tower")


def _helped(section: FacilityWaterSection, conditions: WaterSite) -> bool:
    """Return whether chilled water may supplement the towers."""
    unspecified = section.source is None and conditions.chilled_c is not None
    return unspecified or section.source == "tower_and_chiller"


def _towers_make(conditions: WaterSite, weather: Weather, range_k: float) -> float:
    """Return the facility water from towers and exchanger in a given weather."""
    wet_c = weather.wet_bulb_c + conditions.recirculation_k
    approach_k = float(yorkcalc_approach.si(wet_c, range_k, conditions.tower_water, 1.0))
    return wet_c + approach_k + conditions.exchanger_k
