"""The plant in the project: MV/LV transformers and generator sets."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE, Source
from facility.model.inputs.declare import Default, factor, optional, required
from facility.model.inputs.scalars import (
    Count,
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)
from facility.model.power.chain import NAMEPLATE_POWER_FACTOR

_ISO = Source("iso-8528-5", "performance classes", "2005")


_Power = Annotated[Measured, quantity("active_power", minimum=1e3, maximum=2e7)]
_Rating = Annotated[Measured, quantity("apparent_power", minimum=1e3, maximum=2e8)]
_PowerFactor = Annotated[Measured, quantity("ratio", minimum=0.5, maximum=1.0)]
_Voltage = Annotated[Measured, quantity("line_voltage", minimum=100.0, maximum=2.5e4)]
_Loss = Annotated[Measured, quantity("active_power")]
_Loading = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Part = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]
_Share = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=1.0)]
_Hours = Annotated[Measured, quantity("time", minimum=60.0, maximum=3.2e7)]
_TestTime = Annotated[Measured, quantity("time", minimum=0.0, maximum=3.2e7)]
_Seconds = Annotated[Measured, quantity("time", above=0.0, maximum=600.0)]
_Volume = Annotated[Measured, quantity("volume", above=0.0)]
_Current = Annotated[Measured, quantity("current", above=0.0)]
_GroundingCurrent = Annotated[Measured, quantity("current", above=0.0, maximum=10.0)]
_Reactive = Annotated[Measured, quantity("reactive_power", minimum=0.0)]

_HIGHEST_ORDER = 99
_STEPS_SUM = 1e-3


SPARES = {"N": 0, "N+1": 1, "N+2": 2}
"""Spare units by the redundancy of a plant of equal units."""


def _spares_known(text: str | None) -> None:
    if text is not None and "".join(text.split()).upper() not in SPARES:
        raise problem(
            "UNKNOWN_REDUNDANCY",
            f"{text!r} is not a valid redundancy.",
            f"Known: {', '.join(SPARES)}.",
            at="redundancy",
        )


class HarmonicSection(Section):
    """Harmonic of a current: order, and magnitude over the fundamental."""

    order: PositiveCount = required("Harmonic order", max_count=100)
    current: _Share = required("Harmonic current over fundamental current")


class TransformerSection(Section):
    """MV/LV transformers, and harmonics of MV/LV and PDU transformers."""

    rating: _Rating | None = optional("Rating of one transformer", symbol="S_r")
    count: PositiveCount | None = optional("Transformers, including spares", max_count=1000)
    largest: _Rating | None = optional(
        "Maximum transformer rating, if no rating is specified",
        Default(
            2.5e6,
            "one per lineup; at 5.75 % about 52 kA at 480 V and 61 kA at 415 V, for boards rated "
            "65 or 85 kA",
            RECALLED,
        ),
    )
    redundancy: Name | None = optional(
        "Redundancy: N, N+1 or N+2",
        Default(None, "same as the UPS modules of one system; none for separate systems", RULE),
    )
    max_loading: _Loading | None = optional(
        "Maximum loading after the design failure",
        Default(
            0.95,
            "95 % of nameplate after the design failure; reserve for cable reactive power and "
            "voltage drop, which the power flow includes but the sizing does not",
            RULE,
        ),
        within=(0.05, 1.0),
    )
    no_load_loss: _Loss | None = optional("No-load loss of one transformer", symbol="P_0")
    load_loss: _Loss | None = optional("Load loss of one transformer at its rating", symbol="P_k")
    impedance: _Part | None = optional("Short-circuit impedance of one transformer", symbol="u_k")
    harmonics: tuple[HarmonicSection, ...] | None = optional(
        "Current harmonics of the MV/LV transformers", max_count=100
    )
    distortion: _Share | None = optional(
        "Current distortion of the MV/LV transformers, with the spectrum of a six-pulse rectifier,"
        " instead of harmonics",
        Default(None, "UPS input current distortion, applied to the whole board"),
    )
    it_harmonics: tuple[HarmonicSection, ...] | None = optional(
        "Rack current harmonics, carried by PDU transformers", max_count=100
    )
    eddy_loss: _Part | None = factor(
        "Winding eddy-current loss over resistive loss at rated current",
        Default(0.10, "planning value; request the value from the manufacturer", RECALLED),
    )
    vector_group: Name | None = optional(
        "Vector group: Dyn with clock number, YNyn0 or Yyn0",
        Default(
            "Dyn11",
            "delta-wye isolates the zero sequence of LV and MV sides; no result depends on the "
            "clock number",
            RULE,
        ),
    )

    grounding: Literal["solid", "high-resistance"] | None = optional(
        "Neutral grounding of the LV boards, at transformers and LV generator sets: grounded "
        "solidly (IEC: TN), or through a high resistance (IEC: IT)",
        Default("solid", "usual; required by racks that use the neutral of the boards", RULE),
    )
    grounding_current: _GroundingCurrent | None = optional(
        "Let-through current of each high-resistance grounding resistor",
        Default(5.0, "usually 1 to 10 A, above the charging current of the system", RECALLED),
    )

    @field_validator("harmonics", "it_harmonics")
    @classmethod
    def _orders(cls, value: tuple[HarmonicSection, ...] | None) -> object:
        orders = [harmonic.order for harmonic in value or ()]
        if len(set(orders)) < len(orders) or any(not 1 < n <= _HIGHEST_ORDER for n in orders):
            raise problem(
                "HARMONICS_WRONG",
                f"orders must be different, 2 to {_HIGHEST_ORDER}.",
                "Omit the fundamental, which is the reference.",
            )
        return value

    @model_validator(mode="after")
    def _consistent(self) -> TransformerSection:
        _spares_known(self.redundancy)
        if self.rating is not None and self.largest is not None:
            raise problem(
                "TRANSFORMER_CONTRADICTION",
                "a rating and a maximum rating are both specified.",
                "Enter only one of them.",
                at="largest",
            )
        if self.distortion is not None and self.harmonics:
            raise problem(
                "CONTRADICTION",
                "distortion has no effect together with harmonics.",
                "Enter either harmonics or distortion.",
                at="distortion",
            )
        if self.grounding_current is not None and self.grounding != "high-resistance":
            raise problem(
                "GROUNDING_CONTRADICTION",
                "the grounding resistor current applies only to high-resistance grounding.",
                "Enter grounding: high-resistance, or remove it.",
                at="grounding_current",
            )
        if (self.no_load_loss is None) != (self.load_loss is None):
            raise problem(
                "TRANSFORMER_LOSS",
                "no_load_loss and load_loss must be entered together.",
                "Enter both.",
            )
        if self.no_load_loss is not None and self.rating is None:
            raise problem(
                "TRANSFORMER_LOSS",
                "losses are specified without a rating.",
                "Enter the rating too.",
            )
        return self


class GeneratorSection(Section):
    """Generator sets: catalogue model or user rating, count, load acceptance."""

    model: Name | None = optional("Catalogue generator set")
    rating: _Power | None = optional("Rating of one set in active power", symbol="P_r")
    rating_kva: _Rating | None = optional("Rating of one set in apparent power", symbol="S_r")
    power_factor: _PowerFactor | None = optional(
        "Nameplate power factor of a set, if its rating is only in kW or only in kVA",
        Default(NAMEPLATE_POWER_FACTOR, "nameplate power factor of generator sets", RECALLED),
        symbol=r"\cos\varphi",
        within=(0.5, 1.0),
    )
    count: Count | None = optional(
        "Generator sets, including spares; 0 for no generators", max_count=1000
    )
    redundancy: Name | None = optional(
        "Redundancy: N, N+1 or N+2",
        Default(
            "N+1",
            "one paralleled plant for the site with one spare set; none for a single set",
            RULE,
        ),
    )
    max_loading: _Loading | None = optional(
        "Maximum loading of the running sets", within=(0.05, 1.0)
    )
    derate: _Loading | None = optional("Site rating over nameplate rating", within=(0.05, 1.0))
    connection: Literal["LV", "MV"] | None = optional(
        "Connection of the sets: low voltage or medium voltage"
    )
    voltage: _Voltage | None = optional(
        "Rated voltage of the sets; step-up transformers if it differs from the bus voltage"
    )
    breaker: Literal["set", "bus"] | None = optional(
        "Location of the overcurrent device of each low-voltage set: set or bus",
        Default(
            None,
            "NEC: at the bus for parallel sets, else at the set;"
            " IEC: at the set, IEC 60364-5-55, 551.5.1",
            RULE,
        ),
    )
    breaker_rating: _Current | None = optional(
        "Rating of the overcurrent device of each low-voltage set, as built"
    )
    overload_prevented: Flag | None = optional(
        "Overload prevented by design and operation (NEC 445.13(A), exception)",
        Default("no", "conductors rated 115 % of nameplate current up to the first device", RULE),
    )
    performance_class: Literal["G1", "G2", "G3", "G4"] | None = optional(
        "Performance class of ISO 8528-5", Default("G3", "usual for data centers", _ISO)
    )
    running_sets: PositiveCount | None = optional(
        "Sets on the bus at the first load step",
        Default("all that are not spare", "sets are paralleled before the first load step", RULE),
        max_count=1000,
    )
    first_step: _Loading | None = optional("Maximum first load step over running capacity")
    steps: tuple[_Loading, ...] | None = optional(
        "Load steps as fractions of the load, in order",
        Default(
            "by block",
            "building load, board losses and first UPS system, then each other UPS system with "
            "recharge, then cooling in as many blocks as there are systems; "
            "rectifier walk-in is not considered",
            RULE,
        ),
        max_count=50,
    )
    transient_reactance: _Loading | None = optional(
        "Transient reactance of a set on its rating",
        Default(0.20, "alternators of this size: 15 to 25 %", RECALLED),
        symbol="X'_d",
    )
    largest_motor: _Power | None = optional("Largest motor started on the generators")
    motor_start: Literal["drive", "soft", "direct"] | None = optional(
        "Starting method of large motors",
        Default("drive", "large cooling motors have variable-frequency drives", RECALLED),
    )
    starting_current: Number | None = optional(
        "Starting over running current of the largest motor",
        Default(None, "from the starting method: 1, 3 or 6", RECALLED),
    )
    minimum_load: _Loading | None = optional(
        "Minimum continuous loading of a set",
        Default(0.30, "wet stacking of diesel engines below it", RECALLED),
    )
    test_time: _TestTime | None = optional(
        "Annual test run time per set",
        Default(12 * 1800.0, "NFPA 110, 8.4: 30 min per month", RECALLED),
    )
    test_load: _Loading | None = optional(
        "Test load over set rating",
        Default(0.30, "NFPA 110, 8.4: at least 30 % of nameplate", RECALLED),
    )
    fuel_hours: _Hours | None = optional(
        "Required fuel autonomy",
        Default(24.0 * 3600.0, "24 h until the first refill; standards require 12 to 96 h", RULE),
    )
    tank: _Volume | None = optional("Site fuel tank volume")
    tank_usable: _Loading | None = optional(
        "Usable fraction of the fuel tank",
        Default(0.90, "remainder below the outlet or required ullage", RECALLED),
    )
    start_time: _Seconds | None = optional(
        "Time from utility loss to sets ready for load", Default(10.0, "NFPA 110 type 10", RECALLED)
    )
    filter_capacitive: _Reactive | None = optional(
        "Capacitive reactive power of the input filter, one UPS module"
    )
    leading_limit: _Loading | None = factor(
        "Leading reactive power capability of a set, over its kVA",
        Default(0.20, "planning value; the capability curve of the set applies", RECALLED),
    )

    @field_validator("steps")
    @classmethod
    def _whole(cls, value: tuple[Measured, ...] | None) -> tuple[Measured, ...] | None:
        total = sum(step.si for step in value or ())
        if value is not None and abs(total - 1.0) > _STEPS_SUM:
            raise problem(
                "STEPS_WRONG",
                f"the load steps sum to {total:.1%} of the load, not to 100 %.",
                "Enter every step as a fraction of the full load, e.g. [40 %, 30 %, 30 %].",
            )
        return value

    @field_validator("starting_current")
    @classmethod
    def _above_running(cls, value: Measured | None) -> Measured | None:
        if value is not None and not 1.0 <= value.si <= 12.0:
            raise problem("OUT_OF_RANGE", "starting over running current must be from 1 to 12.")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> GeneratorSection:
        _spares_known(self.redundancy)
        if self.model is not None and (self.rating or self.rating_kva):
            raise problem(
                "GENERATOR_CONTRADICTION",
                "a catalogue model and a rating are both specified.",
                "Enter the model, or the rating of the set.",
            )
        if self.power_factor is not None and (self.rating is None) == (self.rating_kva is None):
            raise problem(
                "GENERATOR_CONTRADICTION",
                "a power factor applies to one rating of a set.",
                "Enter it with only rating or only rating_kva.",
                at="power_factor",
            )
        return self
