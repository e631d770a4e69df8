"""The year against what others found: the published bands of its climate zone and system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from facility.catalogue import Row, table
from facility.core.check import Check
from facility.core.views import show
from facility.model.facility import Facility
from facility.study.annual.reasons import BesideSamples, explained, group_shares
from facility.study.annual.result import Year
from facility.study.annual.zone import ClimateZones, climate_zones
from facility.study.rules import RULES
from facility.study.studies import Designed

_BANDS = "cooling/pue_wue_quantiles_lei_2025"
_MOSTLY = 0.5
"""Part of the IT heat from which the samples with liquid cooling are the like."""
_PER_M3_J = "water_per_energy"
_LEAST_PUE, _LEAST_WUE_M3_J = 5e-4, 5e-3 / 3.6e9


def band_checks(year: Year, design: Designed) -> Iterator[Check]:
    """Yield how PUE and WUE of a year stand to the samples of its zone and system, of all sizes.

    One outside is flagged with what explains it, or as unexplained, and never refused: warm water
    without chillers is rightly below, a nearly empty hall rightly above.
    """
    zones, kind = climate_zones(design.facility.site, year.hours), _system(year, design.facility)
    rows = _samples(zones, kind)
    if not rows:
        why = f"no samples of {', '.join(kind)} in {zones.words}"
        yield from (
            rule.not_evaluated("facility", why) for rule in (RULES["PUE-BAND"], RULES["WUE-BAND"])
        )
        return
    liquid = kind[0] == "IT Liquid cooling"
    sizes = frozenset(str(row["size"]) for row in rows)
    outside = BesideSamples(design, year, sizes, liquid, *_large(zones))
    words = f"in {zones.words}, {', '.join(kind)}"
    words += f"; zone {zones.how}" if zones.how else ""
    yield _pue(outside, rows, words)
    yield _wue(outside, rows, words)


def _pue(outside: BesideSamples, rows: Sequence[Row], words: str) -> Check:
    low, high = _band(rows, "pue")
    pue = _pue_of(outside.year)
    why = f"{pue:.3f}; {low:.3f} to {high:.3f} {words}"
    if low <= pue <= high:
        return RULES["PUE-BAND"].verdict("facility", True, why)
    reasons = outside.higher_pue() if pue > high else outside.lower_pue()
    gap = max(pue - high, low - pue)
    why += f": {explained(gap, reasons, _LEAST_PUE, lambda x: f'{x:.3f}')}"
    return RULES["PUE-BAND"].verdict("facility", False, f"{why}. {_facts(outside)}")


def _wue(outside: BesideSamples, rows: Sequence[Row], words: str) -> Check:
    low, high = _band(rows, "wue")
    year, pue = outside.year, _pue_of(outside.year)
    wue = year.hours.total(year.water.makeup_m3_s) / year.hours.total(year.power_w["it"])
    why = f"{_litres(wue)}; {_litres(low)} to {_litres(high)} {words}"
    if low <= wue <= high:
        return RULES["WUE-BAND"].verdict("facility", True, why)
    least, most = _band(rows, "pue")
    if wue > high:
        gap, reasons = wue - high, outside.higher_wue(max(pue / most, 1.0))
    else:
        gap, reasons = low - wue, outside.lower_wue(min(pue / least, 1.0))
    outdoors = year.hours.total(year.water.makeup_m3_s - year.water.humidifiers_m3_s)
    words = explained(gap, reasons, _LEAST_WUE_M3_J, _litres)
    why += f": {words if outdoors else 'there are no towers and no pads'}"
    return RULES["WUE-BAND"].verdict("facility", False, why)


@lru_cache(maxsize=32)
def _samples(zones: ClimateZones, kind: tuple[str, ...]) -> tuple[Row, ...]:
    """Return the samples of such plants in the zones."""
    return tuple(
        row
        for row in table(_BANDS).rows
        if zones.holds(str(row["climate_zone"])) and _alike(str(row["cooling_system"]), kind)
    )


@lru_cache(maxsize=32)
def _large(zones: ClimateZones) -> tuple[float, float]:
    """Return how far large samples lie below midsize ones, PUE and WUE, of one kind in all zones.

    Waterside economizers are the kind that both sizes have samples of.
    """
    found = {
        (row.text("size"), row.text("climate_zone")): row
        for row in _samples(zones, ("Waterside economizer",))
    }
    middle = [
        [found["Midsize", zone].si(key) - row.si(key) for key in ("pue_p50", "wue_p50")]
        for (size, zone), row in found.items()
        if size == "Large-scale"
    ]
    pue, wue = (sum(column) / len(middle) for column in zip(*middle, strict=True))
    return pue, wue


def _band(rows: Sequence[Row], name: str) -> tuple[float, float]:
    """Return the lowest and the highest of the samples, in SI."""
    low, high = (f"{name}_p{percent}" for percent in (5, 95))
    return min(row.si(low) for row in rows), max(row.si(high) for row in rows)


def _litres(wue_m3_j: float) -> str:
    return show(wue_m3_j, _PER_M3_J)


def _pue_of(year: Year) -> float:
    return float(year.facility_w.sum() / year.power_w["it"].sum())


def _system(year: Year, facility: Facility) -> tuple[str, ...]:
    """Return the words by which the samples name such a plant."""
    chain, sink = facility.cooling, facility.cooling.chilled_water.sink.kind
    if _liquid_share(year) > _MOSTLY:
        return ("IT Liquid cooling",)
    if chain.chilled_water.direct:
        return ("Direct expansion",)
    cooled = "water-cooled chiller" if sink == "tower" else "air-cooled chiller"
    if chain.economizer.on_air:
        return "Airside economizer", cooled
    if sink == "dry_cooler":
        return ("Dry cooler",)
    if chain.economizer.on_water and sink == "tower":
        return "Waterside economizer", cooled
    return (cooled.capitalize(),)


def _alike(system: str, kind: tuple[str, ...]) -> bool:
    """Return whether samples are of a plant; a chiller alone is not one behind an economizer."""
    return system.startswith(kind[0]) and all(word in system for word in kind)


def _liquid_share(year: Year) -> float:
    heat = year.balance.heat
    whole = year.hours.total(heat.air_it_w) + year.hours.total(heat.liquid_it_w)
    return year.hours.total(heat.liquid_it_w) / whole


def _facts(outside: BesideSamples) -> str:
    """Return what the samples may differ in, of this facility."""
    year, facility = outside.year, outside.design.facility
    return (
        f"{group_shares(outside.shares, year.groups[1:]).capitalize()} of the IT; "
        f"compressors {outside.shares.get('cooling.chillers', 0.0):.1%}; "
        f"{_liquid_share(year):.0%} of its heat in coolant; supply air of "
        f"{facility.cooling.crah.supply_air_c:g} degC"
    )
