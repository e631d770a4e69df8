"""Types of the power chain, as designed and in operation."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from facility.core.check import Check
from facility.core.sources import Source
from facility.core.trace import SILENT, Trace
from facility.model.power.chain import PowerChain
from facility.model.power.redundancy import Scheme
from facility.physics.circuits.distribution import with_growth
from facility.physics.elementwise import plain
from facility.power.choices import GeneratorChoice, PowerChoices, TransformerChoice, UpsChoice
from facility.power.train.schemes import FeedGroup, Shares
from facility.power.train.state import State, sizing_states, states_of


@dataclass(frozen=True)
class ChainDemand:
    """Demand on the chain, in SI. Powers may be arrays of equal shape."""

    # IT load at the equipment inputs.
    it_w: float
    it_va: float
    it_peak_w: float  # Short-time peak of the IT load; equal to `it_w` if unknown
    mech_ups_w: float  # Cooling load on the UPS output
    mech_w: float  # Cooling load on the LV boards
    house_w: float  # Lights, controls, security
    # Loss of the rack PDUs as a fraction of the IT load at the design load.
    rack_pdu_fraction: float
    # Connection of the IT load to the feeds; empty for equal groups on all pairs of feeds.
    groups: tuple[FeedGroup, ...] = ()
    # Cooling load that removes coolant heat, of each of the two above; the rest removes air heat.
    mech_ups_coolant_w: float = 0.0
    mech_coolant_w: float = 0.0

    def mech_ups_of_buses(self, chain: PowerChain) -> tuple[float, ...]:
        """Return the cooling load on the UPS outputs by bus index, all systems."""
        return _by_bus(chain, self.mech_ups_w, self.mech_ups_coolant_w)

    def mech_of_buses(self, chain: PowerChain) -> tuple[float, ...]:
        """Return the cooling load on the LV boards by bus index, all systems."""
        return _by_bus(chain, self.mech_w, self.mech_coolant_w)

    def grown(self, growth: float, trace: Trace = SILENT) -> ChainDemand:
        """Return the demand with IT and cooling increased by the fraction `growth`."""
        by = trace.link("criteria.growth", growth)

        def more(id: str, load_w: float) -> float:
            of = "load.it" if id == "it" else f"chain.{id}"
            load = trace.link(of, load_w)
            return float(trace.do(f"chain.design.{id}", with_growth, load_w=load, growth=by))

        factor = 1.0 + growth
        return replace(
            self,
            it_w=more("it", self.it_w),
            it_va=factor * self.it_va,
            it_peak_w=factor * self.it_peak_w,
            mech_ups_w=more("mech_ups", self.mech_ups_w),
            mech_w=more("mech", self.mech_w),
            mech_ups_coolant_w=factor * self.mech_ups_coolant_w,
            mech_coolant_w=factor * self.mech_coolant_w,
        )

    def at_it_fraction(self, fraction: float) -> ChainDemand:
        """Return the demand with the IT load multiplied by `fraction`, the rest unchanged."""
        return replace(
            self,
            it_w=self.it_w * fraction,
            it_va=self.it_va * fraction,
            it_peak_w=self.it_peak_w * fraction,
        )

    def at_hours(self, *hours: int) -> ChainDemand:
        """Return the demand of some hours, as arrays."""

        def some(power_w: float) -> float:
            each = np.ravel(power_w)
            return plain(each[[*hours]] if np.ndim(power_w) else np.repeat(each, len(hours)))

        return replace(
            self,
            it_w=some(self.it_w),
            it_va=some(self.it_va),
            it_peak_w=some(self.it_peak_w),
            mech_ups_w=some(self.mech_ups_w),
            mech_w=some(self.mech_w),
            house_w=some(self.house_w),
            mech_ups_coolant_w=some(self.mech_ups_coolant_w),
            mech_coolant_w=some(self.mech_coolant_w),
        )


def _by_bus(chain: PowerChain, power_w: float, coolant_w: float) -> tuple[float, ...]:
    """Return a cooling load by bus index: on the bus of the racks that it cools."""
    parts = zip(chain.bus_air, chain.bus_coolant, strict=True)
    return tuple((power_w - coolant_w) * air + coolant_w * coolant for air, coolant in parts)


@dataclass(frozen=True)
class UpsModule:
    """UPS module: ratings, loss curve as fractions of the rating, limits, provenance.

    `curve` is the source of the loss curve, `own_curve` whether it is specific to the module;
    `voltages` is the output as published, `output_bands_v` the same as numbers. `tier` ranks
    provenance: 0 curve read, 1 rating read and curve of its family or scaled, 2 one unverified.
    `memory` names the unverified values.
    """

    model: str
    rating_w: float
    rating_va: float
    input_power_factor: float
    constant: float
    linear: float
    quadratic: float
    residual: float
    curve: str
    max_parallel: int | None
    voltages: str
    output_bands_v: tuple[tuple[float, float], ...]
    own_curve: bool
    source: Source
    tier: int
    memory: tuple[str, ...]
    # Catalogue row, and power of one of its power modules; empty and 0 for a user-defined module.
    frame: str = ""
    power_module_w: float = 0.0

    @property
    def recalled(self) -> bool:
        """Whether its rating or loss curve is unverified (not read from published data)."""
        return self.tier == 2


@dataclass(frozen=True)
class UpsOption:
    """Shortlisted module, with the number required for the load.

    `margin` is the remaining permitted loading after the design failure. Losses and efficiencies
    are totals of all systems at the design output: all in service, and in the designed state with
    the largest loss. `curve` and `source` give their source.
    """

    model: str
    modules: int
    installed_w: float
    loading_normal: float
    loading_failure: float
    margin: float
    loss_normal_w: float
    loss_failure_w: float
    efficiency_normal: float
    efficiency_failure: float
    tier: int
    curve: str
    source: Source


@dataclass(frozen=True)
class UpsTrial:
    """Module that can carry the load: installed power, and loss with all in service."""

    model: str
    modules: int
    installed_w: float
    installed_va: float
    loss_w: float
    recalled: bool  # Whether its rating or loss curve is unverified


MAX_SURPLUS = 2.0
"""Installed capacity / worst-state demand above which a smaller module is used if
available."""


@dataclass(frozen=True)
class UpsDesign:
    """UPS systems of identical modules; `duty_per_system` carry the load, the rest is spare.

    `carrying` is the number of systems that suffice for the whole load.
    `buses` is the number of separate output buses of one system, each with equal modules.
    """

    module: UpsModule
    systems: tuple[str, ...]
    carrying: int
    buses: int
    duty_per_system: int
    modules_per_system: int
    shortlist: tuple[UpsOption, ...]
    # Minimum installed power of all systems for the load, with catalogue modules.
    min_w: float = math.inf
    trials: tuple[UpsTrial, ...] = ()  # Candidate modules of the design

    def bus_duty(self, scheme: Scheme) -> int:
        """Return the duty modules of one output bus, at least one."""
        return max(1, self.modules_per_system // self.buses - scheme.spare_modules)

    @property
    def modules(self) -> int:
        """Installed modules in all systems."""
        return self.modules_per_system * len(self.systems)

    @property
    def duty(self) -> int:
        """Number of modules that suffice for the load."""
        return self.duty_per_system * self.carrying


@dataclass(frozen=True)
class TransformerUnit:
    """Transformer: rating, losses, impedance, provenance."""

    rating_va: float
    no_load_w: float
    load_loss_w: float
    impedance: float
    source: Source
    memory: tuple[str, ...]


@dataclass(frozen=True)
class TransformerDesign:
    """Identical transformers, `per_carrier` on each of `carriers` (UPS systems or feeds).

    If none are `present`, the utility supplies the LV boards: the unit is one circuit of that
    service, without loss and impedance.
    """

    unit: TransformerUnit
    carriers: tuple[str, ...]
    carrying: int
    duty_per_carrier: int
    per_carrier: int
    present: bool = True
    min_va: float = math.inf  # Minimum standard rating of this number of units for the load

    @property
    def count(self) -> int:
        """Installed transformers."""
        return self.per_carrier * len(self.carriers) if self.present else 0

    @property
    def duty(self) -> int:
        """Number of transformers that suffice for the load."""
        return self.duty_per_carrier * self.carrying if self.present else 0

    @property
    def choice(self) -> TransformerChoice:
        """Rating and number installed."""
        return TransformerChoice(self.unit.rating_va, self.count)


@dataclass(frozen=True, kw_only=True)
class GeneratorSet:
    """Generator set: ratings, permitted loading, and number for the load.

    `section_duty` are the duty sets of each section, which has a separate bus.
    """

    model: str
    rating_w: float
    rating_va: float
    rating_basis: str
    frequency_hz: float
    max_loading: float
    source: Source
    memory: tuple[str, ...]
    duty: int = 0
    section_duty: tuple[int, ...] = (0,)


@dataclass(frozen=True, kw_only=True)
class GeneratorDesign(GeneratorSet):
    """Identical sets: rating of one, site derating, count with `spare` sets of all sections.

    `connection` is LV if the sets feed the LV boards, MV if they feed the MV switchgear.
    `voltage_v` is the set voltage; `step_up` the transformer of each set if the bus voltage
    differs.
    """

    derate: float
    count: int
    spare: int
    connection: str
    voltage_v: float = 0.0
    step_up: TransformerUnit | None = None

    @property
    def on_duty(self) -> int:
        """Installed duty sets, at least one."""
        return max(1, self.count - self.spare)

    @property
    def usable_w(self) -> float:
        """Permitted load of the duty sets."""
        return self._usable_sets * self.rating_w

    @property
    def usable_va(self) -> float:
        """Permitted apparent power of the duty sets."""
        return self._usable_sets * self.rating_va

    @property
    def _usable_sets(self) -> float:
        return max(0, self.count - self.spare) * self.derate * self.max_loading

    @property
    def sections(self) -> int:
        """Number of bus sections."""
        return len(self.section_duty)

    def section_sets(self, section: int) -> int:
        """Return the number of sets installed in a section, counted from 0.

        Sets beyond duty and spare sets are distributed in turn; missing sets are missing in the
        most loaded sections.
        """
        spare = self.spare // self.sections
        sets = [duty + spare for duty in self.section_duty]
        beyond = self.count - sum(sets)
        for _ in range(-beyond):
            sets[sets.index(max(sets))] -= 1
        each, odd = divmod(max(0, beyond), self.sections)
        return sets[section] + each + (section < odd)


@dataclass(frozen=True)
class ChainDesign:
    """Power chain as designed: all data for `solve_chain`.

    `reference_it_w` is the IT load at which the wiring losses have the specified fractions.
    `pdus` is None if rack voltage equals UPS output voltage. `worst_share` is the largest share of
    the UPS output, racks and cooling together, on one system over the designed states.
    """

    chain: PowerChain
    reference_it_w: float
    feeds: Shares
    systems: Shares
    boards: Shares
    ups: UpsDesign
    pdus: TransformerDesign | None
    transformers: TransformerDesign
    generators: GeneratorDesign
    utility_voltage_v: float
    worst_share: float = 1.0
    # Load of the LV board of one lineup with its UPS at its rating [VA].
    rated_board_va: float = 0.0
    checks: tuple[Check, ...] = ()

    @cached_property
    def states(self) -> tuple[State, ...]:
        """Designed states of the chain, all in service first."""
        return states_of(self.chain, self.systems, self.boards)

    @cached_property
    def sizing_states(self) -> tuple[State, ...]:
        """Designed states, and states with a feed lost but all systems in service."""
        return sizing_states(self.chain, self.states)

    @property
    def ups_modules_required(self) -> int:
        """UPS modules of one system: duty and spare modules."""
        ups = self.ups
        return ups.duty_per_system + self.chain.scheme.spare_modules * ups.buses

    @property
    def transformers_required(self) -> int | None:
        """Transformers of one system including spares; None without transformers."""
        spare = self.chain.transformer.spare * self.ups.buses
        present = spare and self.transformers.present
        return self.transformers.duty_per_carrier + spare if present else None

    @property
    def bus_rating_va(self) -> float:
        """Rating of one output bus of a UPS system: its modules except the spare ones."""
        return self.ups.bus_duty(self.chain.scheme) * self.ups.module.rating_va

    @property
    def choices(self) -> PowerChoices:
        """Design choices: models, ratings and counts."""
        chain, ups, plant = self.chain, self.ups, self.generators
        module, spare = ups.module, chain.ups.conductor_spare
        return PowerChoices(
            chain.wiring.rack_system,
            chain.panels.main_a,
            UpsChoice(module.model, module.rating_w, ups.modules_per_system, ups.buses, spare),
            TransformerChoice(0.0, 0) if self.pdus is None else self.pdus.choice,
            self.transformers.choice,
            GeneratorChoice(plant.model, plant.rating_w, plant.count, plant.connection),
        )
