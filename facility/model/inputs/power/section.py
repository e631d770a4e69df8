"""The power section of the project: redundancy, UPS, distribution, transformers, generators."""

from __future__ import annotations

from typing import Annotated

from pydantic import field_validator, model_validator

from facility.core.errors import FacilityError, unknown
from facility.core.parse import Measured
from facility.core.sources import RECALLED, RULE
from facility.model.inputs.declare import Default, factor, optional
from facility.model.inputs.load_motion import SmoothingSection, UpsSagSection
from facility.model.inputs.power.battery import BatterySection
from facility.model.inputs.power.conductors import ConductorSection
from facility.model.inputs.power.dc import DcSection
from facility.model.inputs.power.faults import FaultSection
from facility.model.inputs.power.mv_cables import MvCableSection
from facility.model.inputs.power.nameplates import MAX_NAMEPLATES, EquipmentNameplateSection
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
    "380Y/220": (380.0, 220.0),
    "480Y/277": (480.0, 277.0),
    "208Y/120": (208.0, 120.0),
    "220Y/127": (220.0, 127.0),
    "200Y/115": (200.0, 115.0),
    "600Y/347": (600.0, 347.0),
}
"""Voltage systems of the racks: line-to-line and nominal line-to-neutral voltage [V]."""

_MAX_FEEDS = 8

_Power = Annotated[Measured, quantity("active_power", minimum=1e3, maximum=2e7)]
_Current = Annotated[Measured, quantity("current", above=0.0)]
_Rating = Annotated[Measured, quantity("apparent_power", minimum=1e3, maximum=2e8)]
_Voltage = Annotated[Measured, quantity("line_voltage", minimum=200.0, maximum=1000.0)]
_Amperes = Annotated[Measured, quantity("current", above=0.0)]
_Loading = Annotated[Measured, quantity("fraction", above=0.0, maximum=1.0)]
_PowerFactor = Annotated[Measured, quantity("ratio", minimum=0.5, maximum=1.0)]
_Bypass = Annotated[Measured, quantity("ratio", minimum=1.0, maximum=1.5)]
_Share = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=1.0)]
_Part = Annotated[Measured, quantity("fraction", minimum=0.0, maximum=0.5)]


def _refused(error: FacilityError) -> Exception:
    return problem(error.code, error.message, error.hint)


def rack_system(text: str) -> str:
    """Return the voltage system of `RACK_SYSTEMS` that `text` names.

    Raises ``UNKNOWN_SYSTEM`` with the nearest names.
    """
    folded = "".join(text.split()).upper().removesuffix("V")
    for name, (line_v, phase_v) in RACK_SYSTEMS.items():
        short = f"{line_v:.0f}/{phase_v:.0f}"
        if folded in (name, short, short.replace("/", "Y"), f"{line_v:.0f}"):
            return name
    raise unknown(
        "UNKNOWN_SYSTEM",
        "power.distribution.rack_system",
        f"{text!r} is not a supported voltage system: only four-wire systems with a center"
        " neutral are, not delta or single-phase three-wire systems.",
        text,
        RACK_SYSTEMS,
    )


class UpsSection(Section):
    """UPS modules: catalogue model or user rating, and count."""

    model: Name | None = optional("Catalogue UPS module")
    module_rating: _Power | None = optional("Active power rating of one module", symbol="P_r")
    module_rating_kva: _Rating | None = optional(
        "Apparent power rating of one module", symbol="S_r"
    )
    output_power_factor: Number | None = optional(
        "Output power factor: active over apparent power of a module",
        Default(1.0, "current modules: kW equal to kVA; older ones 0.8 or 0.9", RECALLED),
        within=(0.5, 1.0),
    )
    modules_per_system: PositiveCount | None = optional(
        "Modules per UPS system, including spares", max_count=500
    )
    max_parallel: PositiveCount | None = optional(
        "Maximum parallel modules per output bus, from the manufacturer, instead of the"
        " catalogue value",
        Default(None, "catalogue value of the module; UPS-PARALLEL reports unknown limits", RULE),
        max_count=500,
    )
    buses: PositiveCount | None = optional(
        "Separate output buses per system, each with its own spare modules",
        Default(1, "all modules of a system on one output bus (check UPS-OUTPUT-BUS)", RULE),
        max_count=500,
    )
    max_loading: _Loading | None = optional(
        "Maximum module loading after the design failure",
        Default(
            1.0, "full rating after the design failure; growth is separate (criteria.growth)", RULE
        ),
        within=(0.05, 1.0),
    )
    input_power_factor: Number | None = optional(
        "Input power factor",
        Default(None, "input power factor of the module of the loss curve"),
        symbol=r"\cos\varphi",
        within=(0.5, 1.0),
    )
    efficiency_25: _Loading | None = optional(
        "Efficiency at 25 % load", symbol=r"\eta_{25}", within=(0.5, 1.0)
    )
    efficiency_50: _Loading | None = optional(
        "Efficiency at 50 % load", symbol=r"\eta_{50}", within=(0.5, 1.0)
    )
    efficiency_75: _Loading | None = optional(
        "Efficiency at 75 % load", symbol=r"\eta_{75}", within=(0.5, 1.0)
    )
    efficiency_100: _Loading | None = optional(
        "Efficiency at full load", symbol=r"\eta_{100}", within=(0.5, 1.0)
    )
    recharge: _Part | None = optional(
        "Battery charger power over module rating",
        Default(0.10, "lead-acid; loads transformers and generators after an outage", RECALLED),
    )
    low_line: _Part | None = factor(
        "Input undervoltage tolerance with the rectifier carrying load and recharge",
        Default(0.10, "common input range limit at full load", RECALLED),
    )
    input_limit: _Current | None = optional(
        "Input current limit of one module's rectifier; static and maintenance"
        " bypass are not limited",
        Default(
            None,
            "no limit; if no breaker carries a module at rated load, low line and recharge,"
            " the largest breaker rating",
            RULE,
        ),
        symbol="I_{lim}",
    )
    bypass_rating: _Bypass | None = factor(
        "Capacity of static and maintenance bypass over module capacity",
        Default(
            1.10,
            "bypass rated 110 % of module kVA for hours; on bypass, voltage is "
            "not regulated and the load draws more current",
            RECALLED,
        ),
    )
    conductor_spare: _Part | None = optional(
        "Fraction of module capacity reserved for conductor losses above power.distribution"
        " assumptions",
        Default(
            None,
            "1.5 %; with 125 % capacity, at most branch and feeder losses; none with"
            " modules_per_system",
            RULE,
        ),
    )
    shortlist: PositiveCount | None = optional(
        "Number of UPS modules compared, including the selected one",
        Default(3, "selected module first, then the others by the selection rule", RULE),
        max_count=20,
    )
    eco_mode: Flag | None = optional("Eco mode operation")
    eco_efficiency: _Loading | None = optional(
        "Efficiency in eco mode", symbol=r"\eta_{eco}", within=(0.5, 1.0)
    )
    sags: UpsSagSection | None = None

    @model_validator(mode="after")
    def _consistent(self) -> UpsSection:
        if self.eco_efficiency is not None and self.eco_mode is not True:
            raise problem(
                "UPS_CONTRADICTION",
                "an eco-mode efficiency applies only in eco mode.",
                "Enter eco_mode: true, or remove it.",
                at="eco_efficiency",
            )
        own = self.module_rating is not None or self.module_rating_kva is not None
        points = (self.efficiency_25, self.efficiency_50, self.efficiency_75, self.efficiency_100)
        if self.model is not None and own:
            raise problem(
                "UPS_CONTRADICTION",
                "a catalogue model and a module rating are both specified.",
                "Enter the model, or the rating of the module.",
                at="model",
            )
        if any(points) and not ((own or self.model is not None) and all(points)):
            raise problem(
                "UPS_CURVE",
                "an efficiency curve requires its four points, and module_rating or model.",
                "Enter efficiency_25, efficiency_50, efficiency_75, efficiency_100, and the rating"
                " or the model.",
            )
        if self.output_power_factor is not None and not (
            own and (self.module_rating is None or self.module_rating_kva is None)
        ):
            raise problem(
                "UPS_CONTRADICTION",
                "an output power factor applies to one module rating.",
                "Enter it with only module_rating or only module_rating_kva.",
                at="output_power_factor",
            )
        for name in ("output_power_factor", "input_power_factor"):
            factor = getattr(self, name)
            if factor is not None and not 0.0 < factor.si <= 1.0:
                raise problem(
                    "OUT_OF_RANGE", "a power factor must be above 0 and at most 1.", at=name
                )
        return self


class DistributionSection(Section):
    """Voltages, PDU transformers, panelboards and wiring losses between UPS and rack."""

    voltage: _Voltage | None = optional(
        "Voltage of the LV boards and the UPS",
        Default(None, "rack voltage; 480 V if below 380 V", RULE),
    )
    rack_system: Name | None = optional(
        "Rack voltage system: 415Y/240, 400Y/230, 380Y/220, 480Y/277, 208Y/120,"
        " 220Y/127, 200Y/115 or 600Y/347",
        Default(None, "usual for code and country, and accepted by the rack power supplies", RULE),
    )
    pdu_transformer: _Rating | None = optional("Rating of one PDU transformer")
    pdus: PositiveCount | None = optional("PDU transformers, as built", max_count=10_000)
    pdu_k_rating: PositiveCount | None = optional(
        "K factor of the PDU transformers (UL 1561), for rack harmonics",
        Default(None, "K factor of the listed floor PDUs; else 1, for sinusoidal currents", RULE),
        max_count=50,
    )
    pdu_max_loading: _Loading | None = optional(
        "Maximum PDU transformer loading after the loss of a feed",
        Default(
            0.95,
            "95 % of nameplate after the loss of a feed; reserve for the lower"
            " voltage and higher current on UPS bypass, not included in the sizing",
            RULE,
        ),
        within=(0.2, 1.0),
    )
    panel_bus: _Amperes | None = optional(
        "Panelboard bus rating", Default(None, "bus of the catalogue RPP")
    )
    panel_main: _Amperes | None = optional(
        "Panelboard main breaker",
        Default(None, "bus rating, or the largest standard rating below", RULE),
    )
    panel_poles: PositiveCount | None = optional(
        "Panelboard poles",
        Default(42, "one of the two panelboards of the catalogue RPP"),
        max_count=252,
    )
    listed_100: Flag | None = optional(
        "Assemblies and breakers listed for 100 % continuous load",
        Default("no", "100 % listing only if specified", RULE),
    )
    breakers: tuple[_Amperes, ...] | None = optional(
        "Permitted breaker sizes for rack circuits",
        Default(None, "standard sizes of the code up to bus and main"),
        max_count=100,
    )
    ties: Flag | None = optional(
        "Bus ties between LV boards",
        Default("no", "no bus ties between LV boards; each has only its own transformers", RULE),
    )
    branch_loss: _Part | None = optional(
        "Loss between panel and rack, over IT load",
        Default(None, "distribution loss, UPS excluded, split evenly over four parts"),
    )
    feeder_loss: _Part | None = optional(
        "Loss between UPS and panel, over IT load",
        Default(None, "distribution loss, UPS excluded, split evenly over four parts"),
    )
    board_loss: _Part | None = optional(
        "Loss of the LV boards, over IT load",
        Default(None, "distribution loss, UPS excluded, split evenly over four parts"),
    )
    feeder_in_hall: _Share | None = optional(
        "Fraction of feeder loss in the halls; remainder in the electrical rooms",
        Default(
            0.5,
            "half of the feeder length in the halls, half in the electrical rooms; losses of UPS"
            " and LV boards heat the electrical rooms, losses of rack PDUs, branches and PDU"
            " transformers heat the halls; MV/LV transformers are outdoors",
            RULE,
        ),
    )

    @field_validator("rack_system")
    @classmethod
    def _known_system(cls, value: str | None) -> str | None:
        try:
            return value if value is None or rack_system(value) else None
        except FacilityError as error:
            raise _refused(error) from None


class PowerSection(Section):
    """The power chain; omitted fields are designed."""

    redundancy: Name | None = optional(
        "UPS redundancy: N, N+1, N+2, 2N, 2(N+1), 3N/2, 4N/3, 5N/4, 6N/5, block-redundant",
        Default("N+1", "not specified: one spare module", RULE),
    )
    blocks: PositiveCount | None = optional(
        "Primary UPS systems of a block-redundant scheme",
        Default(3, "primary systems with one shared reserve", RULE),
        max_count=64,
    )
    systems: PositiveCount | None = optional(
        "UPS systems, for comparison with the redundancy", max_count=64
    )
    feeds: tuple[Name, ...] | None = optional(
        "Names of the rack feeds",
        Default(
            None,
            "one per system, or two sides; as many as the power supplies require to lose one",
            RULE,
        ),
        max_count=8,
    )
    mechanical_power_factor: _PowerFactor | None = optional(
        "Power factor of the mechanical load",
        Default(0.90, "fans, pumps and compressors, mostly on drives", RECALLED),
        symbol=r"\cos\varphi",
    )
    house_power_factor: _PowerFactor | None = optional(
        "Power factor of the building load",
        Default(0.90, "lighting and controls", RECALLED),
        symbol=r"\cos\varphi",
    )
    house_third_harmonic: _Share | None = optional(
        "Third harmonic over current of lighting and small power, carried by their"
        " neutral; sizes their circuits under the IEC only (60364-5-52, annex E)"
    )
    ups: UpsSection | None = None
    distribution: DistributionSection | None = None
    transformer: TransformerSection | None = None
    generator: GeneratorSection | None = None
    battery: BatterySection | None = None
    smoothing: SmoothingSection | None = None
    conductors: ConductorSection | None = None
    mv_cables: MvCableSection | None = None
    faults: FaultSection | None = None
    dc: DcSection | None = None
    reliability: ReliabilitySection | None = None
    nameplates: tuple[EquipmentNameplateSection, ...] | None = optional(
        "Equipment as purchased, by equipment type", max_count=MAX_NAMEPLATES
    )

    @field_validator("nameplates")
    @classmethod
    def _one_of_each(
        cls, value: tuple[EquipmentNameplateSection, ...] | None
    ) -> tuple[EquipmentNameplateSection, ...] | None:
        listed = [one.equipment for one in value or ()]
        if len(set(listed)) != len(listed):
            raise problem(
                "DUPLICATE",
                "an equipment type has two nameplates.",
                "Enter one nameplate for each equipment type.",
            )
        return value

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
