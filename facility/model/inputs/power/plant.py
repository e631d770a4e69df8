"""The plant in the project: MV/LV transformers and generator sets."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import field_validator, model_validator

from facility.core.parse import Measured
from facility.model.inputs.scalars import (
    Count,
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)

_Power = Annotated[Measured, quantity("active_power", minimum=1e3, maximum=2e7)]
_Rating = Annotated[Measured, quantity("apparent_power", minimum=1e3, maximum=2e8)]
_Voltage = Annotated[Measured, quantity("line_voltage", minimum=100.0, maximum=2.5e4)]
_Loss = Annotated[Measured, quantity("active_power")]
_Loading = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Part = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]
_Share = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=1.0)]
_Hours = Annotated[Measured, quantity("time", minimum=60.0, maximum=3.2e7)]
_Seconds = Annotated[Measured, quantity("time", above=0.0, maximum=600.0)]
_Volume = Annotated[Measured, quantity("volume", above=0.0)]
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

    order: PositiveCount
    current: _Share


class TransformerSection(Section):
    """MV/LV transformers: rating, total count, spare units, losses of one, impedance, harmonics.

    `harmonics` are those of the current of the MV/LV transformers, `it_harmonics` those of the
    current of the racks, which PDU transformers carry; `eddy_loss` is that of the windings at
    rated current over their resistive loss. `vector_group` is Dyn with its clock number, YNyn0 or
    Yyn0.
    """

    rating: _Rating | None = None
    count: PositiveCount | None = None
    redundancy: Name | None = None
    max_loading: _Loading | None = None
    no_load_loss: _Loss | None = None
    load_loss: _Loss | None = None
    impedance: _Part | None = None
    harmonics: tuple[HarmonicSection, ...] | None = None
    it_harmonics: tuple[HarmonicSection, ...] | None = None
    eddy_loss: _Part | None = None
    vector_group: Name | None = None

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
    """Generator sets: a catalogue model or a rating of your own, count, how they take the load.

    `voltage` is the rated voltage of the sets; where it is not that of their bus each set has a
    step-up transformer.

    `first_step` is the largest part of the running capacity that the sets take from no load,
    `steps` the load steps as parts of the load in their order, `running_sets` the sets on the bus
    when the first step comes. `filter_capacitive` is the capacitive reactive power of the input
    filter of one UPS module, `leading_limit` what a set can take of it over its kVA.
    """

    model: Name | None = None
    rating: _Power | None = None
    rating_kva: _Rating | None = None
    count: Count | None = None
    redundancy: Name | None = None
    max_loading: _Loading | None = None
    derate: _Loading | None = None
    connection: Literal["LV", "MV"] | None = None
    voltage: _Voltage | None = None
    performance_class: Literal["G1", "G2", "G3", "G4"] | None = None
    running_sets: PositiveCount | None = None
    first_step: _Loading | None = None
    steps: tuple[_Loading, ...] | None = None
    transient_reactance: _Loading | None = None
    largest_motor: _Power | None = None
    motor_start: Literal["drive", "soft", "direct"] | None = None
    starting_current: Number | None = None
    minimum_load: _Loading | None = None
    fuel_hours: _Hours | None = None
    tank: _Volume | None = None
    tank_usable: _Loading | None = None
    start_time: _Seconds | None = None
    filter_capacitive: _Reactive | None = None
    leading_limit: _Loading | None = None

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
        return self
