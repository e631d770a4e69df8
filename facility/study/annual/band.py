"""Annual PUE and WUE vs. published ranges of the climate zone and system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from facility.catalogue import Row, table
from facility.catalogue.loader import per_catalogue
from facility.core.check import Check
from facility.core.kinds import FloatArray
from facility.core.views import show
from facility.model.facility import Facility
from facility.study.annual.hours import of_group, power_by_part
from facility.study.annual.result import Year
from facility.study.annual.zone import ClimateZones, climate_zones
from facility.study.loop import Sized, balance
from facility.study.rules import RULES
from facility.study.studies import StudyContext

_UPS_EFFICIENCY = 0.945
"""Central UPS efficiency of the samples of large plants (lei-masanet-2022)."""
_CYCLES = 9.0
"""Central value of their cycles of concentration."""
_RATED_C = 6.7
"""Leaving chilled water at which AHRI 550/590 rates chillers (unverified)."""
_LARGE_W = 1e6
"""IT load from which a plant is compared with large ones (a rule of this tool)."""
_LATENT_J_M3 = 2.45e9
"""Latent heat of evaporation per volume of water."""
_SMALLER = {"Small", "Midsize"}


@dataclass(frozen=True)
class Reason:
    """A difference between a plant and the samples."""

    by: float  # Effect on the figure
    words: str


@dataclass(frozen=True, eq=False)
class BenchmarkComparison:
    """Comparison of a year with the published samples of its plant type."""

    design: StudyContext
    year: Year
    sizes: frozenset[str]  # Size classes of the samples
    liquid_samples: bool  # Whether the samples are of liquid cooling
    # Median of large samples below that of midsize ones, same plant type and zones: PUE, WUE
    # [m3/J].
    large_pue: float
    large_wue: float

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Annual energy of each part divided by the IT energy."""
        return _shares(self.year.power_w)

    @cached_property
    def full(self) -> Mapping[str, float]:
        """The same with full IT load throughout the year."""
        design, hours = self.design, self.year.hours
        sized = Sized(design.chain, design.cooling)
        found = balance(design.facility, design.it, sized, hours.weather, 1.0)
        return _shares(power_by_part(found, hours))

    def higher_pue(self) -> Iterator[Reason]:
        """Yield why the PUE is above the samples."""
        load, whole = self.design.facility.load.mean, sum(self.full.values())
        words = f"IT load factor {load:.0%}: at full load the PUE is {whole:.3f}"
        yield Reason(sum(self.shares.values()) - whole, words)
        lost = self.full.get("losses.ups", 0.0)
        yield Reason(lost - _ups_middle(), self._ups(lost, "at full load"))
        yield Reason(self.full.get("cooling.humidification", 0.0), "humidification")
        if self.sizes.isdisjoint(_SMALLER):
            yield Reason(self.large_pue, self._of_sizes("midsize", "higher"))

    def lower_pue(self) -> Iterator[Reason]:
        """Yield why the PUE is below the samples."""
        lost = self.shares.get("losses.ups", 0.0)
        yield Reason(_ups_middle() - lost, self._ups(lost, "in the year"))
        yield from self._warm_water()
        heat, hours = self.year.balance.heat, self.year.hours
        liquid, air = hours.total(heat.liquid_it_w), hours.total(heat.air_it_w)
        fans = self.shares.get("cooling.crah_fans", 0.0)
        if liquid and air and not self.liquid_samples:
            part = liquid / (liquid + air)
            yield Reason(fans * liquid / air, f"{part:.0%} of the IT heat bypasses the hall fans")
        if self._larger:
            yield Reason(self.large_pue, self._of_sizes("large", "lower"))

    def _of_sizes(self, others: str, how: str) -> str:
        sizes = " and ".join(sorted(self.sizes)).lower()
        return (
            f"samples of this plant type cover {sizes} data centres only; {others} data centres "
            f"with a waterside economizer are {how} by this amount"
        )

    @property
    def _larger(self) -> bool:
        """Whether the samples cover smaller plants only."""
        return self.sizes <= _SMALLER and self.design.it.it_w >= _LARGE_W

    def _warm_water(self) -> Iterator[Reason]:
        chillers, plant = self.shares.get("cooling.chillers", 0.0), self.year.chillers
        warmer_k = plant.plan.supply_c - _RATED_C
        if chillers and plant.lift_k > 0.0 and not plant.plan.direct:
            words = (
                f"chilled water at {plant.plan.supply_c:g} °C; chillers are rated at {_RATED_C:g}"
            )
            yield Reason(chillers * warmer_k / plant.lift_k, words)

    def _ups(self, lost: float, when: str) -> str:
        scheme = self.design.chain.chain.scheme.name
        return (
            f"{scheme} UPS losses {lost:.1%} of the IT energy {when}; {_ups_middle():.1%} at "
            f"{_UPS_EFFICIENCY:.1%} efficiency, the central value of large samples"
        )

    def higher_wue(self, over_pue: float) -> Iterator[Reason]:
        """Yield why water use is above the samples; `over_pue`: PUE divided by their maximum."""
        yield from self._cycles(1.0)
        yield from self._other_heat(over_pue, "above")

    def lower_wue(self, under_pue: float) -> Iterator[Reason]:
        """Yield why water use is below the samples; `under_pue`: PUE divided by their minimum."""
        yield from self._cycles(-1.0)
        yield from self._other_heat(under_pue, "below")
        if self._larger:
            yield Reason(self.large_wue, self._of_sizes("large", "lower"))
        yield from self._warm_air()

    def _cycles(self, sense: float) -> Iterator[Reason]:
        evaporated = self._per_it(self.year.water.towers.evaporation_m3_s)
        cycles = self.design.facility.cooling.chilled_water.sink.cycles
        if evaporated and cycles > 1.0:
            by = evaporated * (1.0 / (cycles - 1.0) - 1.0 / (_CYCLES - 1.0)) * sense
            yield Reason(
                by, f"{cycles:g} cycles of concentration, {_CYCLES:g} central value of the samples"
            )

    def _other_heat(self, ratio: float, how: str) -> Iterator[Reason]:
        """Yield the water due to the heat added or saved by a PUE outside the samples."""
        water = self._per_it(self.year.water.makeup_m3_s)
        more = how == "above"
        if (ratio > 1.0) == more and ratio != 1.0:
            yield Reason(abs(water - water / ratio), f"PUE and heat rejected are {how} the samples")

    def _warm_air(self) -> Iterator[Reason]:
        """Yield the water saved by sensible heat transfer to the tower air."""
        water, hours = self.year.water, self.year.hours
        evaporated = hours.total(water.towers.evaporation_m3_s) * _LATENT_J_M3
        rejected = hours.total(self.year.balance.cooling.rejected_w)
        if evaporated and rejected > evaporated:
            part = 1.0 - evaporated / rejected
            words = f"towers reject {part:.0%} of the heat as sensible heat, without evaporation"
            yield Reason(self._per_it(water.makeup_m3_s) * part / (1.0 - part), words)

    def _per_it(self, rate_m3_s: FloatArray) -> float:
        hours = self.year.hours
        return hours.total(rate_m3_s) / hours.total(self.year.power_w["it"])


def explained(
    gap: float, reasons: Iterable[Reason], minimum: float, show: Callable[[float], str]
) -> str:
    """Return how far a figure is outside the range, and the explanation if there is one.

    reasons: Possible reasons; an opposite effect, or one below `minimum`, is ignored.
    """
    found = sorted((x for x in reasons if x.by >= minimum), key=lambda reason: -reason.by)
    if not found:
        return f"{show(gap)} outside the range, unexplained"
    listed = "; ".join(f"{x.words} ({show(x.by)})" for x in found)
    rest = gap - sum(reason.by for reason in found)
    if rest <= 0.0:
        return f"{show(gap)} outside the range, explained by: {listed}"
    return f"{show(gap)} outside the range, partly explained: {listed}; {show(rest)} unexplained"


def _ups_middle() -> float:
    return 1.0 / _UPS_EFFICIENCY - 1.0


def _shares(power_w: Mapping[str, FloatArray]) -> dict[str, float]:
    it_w = float(power_w["it"].sum())
    return {id: float(power_w[id].sum()) / it_w for id in power_w}


def group_shares(shares: Mapping[str, float], groups: Iterable[str]) -> str:
    """Return the energy of groups of parts relative to the IT energy, as text."""
    sums = {group: sum(shares[id] for id in of_group(shares, group)) for group in groups}
    names = {"house": "building load"}
    return ", ".join(f"{names.get(group, group)} {share:.1%}" for group, share in sums.items())


_BANDS = "cooling/pue_wue_quantiles_lei_2025"
_MOSTLY = 0.5
"""Share of the IT heat to liquid from which the liquid-cooling samples apply."""
_PER_M3_J = "water_per_energy"
_MIN_PUE, _MIN_WUE_M3_J = 5e-4, 5e-3 / 3.6e9


def band_checks(year: Year, design: StudyContext) -> Iterator[Check]:
    """Yield the checks of PUE and WUE vs. the samples of the climate zone and system, all sizes.

    A value outside is reported with its explanation, or as unexplained, and never rejected: warm
    water without chillers is correctly below, a nearly empty hall correctly above.
    """
    zones, kind = climate_zones(design.facility.site, year.hours), _system(year, design.facility)
    rows = _samples(zones, kind)
    if not rows:
        why = f"no published samples of {', '.join(kind)} in {zones.words}"
        yield from (
            rule.not_evaluated("facility", why) for rule in (RULES["PUE-BAND"], RULES["WUE-BAND"])
        )
        return
    liquid = kind[0] == "IT Liquid cooling"
    sizes = frozenset(str(row["size"]) for row in rows)
    outside = BenchmarkComparison(design, year, sizes, liquid, *_large(zones))
    words = f"in {zones.words}, {', '.join(kind)}"
    words += f"; zone {zones.how}" if zones.how else ""
    yield _pue(outside, rows, words)
    yield _wue(outside, rows, words)


def _pue(outside: BenchmarkComparison, rows: Sequence[Row], words: str) -> Check:
    low, high = _band(rows, "pue")
    pue = _pue_of(outside.year)
    why = f"{pue:.3f}; {low:.3f} to {high:.3f} {words}"
    if low <= pue <= high:
        return RULES["PUE-BAND"].verdict("facility", True, why)
    reasons = outside.higher_pue() if pue > high else outside.lower_pue()
    gap = max(pue - high, low - pue)
    why += f": {explained(gap, reasons, _MIN_PUE, lambda x: f'{x:.3f}')}"
    return RULES["PUE-BAND"].verdict("facility", False, f"{why}. {_facts(outside)}")


def _wue(outside: BenchmarkComparison, rows: Sequence[Row], words: str) -> Check:
    low, high = _band(rows, "wue")
    year, pue = outside.year, _pue_of(outside.year)
    wue = year.hours.total(year.water.makeup_m3_s) / year.hours.total(year.power_w["it"])
    why = f"{_litres(wue)}; {_litres(low)} to {_litres(high)} {words}"
    if low <= wue <= high:
        return RULES["WUE-BAND"].verdict("facility", True, why)
    pue_min, pue_max = _band(rows, "pue")
    if wue > high:
        gap, reasons = wue - high, outside.higher_wue(max(pue / pue_max, 1.0))
    else:
        gap, reasons = low - wue, outside.lower_wue(min(pue / pue_min, 1.0))
    outdoors = year.hours.total(year.water.makeup_m3_s - year.water.humidifiers_m3_s)
    words = explained(gap, reasons, _MIN_WUE_M3_J, _litres)
    why += f": {words if outdoors else 'no towers and no wetted pads'}"
    return RULES["WUE-BAND"].verdict("facility", False, why)


@per_catalogue(32)
def _samples(zones: ClimateZones, kind: tuple[str, ...]) -> tuple[Row, ...]:
    """Return the samples of a plant type in the zones."""
    return tuple(
        row
        for row in table(_BANDS).rows
        if zones.holds(str(row["climate_zone"]))
        and _matches_plant(str(row["cooling_system"]), kind)
    )


@per_catalogue(32)
def _large(zones: ClimateZones) -> tuple[float, float]:
    """Return the PUE and WUE difference of large and midsize samples, same plant type, all zones.

    Only waterside economizers have samples of both sizes.
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
    """Return the minimum and maximum of the samples, in SI."""
    low, high = (f"{name}_p{percent}" for percent in (5, 95))
    return min(row.si(low) for row in rows), max(row.si(high) for row in rows)


def _litres(wue_m3_j: float) -> str:
    return show(wue_m3_j, _PER_M3_J)


def _pue_of(year: Year) -> float:
    return float(year.facility_w.sum() / year.power_w["it"].sum())


def _system(year: Year, facility: Facility) -> tuple[str, ...]:
    """Return the terms by which the samples name the plant type."""
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


def _matches_plant(system: str, kind: tuple[str, ...]) -> bool:
    """Return whether samples match a plant type; a chiller only does not match an economizer."""
    return system.startswith(kind[0]) and all(word in system for word in kind)


def _liquid_share(year: Year) -> float:
    heat = year.balance.heat
    whole = year.hours.total(heat.air_it_w) + year.hours.total(heat.liquid_it_w)
    return year.hours.total(heat.liquid_it_w) / whole


def _facts(outside: BenchmarkComparison) -> str:
    """Return the facts of this facility that may differ from the samples."""
    year, facility = outside.year, outside.design.facility
    return (
        f"{group_shares(outside.shares, year.groups[1:]).capitalize()} of the IT energy; "
        f"compressors {outside.shares.get('cooling.chillers', 0.0):.1%}; "
        f"{_liquid_share(year):.0%} of the IT heat to coolant; supply air at "
        f"{facility.cooling.crah.supply_air_c:g} °C"
    )
