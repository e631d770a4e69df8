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
            f"{text!r} is not a redundancy of equal units.",
            f"Known: {', '.join(SPARES)}.",
            at="redundancy",
        )


class HarmonicSection(Section):
    """One harmonic of a current: its order, and its size over the fundamental."""

    order: PositiveCount = required("Order of the harmonic", most=100)
    current: _Share = required("Its current over that of the fundamental")


class TransformerSection(Section):
    """MV/LV transformers, and the harmonics that they and PDU transformers carry."""

    rating: _Rating | None = optional("Rating of one transformer", symbol="S_r")
    count: PositiveCount | None = optional("Transformers, spare ones included", most=1000)
    largest: _Rating | None = optional(
        "Largest rating that is chosen where none is given",
        Default(
            2.5e6,
            "one to a lineup, behind 5.75 % about 52 kA at 480 V and 61 kA at 415 V: boards rated "
            "65 or 85 kA carry it",
            RECALLED,
        ),
    )
    redundancy: Name | None = optional(
        "Spare units: N, N+1 or N+2",
        Default(None, "as the UPS modules of one system; none beside separate systems", RULE),
    )
    max_loading: _Loading | None = optional(
        "Highest loading after the failure that is designed for",
        Default(
            0.95,
            "to 95 % of the nameplate after the designed failure: cables take reactive "
            "power and lower the voltage, which the sizing does not know and the power "
            "flow adds",
            RULE,
        ),
        within=(0.05, 1.0),
    )
    no_load_loss: _Loss | None = optional("Loss of one transformer without load", symbol="P_0")
    load_loss: _Loss | None = optional(
        "Loss of one transformer from its load, at the rating", symbol="P_k"
    )
    impedance: _Part | None = optional("Short-circuit impedance of one transformer", symbol="u_k")
    harmonics: tuple[HarmonicSection, ...] | None = optional(
        "Harmonics of the current of the MV/LV transformers", most=100
    )
    distortion: _Share | None = optional(
        "Distortion of the current of the MV/LV transformers, split as a six-pulse rectifier does,"
        " in place of its harmonics",
        Default(None, "distortion of the input current of the UPS, taken for the whole board"),
    )
    it_harmonics: tuple[HarmonicSection, ...] | None = optional(
        "Harmonics of the current of the racks, which PDU transformers carry", most=100
    )
    eddy_loss: _Part | None = factor(
        "Eddy over resistive loss of the windings at rated current",
        Default(
            0.10,
            "eddy over resistive loss of the windings at rated current; ask the maker",
            RECALLED,
        ),
    )
    vector_group: Name | None = optional(
        "Vector group: Dyn with its clock number, YNyn0 or Yyn0",
        Default(
            "Dyn11",
            "delta-wye keeps the zero sequence of the LV side off the MV side; of its "
            "clock number no figure depends",
            RULE,
        ),
    )

    grounding: Literal["solid", "high-resistance"] | None = optional(
        "Neutral of the LV boards, at their transformers and at LV generator sets: grounded "
        "solidly (IEC: TN), or through a high resistance (IEC: IT)",
        Default("solid", "usual; racks that hang on the boards take their neutral", RULE),
    )
    grounding_current: _GroundingCurrent | None = optional(
        "Current that each resistor of a high-resistance grounding lets through",
        Default(5.0, "usual are 1 to 10 A, above the charging current of the system", RECALLED),
    )

    @field_validator("harmonics", "it_harmonics")
    @classmethod
    def _orders(cls, value: tuple[HarmonicSection, ...] | None) -> object:
        orders = [harmonic.order for harmonic in value or ()]
        if len(set(orders)) < len(orders) or any(not 1 < n <= _HIGHEST_ORDER for n in orders):
            raise problem(
                "HARMONICS_WRONG",
                f"orders must be different, 2 to {_HIGHEST_ORDER}.",
                "The fundamental is not listed: currents are over it.",
            )
        return value

    @model_validator(mode="after")
    def _consistent(self) -> TransformerSection:
        _spares_known(self.redundancy)
        if self.rating is not None and self.largest is not None:
            raise problem(
                "TRANSFORMER_CONTRADICTION",
                "a rating and the largest one that may be chosen are both given.",
                "Give one of them.",
                at="largest",
            )
        if self.distortion is not None and self.harmonics:
            raise problem(
                "CONTRADICTION",
                "distortion changes nothing beside harmonics.",
                "Give the harmonics, or the distortion alone.",
                at="distortion",
            )
        if self.grounding_current is not None and self.grounding != "high-resistance":
            raise problem(
                "GROUNDING_CONTRADICTION",
                "the current of a grounding resistor goes with a high resistance.",
                "Write grounding: high-resistance, or remove it.",
                at="grounding_current",
            )
        if (self.no_load_loss is None) != (self.load_loss is None):
            raise problem(
                "TRANSFORMER_LOSS", "no_load_loss and load_loss belong together.", "Give both."
            )
        if self.no_load_loss is not None and self.rating is None:
            raise problem(
                "TRANSFORMER_LOSS", "losses are given without a rating.", "Give the rating too."
            )
        return self


class GeneratorSection(Section):
    """Generator sets: a catalogue model or a rating of your own, count, how they take the load."""

    model: Name | None = optional("Set of the catalogue")
    rating: _Power | None = optional("Rating of one set in active power", symbol="P_r")
    rating_kva: _Rating | None = optional("Rating of one set in apparent power", symbol="S_r")
    power_factor: _PowerFactor | None = optional(
        "Nameplate power factor of a set, where its rating is stated in kW or kVA alone",
        Default(NAMEPLATE_POWER_FACTOR, "nameplate power factor of generator sets", RECALLED),
        symbol=r"\cos\varphi",
        within=(0.5, 1.0),
    )
    count: Count | None = optional("Sets, spare ones included; 0 for no generators", most=1000)
    redundancy: Name | None = optional(
        "Spare sets: N, N+1 or N+2",
        Default(
            "N+1", "one paralleled plant for the site, one spare set; none of a single one", RULE
        ),
    )
    max_loading: _Loading | None = optional(
        "Highest loading of the running sets", within=(0.05, 1.0)
    )
    derate: _Loading | None = optional(
        "Rating at the site over that of the nameplate", within=(0.05, 1.0)
    )
    connection: Literal["LV", "MV"] | None = optional(
        "Whether the sets stand on the low-voltage or the medium-voltage side"
    )
    voltage: _Voltage | None = optional(
        "Rated voltage of the sets; another than that of their bus needs step-up transformers"
    )
    breaker: Literal["set", "bus"] | None = optional(
        "Where the overcurrent device of each low-voltage set is: at the set, or at the bus",
        Default(
            None,
            "under the NEC at the bus of parallel sets, at a set of its own elsewhere; under the"
            " IEC at the set, IEC 60364-5-55, 551.5.1",
            RULE,
        ),
    )
    breaker_rating: _Current | None = optional(
        "Rating of the overcurrent device of each low-voltage set, as built"
    )
    overload_prevented: Flag | None = optional(
        "Whether design and operation prevent overloading of the sets, NEC 445.13(A), exception",
        Default("no", "conductors of 115 % of the nameplate current up to the first device", RULE),
    )
    performance_class: Literal["G1", "G2", "G3", "G4"] | None = optional(
        "Performance class of ISO 8528-5", Default("G3", "usual for data centers", _ISO)
    )
    running_sets: PositiveCount | None = optional(
        "Sets on the bus when the first load step comes",
        Default(
            "all that are not spare",
            "the sets are in parallel on the bus before the first load step",
            RULE,
        ),
        most=1000,
    )
    first_step: _Loading | None = optional(
        "Largest part of the running capacity that the sets take from no load"
    )
    steps: tuple[_Loading, ...] | None = optional(
        "Load steps as parts of the load, in their order",
        Default(
            "by block",
            "house, board losses and the first UPS system, then each other UPS system with "
            "its recharge, then the cooling in as many blocks as there are systems; the "
            "walk-in of the rectifiers is not counted on",
            RULE,
        ),
        most=50,
    )
    transient_reactance: _Loading | None = optional(
        "Transient reactance of a set on its rating",
        Default(
            0.20, "of the set on its rating; alternators of this size have 15 to 25 %", RECALLED
        ),
        symbol="X'_d",
    )
    largest_motor: _Power | None = optional("Largest motor that is started on the generators")
    motor_start: Literal["drive", "soft", "direct"] | None = optional(
        "How the large motors start",
        Default("drive", "large motors of the cooling run on drives", RECALLED),
    )
    starting_current: Number | None = optional(
        "Starting over running current of the largest motor",
        Default(None, "by the way the motors start: 1, 3 or 6", RECALLED),
    )
    minimum_load: _Loading | None = optional(
        "Load of a set below which it should not run for long",
        Default(0.30, "below it unburnt fuel collects in the exhaust of a diesel engine", RECALLED),
    )
    test_time: _TestTime | None = optional(
        "How long each set runs in its periodic tests of a year",
        Default(12 * 1800.0, "NFPA 110, 8.4: 30 minutes every month", RECALLED),
    )
    test_load: _Loading | None = optional(
        "Load of these tests over the rating of the set",
        Default(0.30, "NFPA 110, 8.4: 30 % of the nameplate or more", RECALLED),
    )
    fuel_hours: _Hours | None = optional(
        "How long the fuel on site must last",
        Default(24.0 * 3600.0, "a day until the first refill; standards ask for 12 to 96 h", RULE),
    )
    tank: _Volume | None = optional("Volume of the fuel tanks of the site")
    tank_usable: _Loading | None = optional(
        "Part of the tank that can be used",
        Default(0.90, "the rest lies below the outlet or must stay free", RECALLED),
    )
    start_time: _Seconds | None = optional(
        "From the loss of the utility to sets ready for load",
        Default(10.0, "type 10 of NFPA 110", RECALLED),
    )
    filter_capacitive: _Reactive | None = optional(
        "Capacitive reactive power of the input filter of one UPS module"
    )
    leading_limit: _Loading | None = factor(
        "Leading reactive power that a set can take, over its kVA",
        Default(
            0.20,
            "leading reactive power over the kVA of a set; its capability curve decides",
            RECALLED,
        ),
    )

    @field_validator("steps")
    @classmethod
    def _whole(cls, value: tuple[Measured, ...] | None) -> tuple[Measured, ...] | None:
        total = sum(step.si for step in value or ())
        if value is not None and abs(total - 1.0) > _STEPS_SUM:
            raise problem(
                "STEPS_WRONG",
                f"the load steps sum to {total:.1%} of the load, not to 100 %.",
                "Give every step as a part of the whole load, e.g. [40 %, 30 %, 30 %].",
            )
        return value

    @field_validator("starting_current")
    @classmethod
    def _above_running(cls, value: Measured | None) -> Measured | None:
        if value is not None and not 1.0 <= value.si <= 12.0:
            raise problem("OUT_OF_RANGE", "starting over running current lies from 1 to 12.")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> GeneratorSection:
        _spares_known(self.redundancy)
        if self.model is not None and (self.rating or self.rating_kva):
            raise problem(
                "GENERATOR_CONTRADICTION",
                "a catalogue model and a rating are both given.",
                "Give the model, or the rating of your own set.",
            )
        if self.power_factor is not None and (self.rating is None) == (self.rating_kva is None):
            raise problem(
                "GENERATOR_CONTRADICTION",
                "a power factor goes with one rating of a set.",
                "Give it with rating or rating_kva alone.",
                at="power_factor",
            )
        return self
