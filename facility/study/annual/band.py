"""The year against what others found: the published band of its climate zone and system."""

from __future__ import annotations

from facility.catalogue import table
from facility.core.check import Check, Rule, Severity
from facility.core.sources import Source
from facility.model.facility import Facility, Site
from facility.study.annual.result import Year

_BANDS, _STATIONS = "cooling/pue_wue_quantiles_lei_2025", "weather/stations"
_MOSTLY = 0.5
"""Part of the IT heat from which the samples with liquid cooling are the like."""
PUE_BAND = Rule(
    "PUE-BAND",
    "PUE of the year within the published band (5 to 95 %) of its climate zone and kind of plant",
    Severity.ADVICE,
    Source("lei-2025", "quantiles over published samples", "2025", "computed"),
    "Look for what sets it apart; the samples are of facilities of all ages.",
)


def band_check(year: Year, facility: Facility) -> Check:
    """Return how the PUE of a year stands to the samples of its zone and system, of all sizes.

    A PUE outside is flagged with what sets it apart, and never refused: warm water without chillers
    is rightly below, a nearly empty hall rightly above.
    """
    zone = climate_zone(facility.site)
    if zone is None:
        return PUE_BAND.not_evaluated("facility", "the climate zone of the record is not known")
    kind = _system(year, facility)
    rows = [
        row
        for row in table(_BANDS).rows
        if row["climate_zone"] == zone and _alike(str(row["cooling_system"]), kind)
    ]
    if not rows:
        return PUE_BAND.not_evaluated("facility", f"no samples of {', '.join(kind)} in zone {zone}")
    low = min(row.si("pue_p5") for row in rows)
    high = max(row.si("pue_p95") for row in rows)
    pue = float(year.facility_w.sum() / year.power_w["it"].sum())
    words = f"{pue:.3f}; {low:.3f} to {high:.3f} in zone {zone}, {', '.join(kind)}"
    if not low <= pue <= high:
        words += f": {_facts(year, facility)}"
    return PUE_BAND.verdict("facility", low <= pue <= high, words)


def climate_zone(site: Site) -> str | None:
    """Return the climate zone of the record of a site; None where it is not carried."""
    record, stations = site.record, table(_STATIONS)
    if record is None or (record.name,) not in stations.index:
        return None
    return stations.get(record.name).text("climate_zone")


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


def _facts(year: Year, facility: Facility) -> str:
    """Return what the samples may differ in, of this facility."""
    it_j = year.hours.total(year.power_w["it"])
    parts = {group: year.hours.total(year.group_w(group)) / it_j for group in year.groups[1:]}
    said = ", ".join(f"{group} {share:.1%}" for group, share in parts.items())
    return (
        f"{said} of the IT; {_liquid_share(year):.0%} of its heat in coolant; supply air of "
        f"{facility.cooling.crah.supply_air_c:g} degC"
    )
