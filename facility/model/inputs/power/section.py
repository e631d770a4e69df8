"""The power section of the project: redundancy, UPS, distribution, transformers, generators."""

from __future__ import annotations

from typing import Annotated

from pydantic import field_validator, model_validator

from facility.core.errors import FacilityError, near_matches
from facility.core.parse import Measured
from facility.model.inputs.power.battery import BatterySection
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.inputs.power.dc import DcSection
from facility.model.inputs.power.faults import FaultSection
from facility.model.inputs.power.plant import GeneratorSection, TransformerSection
from facility.model.inputs.power.reliability import ReliabilitySection
from facility.model.inputs.scalars import (
    Flag,
    Name,
    Number,
    PositiveCount,
    Section,
    problem,
    quantity,
)
from facility.model.power.redundancy import scheme_name

RACK_SYSTEMS = {
    "415Y/240": (415.0, 240.0),
    "400Y/230": (400.0, 230.0),
    "480Y/277": (480.0, 277.0),
    "208Y/120": (208.0, 120.0),
}
"""Voltage systems of the racks: line-to-line and nominal line-to-neutral voltage [V]."""

_MAX_FEEDS = 8

_Power = Annotated[Measured, quantity("active_power", minimum=1e3, maximum=2e7)]
_Rating = Annotated[Measured, quantity("apparent_power", minimum=1e3, maximum=2e8)]
_Voltage = Annotated[Measured, quantity("line_voltage", minimum=200.0, maximum=1000.0)]
_Amperes = Annotated[Measured, quantity("current", above=0.0)]
_Loading = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_Part = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]


def _refused(error: FacilityError) -> Exception:
    return problem(error.code, error.message, error.hint)


def rack_system(text: str) -> str:
    """Return the voltage system of `RACK_SYSTEMS` that `text` names.

    Raises
    ------
    FacilityError
        ``UNKNOWN_SYSTEM`` with the nearest names.
    """
    folded = "".join(text.split()).upper().removesuffix("V")
    for name, (line_v, phase_v) in RACK_SYSTEMS.items():
        short = f"{line_v:.0f}/{phase_v:.0f}"
        if folded in (name, short, short.replace("/", "Y"), f"{line_v:.0f}"):
            return name
    raise FacilityError(
        "UNKNOWN_SYSTEM",
        "power.distribution.rack_system",
        f"{text!r} is not a voltage system known here.",
        near_matches(text, RACK_SYSTEMS),
    )


class UpsSection(Section):
    """UPS modules: a catalogue model or a rating of your own, and how many.

    `buses` is the number of separate output buses of one system, each with its own spare modules.
    """

    model: Name | None = None
    module_rating: _Power | None = None
    module_rating_kva: _Rating | None = None
    output_power_factor: Number | None = None
    modules_per_system: PositiveCount | None = None
    buses: PositiveCount | None = None
    max_loading: _Loading | None = None
    input_power_factor: Number | None = None
    efficiency_25: _Loading | None = None
    efficiency_50: _Loading | None = None
    efficiency_75: _Loading | None = None
    efficiency_100: _Loading | None = None
    recharge: _Part | None = None
    low_line: _Part | None = None
    eco_mode: Flag | None = None
    eco_efficiency: _Loading | None = None

    @model_validator(mode="after")
    def _consistent(self) -> UpsSection:
        if self.eco_efficiency is not None and self.eco_mode is not True:
            raise problem(
                "UPS_CONTRADICTION",
                "an eco-mode efficiency goes with eco mode.",
                "Write eco_mode: true, or remove it.",
                at="eco_efficiency",
            )
        own = self.module_rating is not None or self.module_rating_kva is not None
        points = (self.efficiency_25, self.efficiency_50, self.efficiency_75, self.efficiency_100)
        if self.model is not None and own:
            raise problem(
                "UPS_CONTRADICTION",
                "a catalogue model and a module rating are both given.",
                "Give the model, or the rating of your own module.",
                at="model",
            )
        if any(points) and not (own and all(points)):
            raise problem(
                "UPS_CURVE",
                "an efficiency curve needs its four points and module_rating.",
                "Give efficiency_25, efficiency_50, efficiency_75, efficiency_100 and the rating.",
            )
        if self.output_power_factor is not None and not (
            own and (self.module_rating is None or self.module_rating_kva is None)
        ):
            raise problem(
                "UPS_CONTRADICTION",
                "an output power factor goes with one module rating.",
                "Give it with module_rating or module_rating_kva alone.",
                at="output_power_factor",
            )
        for name in ("output_power_factor", "input_power_factor"):
            factor = getattr(self, name)
            if factor is not None and not 0.0 < factor.si <= 1.0:
                raise problem(
                    "OUT_OF_RANGE", "a power factor lies above 0 and is at most 1.", at=name
                )
        return self


class DistributionSection(Section):
    """Voltages, PDU transformers, panelboards and wiring losses between UPS and rack."""

    voltage: _Voltage | None = None
    rack_system: Name | None = None
    pdu_transformer: _Rating | None = None
    pdus: PositiveCount | None = None
    panel_bus: _Amperes | None = None
    panel_main: _Amperes | None = None
    panel_poles: PositiveCount | None = None
    listed_100: Flag | None = None
    breakers: tuple[_Amperes, ...] | None = None
    ties: Flag | None = None
    branch_loss: _Part | None = None
    feeder_loss: _Part | None = None
    board_loss: _Part | None = None

    @field_validator("rack_system")
    @classmethod
    def _known_system(cls, value: str | None) -> str | None:
        try:
            return value if value is None or rack_system(value) else None
        except FacilityError as error:
            raise _refused(error) from None


class PowerSection(Section):
    """The power chain; every field left out is designed."""

    redundancy: Name | None = None
    blocks: PositiveCount | None = None
    systems: PositiveCount | None = None
    feeds: tuple[Name, ...] | None = None
    ups: UpsSection | None = None
    distribution: DistributionSection | None = None
    transformer: TransformerSection | None = None
    generator: GeneratorSection | None = None
    battery: BatterySection | None = None
    conductors: ConductorSection | None = None
    faults: FaultSection | None = None
    dc: DcSection | None = None
    reliability: ReliabilitySection | None = None

    @field_validator("redundancy")
    @classmethod
    def _known_scheme(cls, value: str | None) -> str | None:
        try:
            return value if value is None or scheme_name(value, "") else None
        except FacilityError as error:
            raise _refused(error) from None

    @field_validator("feeds")
    @classmethod
    def _distinct_feeds(cls, value: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if value is not None and not (
            len(set(value)) == len(value) and 1 <= len(value) <= _MAX_FEEDS
        ):
            raise problem(
                "FEEDS_WRONG", f"feeds must be 1 to {_MAX_FEEDS} different names.", "E.g. [A, B]."
            )
        return value
