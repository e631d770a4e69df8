"""Design criteria, accepted findings, and loads that are neither IT nor cooling."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.errors import FacilityError
from facility.core.parse import Measured
from facility.core.sources import UNSTATED, Source
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.scalars import Count, Name, Section, Text, problem, quantity
from facility.model.power.redundancy import scheme_name

_CIRCUIT = Source("derivation", "one 20 A 120 V circuit loaded to 80 %: 1.92 kW")
_SPACE_TYPES = Source("revit-space-types", "250 Btu/h sensible", "2014 and 2019")


_ContinuousFactor = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=2.0)]
_Growth = Annotated[Measured, quantity("fraction", maximum=2.0)]
_DropLimit = Annotated[Measured, quantity("fraction", above=0.0, maximum=0.2)]
_ComponentLimit = Annotated[Measured, quantity("fraction", above=0.0, maximum=2.0)]
_Power = Annotated[Measured, quantity("active_power")]
_Share = Annotated[Measured, quantity("fraction", maximum=0.5)]
_Density = Annotated[Measured, quantity("power_density", maximum=1000.0)]
_Heat = Annotated[Measured, quantity("heat_flow")]
_Metabolism = Annotated[Measured, quantity("heat_flow", maximum=1000.0)]

CODE_EDITIONS = {"NEC": ("2023", "2020", "2017"), "IEC": ("2009",)}
"""Editions covered by the tables, newest first."""
ACCEPTED_EDITIONS = {"NEC": ("2026",), "IEC": ()}
"""Editions accepted but not covered: see `site/uncovered_standards`."""
DEFAULT_CODE = "NEC"


def editions(code: str) -> tuple[str, ...]:
    """Return the editions of a code that a project may state, covered or not."""
    return (*CODE_EDITIONS[code], *ACCEPTED_EDITIONS[code])


def code_of_edition(edition: str) -> str:
    """Return the code of an edition; empty if unknown."""
    return next((code for code in CODE_EDITIONS if edition in editions(code)), "")


MAX_WAIVERS = 200
MAX_OVERRIDES = 500
MAX_CONFIRMED = 10_000
"""More than twice the ledger entries of a project with 200 halls and 500 devices."""
USUAL_AIR_CLASS, USUAL_LIQUID_CLASS = "A2", "W32"


class CriteriaSection(Section):
    """Code basis and margins."""

    code: Literal["NEC", "IEC"] | None = optional(
        "Electrical code: NEC or IEC", Default(None, "code of the country", UNSTATED)
    )
    edition: Name | None = optional(
        "Year of the NEC, or of IEC 60364-5-52; NEC 2026 is accepted, sized by 2023",
        Default(None, "latest edition included", UNSTATED),
    )
    continuous_factor: _ContinuousFactor | None = optional(
        "Factor on continuous load for overcurrent devices",
        Default(None, "1.25 under the NEC, 1 under the IEC"),
    )
    growth: _Growth | None = optional(
        "Growth reserve of the shared plant, over the IT load",
        Default(0.0, "no growth reserve specified", UNSTATED),
    )
    voltage_drop_branch: _DropLimit | None = optional(
        "Maximum voltage drop, panel to rack", Default(None, "recommended by the code")
    )
    voltage_drop_feeder: _DropLimit | None = optional(
        "Maximum voltage drop, LV board to panel", Default(None, "recommended by the code")
    )
    voltage_drop_total: _DropLimit | None = optional(
        "Maximum voltage drop, LV board to rack", Default(None, "recommended by the code")
    )
    air_class: Literal["A1", "A2", "A3", "A4", "H1"] | None = optional(
        "ASHRAE class of the air-cooled equipment",
        Default(
            USUAL_AIR_CLASS, "class of volume servers; recommended range identical for A1 to A4"
        ),
    )
    liquid_class: (
        Literal["W17", "W27", "W32", "W40", "W45", "W+", "S30", "S35", "S40", "S45", "S50"] | None
    ) = optional(
        "ASHRAE class of the liquid-cooled equipment: maximum facility water temperature (W); W+"
        " and the coolant classes S30 to S50 are accepted, sized by the W classes of 2021",
        Default(
            USUAL_LIQUID_CLASS,
            "facility water up to 32 degC: with a CDU approach of 3 to 5 K, rack coolant is "
            "35 to 37 degC, the low end of usual set points",
        ),
    )
    mlc_limit: _ComponentLimit | None = optional(
        "Maximum mechanical load component, mean at 100, 75, 50 and 25 % IT load"
    )
    elc_limit: _ComponentLimit | None = optional(
        "Maximum electrical loss component at any of these loads"
    )
    component_limits_edition: Text | None = optional("Standard and edition of the two limits")
    redundancy_goal: Name | None = optional(
        "Minimum redundancy of the UPS systems: N, N+1, N+2, 2N, 2(N+1), 3N/2, 4N/3,"
        " 5N/4, 6N/5, block-redundant; N+1 and N+2 also apply to generator sets, transformers and"
        " cooling units"
    )
    availability_goal: Literal["none", "concurrently_maintainable", "fault_tolerant"] | None = (
        optional(
            "Required availability: concurrently maintainable (no planned outage"
            " of one component interrupts IT load), fault tolerant (nor any single failure)"
        )
    )
    availability_scope: Literal["electrical", "electrical_and_cooling"] | None = optional(
        "Systems covered by the availability goal",
        Default(
            "electrical_and_cooling",
            "published classes cover power supply and environmental control",
            UNSTATED,
        ),
    )

    @field_validator("redundancy_goal")
    @classmethod
    def _known_scheme(cls, value: str | None) -> str | None:
        try:
            return value if value is None else scheme_name(value, "")
        except FacilityError as error:
            raise problem(error.code, error.message, error.hint) from None

    @model_validator(mode="after")
    def _limits_are_from_somewhere(self) -> CriteriaSection:
        stated = self.mlc_limit is not None or self.elc_limit is not None
        if stated != (self.component_limits_edition is not None):
            raise problem(
                "LIMITS_EDITION",
                "load component limits and their edition must be entered together.",
                "Enter criteria.component_limits_edition, and mlc_limit or elc_limit.",
                at="component_limits_edition",
            )
        return self

    @model_validator(mode="after")
    def _edition_of_the_code(self) -> CriteriaSection:
        codes = CODE_EDITIONS if self.code is None else (self.code,)
        known = [edition for code in codes for edition in editions(code)]
        if self.edition is None or self.edition in known:
            return self
        owner = code_of_edition(self.edition)
        raise problem(
            "NOT_ONE_OF",
            f"{self.edition!r} is not a known edition of the {self.code or 'NEC or the IEC'}"
            + (f", but of the {owner}." if owner else "."),
            "Accepted: "
            + "; ".join(f"{code} {', '.join(sorted(editions(code)))}" for code in codes)
            + ".",
            at="edition",
        )


class WaiverSection(Section):
    """Accepted finding: counted and printed as waived, separate from passed checks."""

    rule: Name = required("Rule id, e.g. `SPOF`")
    subject: Text | None = optional("Subject of the check, as printed; default all")
    reason: Text = required("Reason for acceptance")
    by: Text = required("Person accepting it")


class OverrideSection(Section):
    """Assumption replaced by a project value, with reason."""

    assumption: Name = required("Assumption id, e.g. `panels.fill_limit`")
    reason: Text = required("Reason for the project value")
    by: Text = required("Person responsible")


class ChecksSection(Section):
    """Decisions about checks."""

    waived: tuple[WaiverSection, ...] | None = optional("Accepted findings", max_count=MAX_WAIVERS)


class HouseSection(Section):
    """Loads of the building: lights, controls, security, people, envelope."""

    lighting: _Power | None = optional(
        "Lighting power of the halls", Default(None, "lights in use, proportional to IT load")
    )
    lighting_density: _Density | None = optional(
        "Lighting power density of the halls, instead of lighting power"
    )
    lighting_share: _Share | None = optional(
        "Lighting power over IT load, instead of lighting power",
        Default(None, "lights in use, proportional to IT load"),
    )
    controls: _Power | None = optional(
        "Power of building and power monitoring",
        Default(None, "one circuit per hall, at most 1 % of the IT load", _CIRCUIT),
    )
    security: _Power | None = optional(
        "Power of access control and cameras",
        Default(None, "one circuit per hall, at most 1 % of the IT load", _CIRCUIT),
    )
    other: _Power | None = optional(
        "Power of other building loads", Default(0.0, "no other building load specified", UNSTATED)
    )
    generator_heaters: _Power | None = optional(
        "Mean power of jacket-water heaters and battery chargers, all generator sets",
        Default(0.0, "none specified; see the generator data sheet", UNSTATED),
    )
    people: Count | None = optional(
        "Occupants of the halls", Default(None, "two per hall", UNSTATED), max_count=100_000
    )
    heat_per_person: _Metabolism | None = optional(
        "Sensible heat per person",
        Default(250.0 * 1055.05585262 / 3600.0, "person at light work", _SPACE_TYPES),
    )
    envelope: _Heat | None = optional(
        "Envelope heat gain of the halls",
        Default(
            0.0, "interior halls: no solar gain, adjacent rooms at similar temperature", UNSTATED
        ),
    )

    @model_validator(mode="after")
    def _one_lighting(self) -> HouseSection:
        ways = ("lighting", "lighting_density", "lighting_share")
        stated = [f"house.{name}" for name in ways if getattr(self, name) is not None]
        if len(stated) > 1:
            raise problem(
                "CONTRADICTION",
                f"lighting power is specified more than once: {' and '.join(stated)}.",
                f"Remove {' or '.join(stated)}.",
            )
        return self
