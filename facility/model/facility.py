"""The facility to be designed: SI, complete, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from facility.core.kinds import FloatArray
from facility.core.trace import SILENT, Trace
from facility.model.cooling.chain import CoolingChain
from facility.model.cooling.thermal import ThermalBasis
from facility.model.cost import CostPlan
from facility.model.it import ItPlan
from facility.model.load_motion import LoadMotion
from facility.model.load_profile import LoadProfile, SeriesFacts
from facility.model.power.chain import PowerChain
from facility.model.power.electrical import Electrical
from facility.model.tariff import Tariff


@dataclass(frozen=True)
class Weather:
    """Outdoor air at one condition: dry bulb, wet bulb, and station pressure."""

    dry_bulb_c: float
    wet_bulb_c: float
    pressure_pa: float


@dataclass(frozen=True)
class WeatherRecord:
    """Weather record of a site."""

    name: str  # Station or file
    place: str  # Location of the record
    country: str  # Country
    elevation_m: float  # Elevation
    how: str  # `stated`, or `assumed` where the project does not specify its location
    # Whether its hours apply to the site: not where temperatures are stated in addition to a record
    # that is assumed.
    year: bool
    distance_m: float | None  # Distance from the stated coordinates, None without them
    # Gaps of a user file and how they were filled; None for a catalogue record.
    filled: str | None = None
    edition: str = ""  # Data set of the design conditions in the header of a file
    # Anomalies of a user file, by type; None for a type that cannot be evaluated.
    odd: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, eq=False)
class HourlyCarbon:
    """Carbon intensity of the grid in each hour of a year."""

    file: str
    kg_per_j: FloatArray
    digest: str  # SHA-256 of the file, its beginning
    facts: SeriesFacts


_ON_SITE_M = 1e3
"""Distance below which a weather record is from the location itself."""


@dataclass(frozen=True)
class Site:
    """Location and utility connection of the facility.

    `design` is the extreme condition the plant is sized at; `mean` the mean-year condition, None
    if unknown. `fault_level_va` is None if not specified,
    `coldest_c`, the lowest dry bulb of twenty years, if the weather record has none: the minimum
    of its hours is then `coldest_hour_c`,
    `tariff`, in `currency`, if no price is available, and `record` if no
    weather record applies to the location. `country` and `currency` are empty if unknown.
    `carbon_kg_per_j` is the mean of `hourly_carbon` where a file contains it.
    """

    place: str
    elevation_m: float
    pressure_pa: float
    design: Weather
    mean: Weather | None
    utility_voltage_v: float
    frequency_hz: float
    fault_level_va: float | None
    x_over_r: float | None
    tariff: Tariff | None
    carbon_kg_per_j: float | None
    coldest_c: float | None = None
    coldest_hour_c: float | None = None
    country: str = ""
    currency: str = "USD"
    record: WeatherRecord | None = None
    nearest: str = ""
    grid_water_m3_j: float | None = None  # Water of generation; None if not specified
    utility_capacity_w: float | None = None  # Contracted utility capacity; None if not specified
    hourly_carbon: HourlyCarbon | None = None
    warmer_k: float = 0.0  # Temperature offset added to each hour of the record
    climate_zone: str = ""  # As stated, after ASHRAE 169; empty where it is not

    @property
    def year_location(self) -> str:
        """Location, with the station of the weather record and its distance from the location."""
        record = self.record
        if record is None or record.place == self.place:
            return self.place
        station = record.place or record.name
        far_m = record.distance_m or 0.0
        far = f", {far_m / 1e3:,.0f} km from the site" if far_m >= _ON_SITE_M else ""
        return f"{self.place}; weather: {station}{far}"

    @property
    def energy_price_per_j(self) -> float | None:
        """Energy price, for a tariff with a single energy price."""
        return None if self.tariff is None else self.tariff.one_price_per_j

    @property
    def lv_service(self) -> bool:
        """Whether the utility supplies the LV boards directly, without an owner's transformer."""
        return self.utility_voltage_v < 1000.0


@dataclass(frozen=True)
class ComponentLimits:
    """Limits of the load and loss components stated in the project; None without."""

    mlc: float | None = None
    elc: float | None = None
    edition: str = ""  # Edition of the standard of the limits


_MIN_DROP = 0.05


@dataclass(frozen=True)
class Goal:
    """Redundancy and availability required by the project; empty if not specified."""

    redundancy: str = ""  # One of the schemes of the UPS
    availability: Literal["", "none", "concurrently_maintainable", "fault_tolerant"] = ""
    cooling: bool = True  # Whether the availability includes the cooling

    @property
    def maintainable(self) -> bool:
        """Whether concurrent maintainability is required; fault tolerance includes it."""
        return self.availability in ("concurrently_maintainable", "fault_tolerant")

    @property
    def tolerant(self) -> bool:
        """Whether fault tolerance is required."""
        return self.availability == "fault_tolerant"


@dataclass(frozen=True)
class UncoveredStandard:
    """Edition or class that a project states and the tables do not cover."""

    field: str  # Input that states it: "criteria.edition"
    name: str  # "NEC 2026"
    covered: str  # Edition or class of the sizing, as in its input: "2023"
    sized_by: str  # The same by name: "NEC 2023"
    changes: str  # Known changes, and what is not known
    sources: tuple[str, ...]  # First letters of the source of a check that is not evaluated
    checks: tuple[str, ...]  # First letters of its rule and subject


@dataclass(frozen=True)
class Criteria:
    """Design criteria.

    `code` is "NEC" or "IEC", `edition` its year. `continuous_factor` multiplies continuous load
    for overcurrent devices (1.25 in the NEC, 1.0 in IEC). `growth` is the fraction of IT load
    reserved in the shared plant. `liquid_class_stated` is whether the project names the class
    of the facility water, or it is assumed. `edition` and `liquid_class` are those of the tables;
    a stated edition or class that is not covered is in `uncovered`. `coolant_limits_c` is the
    maximum coolant supply of a stated S class [degC], if any.
    """

    code: str
    edition: str
    continuous_factor: float
    growth: float
    voltage_drop_branch: float
    voltage_drop_feeder: float
    voltage_drop_total: float
    air_class: str
    air_recommended_max_c: float
    air_recommended_min_c: float
    air_allowable_max_c: float
    liquid_class: str
    liquid_supply_max_c: float
    liquid_class_stated: bool = True
    component_limits: ComponentLimits = ComponentLimits()
    goal: Goal = Goal()
    uncovered: tuple[UncoveredStandard, ...] = ()
    coolant_limits_c: tuple[float, ...] = ()

    @property
    def code_edition(self) -> str:
        """Code and edition of the sizing, and the stated edition if it is not covered."""
        name = "IEC 60364 (5-52:{})" if self.code == "IEC" else "NEC {}"
        return f"{name.format(self.edition)}{self._not_covered('criteria.edition')}"

    @property
    def facility_water_class(self) -> str:
        """Class of the facility water, and the stated class if it is not covered."""
        return f"{self.liquid_class}{self._not_covered('criteria.liquid_class')}"

    def _not_covered(self, field: str) -> str:
        names = [one.name for one in self.uncovered if one.field == field]
        return f" ({names[0]} is not covered)" if names else ""

    @property
    def sized_drop(self) -> float:
        """Voltage drop used for sizing constant-power devices: the permitted drop, at least 5 %.

        On the bypass of the UPS the upstream transformers also lower the voltage, which the limit
        from its output does not count.
        """
        return max(self.voltage_drop_total, _MIN_DROP)


@dataclass(frozen=True)
class Identity:
    """Identification of the calculation; all dates are project inputs."""

    name: str
    number: str
    title: str
    status: str
    originator: str
    checker: str
    revisions: tuple[tuple[str, str, str, str], ...]
    company: str = ""
    approver: str = ""


@dataclass(frozen=True)
class House:
    """Facility loads that are neither IT, losses nor cooling.

    `people` and `envelope_w` are heat in the halls; `people_w` is the sensible heat per person.
    """

    lighting_w: float
    controls_w: float
    security_w: float
    other_w: float
    people: int
    people_w: float
    envelope_w: float
    generator_heaters_w: float = 0.0  # Jacket water and chargers of the idle sets

    @property
    def total_w(self) -> float:
        """Electrical house load."""
        return self.total()

    def total(self, trace: Trace = SILENT) -> float:
        """Return `total_w`, recorded as ``load.house``, the sum of its parts."""
        parts = {
            "house.lighting": self.lighting_w,
            "house.controls": self.controls_w,
            "house.security": self.security_w,
            "house.other": self.other_w,
            "house.generator_heaters": self.generator_heaters_w,
        }
        because = "lights, controls, security, other, heaters of the generators"
        return trace.add("load.house", "active_power", because, parts)


@dataclass(frozen=True)
class Facility:
    """A complete facility, every field in SI, all design inputs resolved."""

    identity: Identity
    site: Site
    criteria: Criteria
    it: ItPlan
    load: LoadProfile
    power: PowerChain
    electrical: Electrical
    cooling: CoolingChain
    house: House
    thermal: ThermalBasis
    motion: LoadMotion
    cost: CostPlan | None = None  # Without prices and terms there is no cost of ownership
