"""Hourly results of a year of the designed facility."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from facility.cooling.chain.water import CoolingWater
from facility.cooling.parts.loads import NO_TANK, TankFlow
from facility.cooling.plant.chilled_water import ChilledWater
from facility.core.check import Check
from facility.core.kinds import FloatArray
from facility.core.table import Results, ShownByResults
from facility.core.trace import Trace
from facility.model.cooling.economizer import EconomizerPlan
from facility.model.facility import Weather
from facility.study.annual.hours import GROUPS, MONTHS, Hours, of_group
from facility.study.cost.ownership import Ownership
from facility.study.loop import WingsBalance
from facility.study.tariff.bill import Bill

_MIN_HEAT_W = 1.0
"""Heat below which no share is calculated."""


@dataclass(frozen=True, eq=False)
class Year:
    """Power, heat and water of the designed facility at each hour."""

    hours: Hours
    load: FloatArray  # IT load relative to the design
    balance: WingsBalance  # Both wings; arrays over the hours
    power_w: Mapping[str, FloatArray]  # Electrical power by component; sum is the metered power
    water: CoolingWater  # By its use
    chillers: ChilledWater  # The plant as designed
    economizer: EconomizerPlan

    groups = GROUPS

    def parts_of(self, group: str) -> tuple[str, ...]:
        """Return the parts of a group of `power_w`."""
        return of_group(self.power_w, group)

    def group_w(self, group: str) -> FloatArray:
        """Return the power of a group at each hour."""
        return np.asarray(sum(self.power_w[id] for id in self.parts_of(group)))

    @cached_property
    def facility_w(self) -> FloatArray:
        """Metered facility power in each hour."""
        return np.asarray(sum(self.group_w(group) for group in self.groups))

    @property
    def duration_w(self) -> FloatArray:
        """Load duration curve: metered power in descending order."""
        return np.sort(self.facility_w)[::-1]

    @cached_property
    def pue(self) -> FloatArray:
        """Facility power divided by IT power in each hour; NaN without IT power."""
        it_w = self.power_w["it"]
        none = np.full(len(it_w), np.nan)
        return np.asarray(np.divide(self.facility_w, it_w, out=none, where=it_w > 0.0))

    @cached_property
    def economizer_share(self) -> FloatArray:
        """Share of the heat removed by the economizer in each hour, 0 without one.

        Relative to the coil heat (airside) or the chilled-water heat (waterside).
        """
        cooling, hours = self.balance.cooling, self.hours
        free_w = hours.spread(cooling.economizer_w)
        on_water_w = hours.spread(cooling.chiller_load_w) + free_w
        whole_w = hours.spread(cooling.coils_w) if self.economizer.on_air else on_water_w
        return free_w / np.maximum(whole_w, _MIN_HEAT_W)

    def tank(self, index: int) -> TankFlow:
        """Return charge and discharge of a tariff-controlled tank in one hour, counted from 0."""
        charged_w = float(self.hours.spread(self.balance.cooling.tank_w)[index])
        return TankFlow(max(charged_w, 0.0), max(-charged_w, 0.0)) if charged_w else NO_TANK

    def outdoors(self, index: int) -> Weather:
        """Return the outdoor air of one hour, counted from 0."""
        air = self.hours.air
        found = (air.dry_bulb_c, air.wet_bulb_c, air.pressure_pa)
        return Weather(*(float(np.asarray(series)[index]) for series in found))


@dataclass(frozen=True)
class LimitExceedance:
    """Annual exceedance of a temperature limit or set point."""

    name: str  # Medium: "facility water", "coolant", "chilled water", "inlet air"
    bound: str  # Set point or limit
    limit_c: float
    hours: float  # Hours of exceedance
    explained: float  # Of these, with outdoor air above the design weather
    highest_c: float | None  # None if exceeded by an unknown amount
    hour: int  # Hour of the maximum; for chilled water, of highest chiller loading
    designed: bool  # Whether the design hour exceeds it


@dataclass(frozen=True)
class PeakLoading:
    """Peak annual loading of an equipment type."""

    name: str
    load: float
    hour: int
    of_fans: bool = False  # Load includes fan heat, which rises with altitude


@dataclass(frozen=True)
class Month:
    """One month: energy by group [J], water [m3], peak demand [W], carbon [kg] and PUE."""

    number: int
    energy_j: Mapping[str, float]
    water_m3: float
    peak_w: float
    carbon_kg: float | None = None  # With an hourly grid intensity only

    @property
    def facility_j(self) -> float:
        """Metered facility energy."""
        return sum(self.energy_j.values())

    @property
    def pue(self) -> float | None:
        """Monthly PUE; None in a month without IT energy."""
        it_j = self.energy_j["it"]
        return self.facility_j / it_j if it_j > 0.0 else None


@dataclass(frozen=True, eq=False, repr=False)
class AnnualStudy(ShownByResults):
    """Annual study of a design: hours, figures and checks."""

    year: Year
    results: Results  # By dotted key: `pue.annual`, `energy.annual`, `wue.site`
    checks: tuple[Check, ...]
    trace: Trace  # Derivations
    title: str  # Weather and load
    bill: Bill | None  # Monthly cost; None without a price
    carbon_kg_s: FloatArray | None  # Hourly carbon, with an hourly grid intensity only
    ownership: Ownership | None  # Cost of ownership; None if not requested
    exceedances: tuple[LimitExceedance, ...]  # Exceedance of set points and limits
    peak_loads: tuple[PeakLoading, ...]  # Peak loading by equipment type

    @cached_property
    def months(self) -> tuple[Month, ...]:
        """The twelve months."""
        year, hours = self.year, self.year.hours
        energy = {group: hours.by_month(year.group_w(group)) for group in year.groups}
        water = hours.by_month(year.water.makeup_m3_s)
        carbon = None if self.carbon_kg_s is None else hours.by_month(self.carbon_kg_s)
        return tuple(
            Month(
                month,
                {group: float(values[month - 1]) for group, values in energy.items()},
                float(water[month - 1]),
                float(year.facility_w[hours.month == month].max(initial=0.0)),
                None if carbon is None else float(carbon[month - 1]),
            )
            for month in MONTHS
        )
