"""Source of the facility water and range of its towers, worked once more over a grid of weather.

The leaving water of a tower is that of YorkCalc's polynomial, summed term by term; ranges are
tried one tenth of a kelvin after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from random import Random
from types import SimpleNamespace
from typing import Any

from facility.model.facility import Weather
from facility.model.inputs.cooling.liquid import FacilityWaterSection
from facility.study.resolve.cooling.water_source import WaterSite, tower_water, way_of
from tests.results.second import _york, differs

_LEAST_K = 5.5556
"""Range of YorkCalc at its design point, 10 degF."""
_CASES = 160
_WARMER_K, _RATIO, _BEHIND_K = 0.5, 1.1, 2.0
_STATED: tuple[dict[str, str], ...] = (
    {}, {"source": "tower"}, {"source": "tower_and_chiller"}, {"supply": "30 degC"},
    {"source": "dry_cooler"}, {"source": "chilled_water"}, {"tower_range": "4 K"},
    {"source": "dry_cooler_and_chiller"},
)  # fmt: skip


def _made(wet_c: float, range_k: float) -> float:
    wet_c += _WARMER_K
    return wet_c + _york(wet_c, range_k, _RATIO) + _BEHIND_K


def _range(stated: dict[str, str], wet_c: float, required_c: float, rise_k: float,
           chilled: bool) -> float:  # fmt: skip
    """Return the largest range that holds the supply, or what is used where none does."""
    if "tower_range" in stated:
        return 4.0
    if _made(wet_c, rise_k) <= required_c or rise_k <= _LEAST_K:
        return rise_k
    missed = _made(wet_c, _LEAST_K) - required_c
    source = stated.get("source")
    helped = source == "tower_and_chiller" or (source is None and chilled)
    if missed > 0.0:
        if helped and missed < rise_k - _LEAST_K:
            share = (rise_k - missed) / rise_k  # Of the heat, at the range of the cells
            return max(math.floor(10.0 * _LEAST_K / share) / 10.0, _LEAST_K)
        alone = "supply" in stated and not helped and source in (None, "tower")
        return _LEAST_K if alone else rise_k
    tenth = math.floor(10.0 * rise_k)
    while tenth / 10.0 > _LEAST_K and _made(wet_c, tenth / 10.0) > required_c:
        tenth -= 1
    return max(tenth / 10.0, _LEAST_K)


def _way(stated: dict[str, str], dry_c: float, made_c: float, limits: tuple[float, float],
         chilled: bool, mean: bool) -> tuple[str, bool, float]:  # fmt: skip
    """Return source, whether chilled water trims it, and the water made without that.

    mean: Whether towers make the mean year's water at half of the heat.
    """
    required_c, most_c = limits
    cooler_c = dry_c + 3.0
    if "source" in stated:
        name, _, trim = stated["source"].partition("_and_")
        if trim or name == "chilled_water":
            return name, bool(trim), -math.inf
        if name == "tower":
            return name, False, made_c
        return name, False, max(min(cooler_c, most_c), dry_c)
    if cooler_c <= required_c:
        return "dry_cooler", False, cooler_c
    if made_c <= required_c or not chilled:
        return "tower", False, made_c
    return ("tower", True, -math.inf) if mean else ("chilled_water", False, -math.inf)


def sources_of_the_water() -> Iterator[str]:
    """Source, range, water made: for every weather, supply, rise, and what the project states."""
    grid = product(
        _STATED, ((22.0, 15.0), (30.0, 21.0), (38.0, 27.0)), (24.5, 28.0, 32.0, 42.0),
        (5.0, 8.0, 14.0), (7.0, None), (12.0, 24.0, 29.0),
    )  # fmt: skip
    some = Random(3).sample([*grid], _CASES)
    for stated, (dry_c, wet_c), required_c, rise_k, chilled_c, mean_c in some:
        section = FacilityWaterSection.model_validate(stated)
        site = SimpleNamespace(
            design=Weather(dry_c, wet_c, 101325.0), mean=Weather(mean_c + 5.0, mean_c, 101325.0)
        )
        criteria = SimpleNamespace(liquid_class_stated=False)
        conditions: Any = WaterSite(
            site, criteria, chilled_c, _WARMER_K, None, _RATIO, _BEHIND_K,  # type: ignore[arg-type]
        )  # fmt: skip
        at = f"{stated}, {dry_c}/{wet_c} degC, {required_c} degC by {rise_k} K, mean {mean_c}"
        range_k = _range(stated, wet_c, required_c, rise_k, chilled_c is not None)
        made_c = _made(wet_c, range_k)
        shown = tower_water(section, required_c, rise_k, conditions)
        if abs(shown[0] - range_k) > 1e-4:
            yield f"{at}: range {shown[0]!r}, by hand {range_k!r}"
            continue
        yield from differs(f"{at}: water made", shown[1], made_c, 1e-5)
        way = way_of(section, (required_c, required_c + 2.0), rise_k, conditions)
        enough = _made(mean_c, 0.5 * range_k) <= required_c + 0.5 * rise_k
        limits = required_c, required_c + 2.0
        wanted = _way(stated, dry_c + _WARMER_K, made_c, limits, chilled_c is not None, enough)
        if (way.source, way.trim) != wanted[:2]:
            yield f"{at}: {way.source}, {way.trim}; by hand {wanted}"
        elif math.isfinite(wanted[2]) or math.isfinite(way.made_c):
            yield from differs(f"{at}: water", way.made_c, wanted[2], 1e-5)
        if (way.rise_k, way.range_k, way.maintained) != (rise_k, shown[0], shown[1] <= required_c):
            yield f"{at}: {way}"
