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
        f"{text!r} is not a voltage system known here: four-wire systems with the neutral in the"
        " middle are, no delta, no single-phase system of three wires.",
        text,
        RACK_SYSTEMS,
    )


class UpsSection(Section):
    """UPS modules: a catalogue model or a rating of your own, and how many."""

    model: Name | None = optional("Module of the catalogue")
    module_rating: _Power | None = optional("Rating of one module in active power", symbol="P_r")
    module_rating_kva: _Rating | None = optional(
        "Rating of one module in apparent power", symbol="S_r"
    )
    output_power_factor: Number | None = optional(
        "Active over apparent power that a module can deliver",
        Default(1.0, "current modules deliver as many kW as kVA; older ones 0.8 or 0.9", RECALLED),
        within=(0.5, 1.0),
    )
    modules_per_system: PositiveCount | None = optional(
        "Modules of one UPS system, spare ones included", most=500
    )
    max_parallel: PositiveCount | None = optional(
        "Most modules in parallel on one output bus, by their maker; in place of that of the"
        " catalogue",
        Default(None, "that of the module; UPS-PARALLEL says where it is not known", RULE),
        most=500,
    )
    buses: PositiveCount | None = optional(
        "Separate output buses of one system, each with its own spare modules",
        Default(
            1, "the modules of a system work on one output bus; see the check UPS-OUTPUT-BUS", RULE
        ),
        most=500,
    )
    max_loading: _Loading | None = optional(
        "Highest loading of a module after the failure that is designed for",
        Default(
            1.0,
            "to the full rating after the designed failure; growth is carried by criteria.growth",
            RULE,
        ),
        within=(0.05, 1.0),
    )
    input_power_factor: Number | None = optional(
        "Power factor at the input",
        Default(None, "that of the module whose loss curve is taken"),
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
        "Power of the battery charger over the module rating",
        Default(
            0.10,
            "charger power over module rating, lead-acid: on transformers and generators "
            "after an outage",
            RECALLED,
        ),
    )
    low_line: _Part | None = factor(
        "How far below nominal the input voltage may be while the rectifier carries "
        "load and recharge",
        Default(0.10, "end of the input range at full load that makers commonly state", RECALLED),
    )
    input_limit: _Current | None = optional(
        "Current to which the rectifier of one module limits its input; its static and maintenance"
        " bypass are not limited",
        Default(
            None,
            "no limit; where no breaker carries a module at its rating, at low line, with recharge:"
            " what the largest breaker carries",
            RULE,
        ),
        symbol="I_{lim}",
    )
    bypass_rating: _Bypass | None = factor(
        "Power that static and maintenance bypass carry over that of the modules",
        Default(
            1.10,
            "static and maintenance bypass carry 110 % of the kVA of the modules for hours: on "
            "bypass nothing holds the voltage, and the load draws more current",
            RECALLED,
        ),
    )
    conductor_spare: _Part | None = optional(
        "Part of a module that is reserved for conductors that lose more than power.distribution"
        " assumes",
        Default(
            None,
            "1.5 %; with room for 125 % no more than branch and feeder lose; none beside"
            " modules_per_system",
            RULE,
        ),
    )
    shortlist: PositiveCount | None = optional(
        "Modules that are compared, the one designed among them",
        Default(3, "the one designed first, then the others by the rule of the choice", RULE),
        most=20,
    )
    eco_mode: Flag | None = optional("Whether the UPS works in eco mode")
    eco_efficiency: _Loading | None = optional(
        "Efficiency in eco mode", symbol=r"\eta_{eco}", within=(0.5, 1.0)
    )
    sags: UpsSagSection | None = None

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
        if any(points) and not ((own or self.model is not None) and all(points)):
            raise problem(
                "UPS_CURVE",
                "an efficiency curve needs its four points, and module_rating or model.",
                "Give efficiency_25, efficiency_50, efficiency_75, efficiency_100, and the rating"
                " or the model that they are of.",
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

    voltage: _Voltage | None = optional(
        "Voltage of the LV boards and the UPS",
        Default(None, "that of the racks; 480 V where it is below 380 V", RULE),
    )
    rack_system: Name | None = optional(
        "Voltage system of the racks: 415Y/240, 400Y/230, 380Y/220, 480Y/277, 208Y/120,"
        " 220Y/127, 200Y/115 or 600Y/347",
        Default(
            None, "what the code and the country use, and the supplies of the racks take", RULE
        ),
    )
    pdu_transformer: _Rating | None = optional("Rating of one PDU transformer")
    pdus: PositiveCount | None = optional("PDU transformers, as built", most=10_000)
    pdu_k_rating: PositiveCount | None = optional(
        "K rating of the PDU transformers (UL 1561), for the harmonics of the racks",
        Default(None, "that of the floor PDUs listed; else 1, made for sinusoidal currents", RULE),
        most=50,
    )
    pdu_max_loading: _Loading | None = optional(
        "Highest loading of a PDU transformer after the loss of a feed",
        Default(
            0.95,
            "to 95 % of the nameplate after the loss of a feed: on the bypass of the UPS the"
            " voltage is lower and the current higher, which the sizing does not know",
            RULE,
        ),
        within=(0.2, 1.0),
    )
    panel_bus: _Amperes | None = optional(
        "Current rating of the bus of a panelboard",
        Default(None, "bus of the RPP of the catalogue"),
    )
    panel_main: _Amperes | None = optional(
        "Main breaker of a panelboard",
        Default(None, "as the bus, or the largest standard rating up to it", RULE),
    )
    panel_poles: PositiveCount | None = optional(
        "Poles of a panelboard",
        Default(42, "one of the two panelboards of the RPP of the catalogue"),
        most=252,
    )
    listed_100: Flag | None = optional(
        "Whether assemblies and breakers are listed for 100 % continuous load",
        Default(
            "no", "assembly and breakers listed for 100 % continuous load only where stated", RULE
        ),
    )
    breakers: tuple[_Amperes, ...] | None = optional(
        "Breaker sizes that may be chosen for rack circuits",
        Default(None, "the standard sizes of the code up to bus and main"),
        most=100,
    )
    ties: Flag | None = optional(
        "Whether bus ties join the LV boards",
        Default(
            "no", "no bus ties between the LV boards: each has its own transformers alone", RULE
        ),
    )
    branch_loss: _Part | None = optional(
        "Loss between panel and rack over the IT load",
        Default(None, "share of the loss of the distribution besides the UPS"),
    )
    feeder_loss: _Part | None = optional(
        "Loss between UPS and panel over the IT load",
        Default(None, "share of the loss of the distribution besides the UPS"),
    )
    board_loss: _Part | None = optional(
        "Loss of the LV boards over the IT load",
        Default(None, "share of the loss of the distribution besides the UPS"),
    )
    feeder_in_hall: _Share | None = optional(
        "Part of the loss of the feeders that heats the halls, the rest the electrical rooms",
        Default(
            0.5,
            "half the feeder length runs in the halls, half in the electrical rooms; losses of UPS"
            " and LV boards heat the electrical rooms, those of rack PDUs, branches and PDU"
            " transformers the halls, MV/LV transformers stand outdoors",
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
    """The power chain; every field left out is designed."""

    redundancy: Name | None = optional(
        "Scheme of the UPS: N, N+1, N+2, 2N, 2(N+1), 3N/2, 4N/3, 5N/4, 6N/5, block-redundant",
        Default("N+1", "no scheme is given: one spare module", RULE),
    )
    blocks: PositiveCount | None = optional(
        "Primary systems of a block-redundant scheme",
        Default(3, "primary systems that share one reserve", RULE),
        most=64,
    )
    systems: PositiveCount | None = optional(
        "UPS systems, to be checked against the scheme", most=64
    )
    feeds: tuple[Name, ...] | None = optional(
        "Names of the feeds of the racks",
        Default(
            None, "one per system, or two sides; as many as the supplies need to lose one", RULE
        ),
        most=8,
    )
    mechanical_power_factor: _PowerFactor | None = optional(
        "Power factor of the mechanical load",
        Default(0.90, "fans, pumps and compressors, most of them on drives", RECALLED),
        symbol=r"\cos\varphi",
    )
    house_power_factor: _PowerFactor | None = optional(
        "Power factor of the house load",
        Default(0.90, "lights and controls", RECALLED),
        symbol=r"\cos\varphi",
    )
    house_third_harmonic: _Share | None = optional(
        "Third harmonic of the current of lights and small power over that current, which their"
        " neutral carries: it sizes their circuits by the IEC (60364-5-52, annex E) alone"
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
