"""Why a year lies outside the samples: what the parts of the design put to it, in PUE or WUE."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from facility.core.kinds import FloatArray
from facility.study.annual.power import of_group, power_by_part
from facility.study.annual.result import Year
from facility.study.loop import Sized, balance
from facility.study.studies import Designed

_UPS_EFFICIENCY = 0.945
"""Middle of the UPS efficiencies of the samples of large plants (lei-masanet-2022)."""
_CYCLES = 9.0
"""Middle of their cycles of concentration."""
_RATED_C = 6.7
"""Leaving chilled water at which AHRI 550/590 rates chillers (recalled)."""
_LARGE_W = 1e6
"""IT load from which a plant is like large ones (a rule of this tool)."""
_LATENT_J_M3 = 2.45e9
"""Heat that a volume of water takes when it evaporates."""
_SMALLER = {"Small", "Midsize"}


@dataclass(frozen=True)
class Reason:
    """Something that sets a plant apart from the samples."""

    by: float  # How far it moves the figure
    words: str


@dataclass(frozen=True, eq=False)
class BesideSamples:
    """A year beside the samples of its kind of plant."""

    design: Designed
    year: Year
    sizes: frozenset[str]  # Size classes of the samples
    liquid_samples: bool  # Whether the samples are of liquid cooling
    # How far large samples lie below midsize ones of one kind of plant and the same zones, by
    # their medians: PUE and WUE [m3/J].
    large_pue: float
    large_wue: float

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Energy of each part of the year over that of the IT."""
        return _shares(self.year.power_w)

    @cached_property
    def full(self) -> Mapping[str, float]:
        """The same with the IT at its full load through the year."""
        design, hours = self.design, self.year.hours
        sized = Sized(design.chain, design.cooling)
        found = balance(design.facility, design.it, sized, hours.weather, 1.0)
        return _shares(power_by_part(found, hours))

    def higher_pue(self) -> Iterator[Reason]:
        """Yield why the PUE is above the samples."""
        load, whole = self.design.facility.load.mean, sum(self.full.values())
        words = f"IT at {load:.0%} of its load: at full load the PUE is {whole:.3f}"
        yield Reason(sum(self.shares.values()) - whole, words)
        lost = self.full.get("losses.ups", 0.0)
        yield Reason(lost - _ups_middle(), self._ups(lost, "at full load"))
        yield Reason(self.full.get("cooling.humidification", 0.0), "humidification")
        if self.sizes.isdisjoint(_SMALLER):
            yield Reason(self.large_pue, self._of_sizes("midsize ones", "above"))

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
            yield Reason(fans * liquid / air, f"{part:.0%} of the IT heat needs no fans of halls")
        if self._larger:
            yield Reason(self.large_pue, self._of_sizes("large ones", "below"))

    def _of_sizes(self, others: str, how: str) -> str:
        sizes = " and ".join(sorted(self.sizes)).lower()
        return (
            f"samples of such plants are of {sizes} data centers alone; {others} with a "
            f"waterside economizer are so far {how} them"
        )

    @property
    def _larger(self) -> bool:
        """Whether the samples are of smaller plants alone."""
        return self.sizes <= _SMALLER and self.design.it.it_w >= _LARGE_W

    def _warm_water(self) -> Iterator[Reason]:
        chillers, plant = self.shares.get("cooling.chillers", 0.0), self.year.chillers
        warmer_k = plant.plan.supply_c - _RATED_C
        if chillers and plant.lift_k > 0.0 and not plant.plan.direct:
            words = (
                f"chilled water of {plant.plan.supply_c:g} degC; chillers are rated at {_RATED_C:g}"
            )
            yield Reason(chillers * warmer_k / plant.lift_k, words)

    def _ups(self, lost: float, when: str) -> str:
        scheme = self.design.chain.chain.scheme.name
        return (
            f"{scheme} UPS lose {lost:.1%} of the IT {when}; at {_UPS_EFFICIENCY:.1%}, the middle "
            f"of large samples, {_ups_middle():.1%}"
        )

    def higher_wue(self, over_pue: float) -> Iterator[Reason]:
        """Yield why there is more water than in the samples; `over_pue`: PUE over their highest."""
        yield from self._cycles(1.0)
        yield from self._other_heat(over_pue, "above")

    def lower_wue(self, under_pue: float) -> Iterator[Reason]:
        """Yield why there is less water than in the samples; `under_pue`: PUE over their lowest."""
        yield from self._cycles(-1.0)
        yield from self._other_heat(under_pue, "below")
        if self._larger:
            yield Reason(self.large_wue, self._of_sizes("large ones", "below"))
        yield from self._warm_air()

    def _cycles(self, sense: float) -> Iterator[Reason]:
        evaporated = self._per_it(self.year.water.towers.evaporation_m3_s)
        cycles = self.design.facility.cooling.chilled_water.sink.cycles
        if evaporated and cycles > 1.0:
            by = evaporated * (1.0 / (cycles - 1.0) - 1.0 / (_CYCLES - 1.0)) * sense
            yield Reason(
                by, f"{cycles:g} cycles of concentration, {_CYCLES:g} in the middle of them"
            )

    def _other_heat(self, ratio: float, how: str) -> Iterator[Reason]:
        """Yield the water of the heat that a PUE beyond the samples adds or spares."""
        water = self._per_it(self.year.water.makeup_m3_s)
        more = how == "above"
        if (ratio > 1.0) == more and ratio != 1.0:
            yield Reason(abs(water - water / ratio), f"the PUE is {how} theirs: so is the heat")

    def _warm_air(self) -> Iterator[Reason]:
        """Yield the water that is not needed since the air of the towers takes heat by itself."""
        water, hours = self.year.water, self.year.hours
        evaporated = hours.total(water.towers.evaporation_m3_s) * _LATENT_J_M3
        rejected = hours.total(self.year.balance.cooling.rejected_w)
        if evaporated and rejected > evaporated:
            part = 1.0 - evaporated / rejected
            words = f"the air of the towers takes {part:.0%} of the heat without evaporation"
            yield Reason(self._per_it(water.makeup_m3_s) * part / (1.0 - part), words)

    def _per_it(self, rate_m3_s: FloatArray) -> float:
        hours = self.year.hours
        return hours.total(rate_m3_s) / hours.total(self.year.power_w["it"])


def explained(
    gap: float, reasons: Iterable[Reason], least: float, show: Callable[[float], str]
) -> str:
    """Return by how much a figure is outside, and what explains it, or that nothing does.

    gap: How far it is outside.
    reasons: What may explain it; what moves it the other way, or by less than `least`, is left out.
    least: The least that explains something.
    show: A figure as text.
    """
    found = sorted((x for x in reasons if x.by >= least), key=lambda reason: -reason.by)
    if not found:
        return f"{show(gap)} outside, unexplained"
    listed = "; ".join(f"{x.words} ({show(x.by)})" for x in found)
    rest = gap - sum(reason.by for reason in found)
    if rest <= 0.0:
        return f"{show(gap)} outside, explained by: {listed}"
    return f"{show(gap)} outside, explained in part: {listed}; {show(rest)} is unexplained"


def _ups_middle() -> float:
    return 1.0 / _UPS_EFFICIENCY - 1.0


def _shares(power_w: Mapping[str, FloatArray]) -> dict[str, float]:
    it_w = float(power_w["it"].sum())
    return {id: float(power_w[id].sum()) / it_w for id in power_w}


def group_shares(shares: Mapping[str, float], groups: Iterable[str]) -> str:
    """Return the energy of groups of parts over that of the IT, in words."""
    sums = {group: sum(shares[id] for id in of_group(shares, group)) for group in groups}
    return ", ".join(f"{group} {share:.1%}" for group, share in sums.items())
