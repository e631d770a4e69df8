"""Power chain in SI: specified values, and design variables.

None means that the design selects the value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from facility.model.power.hall_distribution import PanelBasis
from facility.model.power.redundancy import Scheme

NAMEPLATE_POWER_FACTOR = 0.8
"""Default nameplate power factor of generator sets."""

Curve = tuple[tuple[float, float], ...]
Spectrum = tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class UpsBasis:
    """UPS data.

    `buses` is the number of separate output buses of one system, a design variable if
    `buses_open`; each has the spare modules of the scheme. `efficiency` holds (load fraction,
    efficiency) points of a user-defined module. `recharge` is the charger power as a fraction of
    the module rating. `eco_efficiency` is None if not specified; eco mode never changes the losses
    of the design. `conductor_spare` is the fraction of a module reserved for conductor losses above
    the assumed ones if the number of modules is not specified; `shortlist` is the number of modules
    compared.
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
    input_limit_a: float | None = None  # Of the rectifier of one module, if specified
    conductor_spare: float = 0.0
    shortlist: int = 3
    max_parallel: int | None = None  # Maximum parallel modules per output bus, if specified
    rating_left: float = 1.0  # Altitude derating factor
    code: str = ""  # Code of the site, for suitable catalogue modules
    chosen: str = ""  # Module selected by the design, and why
    because: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the project specifies neither the module nor the number of modules."""
        return not self.model and self.module_w is None and self.modules_per_system is None


@dataclass(frozen=True)
class WiringBasis:
    """Distribution between UPS output and rack, and the LV boards.

    Losses are fractions of the IT load at the design load; `feeder_in_hall` is the fraction of the
    feeder loss that heats the halls. `pdu_count` is the as-built total of PDU transformers,
    `pdu_k_rating` their K rating if specified. With `ties` an LV board can be supplied by the
    transformers of the adjacent board.
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
    pdu_rating_left: float = 1.0  # Altitude derating factor of PDU transformers
    losses_stated: bool = False  # Whether the project specifies one of the losses
    pdu_chosen_va: float = 0.0  # PDU transformer rating selected by the design
    systems: tuple[str, ...] = ()  # Candidate voltage systems of the design

    @property
    def has_pdu_transformers(self) -> bool:
        """Whether rack voltage and UPS voltage differ."""
        return self.lv_voltage_v != self.rack_voltage_v


@dataclass(frozen=True)
class TransformerBasis:
    """Data of the MV/LV transformers.

    `count` is the as-built total; `spare` the spare transformers of one system; `largest_va` the
    largest permitted rating; losses are per transformer. `harmonics` and `it_harmonics` hold
    (order, current / fundamental) of the current of the MV/LV and of the PDU transformers, empty if
    not specified; `distortion` is the distortion of the former if specified instead. `vector_group`
    is for the MV/LV transformers, `tolerance` the tolerance of their impedance relative to the
    nameplate.
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
    # Neutral current of each LV transformer and generator set in a ground fault with
    # high-resistance grounding [A]; None if solidly grounded.
    grounding_a: float | None
    rating_left: float = 1.0  # Altitude derating factor


@dataclass(frozen=True)
class GeneratorOperation:
    """Generator operation: load steps and fuel, the inputs of `GeneratorSection` in SI.

    `running_sets` is None for all duty sets, `steps` empty for the design sequence,
    `largest_motor_w` None for the largest cooling motor, `tank_m3` None for automatic tanks.
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
    """Data of the generator plant.

    `count` is the as-built total, `spare` included. `connection` is LV or MV, empty for automatic.
    `breaker` is the location of the overcurrent device of each low-voltage set, at the set or the
    bus, empty for automatic; `breaker_a` its as-built rating. `voltage_v` is the set voltage if
    specified. The plant has `sections` with separate buses and `spare` sets on each;
    `section_parts` are their load shares. Both follow from the design.
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
    max_va: float = math.inf  # Largest permitted set; from the design

    @property
    def sections(self) -> int:
        """Number of bus sections."""
        return len(self.section_parts)

    @property
    def is_open(self) -> bool:
        """Whether the design selects the sets and their number."""
        return not self.model and self.set_w is None and self.count is None


@dataclass(frozen=True)
class PowerChain:
    """Chain from utility to rack: scheme, feeds, and the basis of each stage.

    `unevenness` is the load of the most loaded output bus / mean of the buses that share with it,
    `bus_phases` the load of the most loaded phase of each bus index / its mean, `pdu_peak_ratios`
    the load of the most loaded PDU transformer phase / even share of the most loaded feed, with 1,
    2, ... of them on each output bus or transfer switch, up to the number of panels there;
    `bus_air` and `bus_coolant` are the shares of the heat in air and in coolant of the racks of
    each bus index; `bus_load` has by system the share of its load on each bus. All follow from the
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
    house_third_harmonic: float | None = None  # Third harmonic / current; None if not specified
    unevenness: float = 1.0
    bus_phases: tuple[float, ...] = (1.0,)
    pdu_peak_ratios: tuple[float, ...] = ()
    bus_air: tuple[float, ...] = (1.0,)
    bus_coolant: tuple[float, ...] = (1.0,)
    bus_load: tuple[tuple[float, ...], ...] = ()

    def part_of_bus(self, system: str, bus: int) -> float:
        """Return the load share of a bus within a system; also before panels are known."""
        known = dict(zip(self.scheme.systems, self.bus_load, strict=False))
        return known[system][bus] if system in known else 1.0 / self.ups.buses

    @property
    def max_phase_ratio(self) -> float:
        """Load of the most loaded phase of an output bus / mean of buses and phases."""
        return max(self.bus_phases)
