"""The power chain in SI: what is given and what is left to be designed.

None means that the design chooses.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from facility.model.power.hall_distribution import PanelBasis
from facility.model.power.redundancy import Scheme

NAMEPLATE_POWER_FACTOR = 0.8
"""Of generator sets, where none is stated."""

Curve = tuple[tuple[float, float], ...]
Spectrum = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class UpsBasis:
    """What is given of the UPS.

    `buses` is the number of separate output buses of one system, left to the design where
    `buses_open`; the spare modules of the scheme stand on each. `efficiency` holds (load fraction,
    efficiency) points of the user's own module. `recharge` is the charger power as a fraction of
    the module rating. `eco_efficiency` is None if not specified; eco mode never changes the
    losses of the design. `conductor_spare` is the part of a module that an open number of them
    leaves to conductors that lose more than the chain reckons with; `shortlist` how many modules
    are compared.
    """

    model: str
    module_w: float | None
    module_va: float | None
    modules_per_system: int | None
    buses: int
    buses_open: bool
    max_loading: float
    input_power_factor: float | None
    efficiency: Curve
    recharge: float
    factors: Mapping[str, float] = field(hash=False)  # Of `UpsSection`, by name
    eco_mode: bool
    eco_efficiency: float | None
    input_limit_a: float | None = None  # Of the rectifier of one module, where stated
    conductor_spare: float = 0.0
    shortlist: int = 3
    max_parallel: int | None = None  # Most modules in parallel on one output bus, where stated
    rating_left: float = 1.0  # Part of their rating that the altitude leaves
    code: str = ""  # Code of the site, for which modules of the catalogue are made
    chosen: str = ""  # Module that the design has chosen, and why
    because: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the project states neither the module nor the number of them."""
        return not self.model and self.module_w is None and self.modules_per_system is None


@dataclass(frozen=True)
class WiringBasis:
    """Distribution between UPS output and rack, and the LV boards.

    Losses are fractions of the IT load at the design load; `feeder_in_hall` is the part of the
    feeder loss that heats the halls. `pdu_count` is the total of PDU transformers as built,
    `pdu_k_rating` their K rating where given. With `ties` an LV board can take the transformers of
    its neighbour.
    """

    lv_voltage_v: float
    rack_voltage_v: float
    rack_system: str
    pdu_rating_va: float | None
    pdu_count: int | None
    pdu_max_loading: float
    pdu_k_rating: int | None
    branch_loss: float
    feeder_loss: float
    lv_loss: float
    feeder_in_hall: float
    ties: bool
    pdu_rating_left: float = 1.0  # Part of the rating of PDU transformers that the altitude leaves
    losses_stated: bool = False  # Whether the project states one of the losses
    pdu_chosen_va: float = 0.0  # Rating of PDU transformers that the design has chosen
    systems: tuple[str, ...] = ()  # Voltage systems that the design may choose from

    @property
    def has_pdu_transformers(self) -> bool:
        """Whether racks get another voltage than the UPS delivers."""
        return self.lv_voltage_v != self.rack_voltage_v


@dataclass(frozen=True)
class TransformerBasis:
    """What is given of the MV/LV transformers.

    `count` is the total as built; `spare` the transformers of one system beyond its duty;
    `largest_va` the largest rating the design may choose; losses are per transformer.
    `harmonics` and `it_harmonics` hold (order, current over the fundamental) of the current of
    the MV/LV and of the PDU transformers, empty where not given; `distortion` is that of the
    former where it is stated in their place. `vector_group` is that of the MV/LV transformers,
    `tolerance` how far their impedance may lie from the nameplate.
    """

    rating_va: float | None
    count: int | None
    spare: int
    max_loading: float
    largest_va: float
    no_load_w: float | None
    load_loss_w: float | None
    impedance: float | None
    harmonics: Spectrum
    it_harmonics: Spectrum
    distortion: float | None
    factors: Mapping[str, float] = field(hash=False)  # Of `TransformerSection`, by name
    tolerance: float
    vector_group: str
    # Current through the neutral of each LV transformer and generator set in a ground fault, where
    # a high resistance grounds it [A]; None where it is grounded solidly.
    grounding_a: float | None
    rating_left: float = 1.0  # Part of their rating that the altitude leaves


@dataclass(frozen=True)
class GeneratorOperation:
    """How the plant takes its load and how long it lasts: the inputs of `GeneratorSection` in SI.

    `running_sets` is None for all that are not spare, `steps` empty for the sequence of the design,
    `largest_motor_w` None for the largest of the cooling, `tank_m3` None for tanks of the design.
    """

    performance_class: str
    running_sets: int | None
    first_step: float | None
    steps: tuple[float, ...]
    transient_reactance: float
    largest_motor_w: float | None
    motor_start: str
    starting_current: float
    minimum_load: float
    test_s: float
    test_load: float
    fuel_s: float
    tank_m3: float | None
    tank_usable: float
    start_s: float
    filter_var: float | None
    factors: Mapping[str, float] = field(hash=False)  # Of `GeneratorSection`, by name


@dataclass(frozen=True)
class GeneratorBasis:
    """What is given of the generator plant.

    `count` is the total as built, `spare` included. `connection` is LV or MV, empty where the
    design chooses. `breaker` is where the overcurrent device of each low-voltage set is, at the
    set or the bus, empty where the plant decides; `breaker_a` its rating as built. `voltage_v` is
    that of the sets where it is stated. The plant has `sections` with buses of their own and
    `spare` sets on each; `section_parts` are their parts of the load. Both follow from the design.
    """

    model: str
    set_w: float | None
    set_va: float | None
    count: int | None
    spare: int
    max_loading: float | None
    derate: float | None
    connection: str
    operation: GeneratorOperation
    voltage_v: float | None = None
    breaker: str = ""
    breaker_a: float | None = None
    overload_prevented: bool = False  # NEC 445.13(A), exception
    section_parts: tuple[float, ...] = (1.0,)
    most_va: float = math.inf  # Largest set that may be chosen; follows from the design

    @property
    def sections(self) -> int:
        """Number of bus sections."""
        return len(self.section_parts)

    @property
    def is_open(self) -> bool:
        """Whether the design chooses the sets and their number."""
        return not self.model and self.set_w is None and self.count is None


@dataclass(frozen=True)
class PowerChain:
    """The chain from utility to rack: scheme, feeds, and the basis of each stage.

    `unevenness` is the load of the fullest output bus over the mean of those it shares with,
    `bus_phases` that of the fullest phase of each number of bus over its mean, `fullest_pdu` that
    of the fullest phase of a PDU transformer over an even part of the fullest feed, with 1, 2, ...
    of them behind each output bus or transfer switch, as many as panels hang there; `bus_air` and
    `bus_coolant` are the parts of the heat in air and in coolant that the racks of each number of
    bus give; `bus_load` has by system the part of its load behind each bus. All follow from the
    panels of the design.
    """

    scheme: Scheme
    feeds: tuple[str, ...]
    ups: UpsBasis
    wiring: WiringBasis
    transformer: TransformerBasis
    generator: GeneratorBasis
    panels: PanelBasis
    mechanical_power_factor: float
    house_power_factor: float
    house_third_harmonic: float | None = None  # Over the current; None where not stated
    unevenness: float = 1.0
    bus_phases: tuple[float, ...] = (1.0,)
    fullest_pdu: tuple[float, ...] = ()
    bus_air: tuple[float, ...] = (1.0,)
    bus_coolant: tuple[float, ...] = (1.0,)
    bus_load: tuple[tuple[float, ...], ...] = ()

    def part_of_bus(self, system: str, bus: int) -> float:
        """Return the part of the load of a system behind a bus; even before panels are known."""
        known = dict(zip(self.scheme.systems, self.bus_load, strict=False))
        return known[system][bus] if system in known else 1.0 / self.ups.buses

    @property
    def fullest_phase(self) -> float:
        """Load of the fullest phase of an output bus over the mean of buses and phases."""
        return max(self.bus_phases)
