"""The UPS: which module, how many, and how each design state loads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import SILENT, Quiet, Trace
from facility.model.power.chain import PowerChain
from facility.physics.machines.ups import modules_needed
from facility.power.train.after_failure import BusLoad
from facility.power.train.flow import ups_flows
from facility.power.train.schemes import Shares, cooling_shares
from facility.power.train.state import Power, UpsOutput, designed_states
from facility.power.train.types import ChainCounts, UpsDesign, UpsModule, UpsOption
from facility.power.ups.modules import (
    OWN_MODULE,
    catalogue_module,
    catalogue_modules,
    catalogue_voltages,
    own_module,
)

READ_DATA_WORTH = 1.25
"""Installed capacity, as a multiple of the least, that a module of better known data may take."""

MOST_PARALLEL = 8
"""Modules in parallel that the design allows where the limit is not known."""

CHOICE_RULE = (
    "least installed kW, then fewest modules, among catalogue modules whose output voltage fits"
    f" and whose parallel limit holds ({MOST_PARALLEL} where it is not known); a module whose loss"
    " curve was read comes before a derived one, and that before a recalled one, where it takes at"
    " most 1.25 times the least capacity, and no more than the least with one more module on each"
    " bus; where no limit holds, the largest module"
)
_RULE = Source("planning-rule", "choice of the UPS module", verified="computed")


@dataclass(frozen=True)
class _Sized:
    """A candidate with the modules that each system needs and has."""

    module: UpsModule
    duty: int
    per_system: int
    systems: int
    load: BusLoad

    @property
    def installed_w(self) -> float:
        return self.per_system * self.systems * self.module.rating_w

    def rank(self) -> tuple[float, int]:
        return self.installed_w, self.per_system


def size_ups(
    chain: PowerChain,
    output: UpsOutput,
    shares: Shares,
    loads: Sequence[BusLoad],
    floor: ChainCounts | None,
    trace: Trace,
) -> UpsDesign:
    """Return the UPS that carries an output, in every designed state of the scheme.

    chain: Scheme and what is given of the UPS.
    output: Output of all systems together, growth included.
    shares: Part of the racks on each system, in every state.
    loads: Load of the fullest output bus in every state; each must be carried.
    floor: Module and count of an earlier pass, kept and not lowered.
    trace: Takes ``ups.module_rating``, ``ups.modules`` and what they rest on; a trial on a quiet
        one lists no alternatives.

    Raises ``NO_UPS`` (exit code 4) when no catalogue module fits the voltage; ``UNKNOWN_MODEL`` and
    ``UNKNOWN_VALUE`` for the module named.
    """
    sized = [_size(chain, module, loads) for module in _candidates(chain)]
    ranked = _ranked(chain, sized)
    chosen = next((s for s in ranked if floor and s.module.model == floor.ups_model), ranked[0])
    if floor is not None and chain.ups.modules_per_system is None:
        chosen = replace(chosen, per_system=max(chosen.per_system, floor.modules_per_system))
    shown = 0 if isinstance(trace, Quiet) else chain.ups.shortlist
    others = ranked if len(ranked) > 1 or not shown else _alternatives(chain, loads)
    options = [chosen, *(s for s in others if s.module.model != chosen.module.model)]
    design = UpsDesign(
        module=chosen.module,
        systems=chain.scheme.systems,
        carrying=chain.scheme.carrying,
        buses=chain.ups.buses,
        duty_per_system=chosen.duty,
        modules_per_system=chosen.per_system,
        shortlist=tuple(_option(s, chain, output, shares) for s in options[:shown]),
    )
    _record(chain, design, chosen.load, trace)
    return design


def _candidates(chain: PowerChain) -> tuple[UpsModule, ...]:
    basis = chain.ups
    factor = basis.input_power_factor
    found: tuple[UpsModule, ...]
    if basis.module_w is not None and basis.module_va is not None and factor is not None:
        found = (
            own_module(basis, basis.module_w, basis.module_va, factor, chain.wiring.lv_voltage_v),
        )
    elif basis.model:
        found = (catalogue_module(basis.model, basis.efficiency, basis.code),)
    else:
        found = catalogue_modules(chain.wiring.lv_voltage_v, basis.code)
    if not found:
        wiring = chain.wiring
        fitting = ", ".join(catalogue_voltages(wiring.rack_voltage_v, basis.code))
        own = "a module of your own: module_rating with efficiency_25, _50, _75 and _100."
        raise FacilityError(
            "NO_UPS",
            "power.ups",
            f"no UPS of the catalogue has an output of {wiring.lv_voltage_v:.0f} V.",
            f"The catalogue has {fitting} V for racks on {wiring.rack_system}: give one of them"
            f" (power.distribution.voltage), or {own}"
            if fitting
            else f"None reaches the {wiring.rack_voltage_v:.0f} V of the racks: give {own}",
        )
    return tuple(
        replace(
            module,
            input_power_factor=factor or module.input_power_factor,
            max_parallel=basis.max_parallel or module.max_parallel,
        )
        for module in found
    )


def _usable(chain: PowerChain, trace: Trace = SILENT) -> float | str:
    """Return the part of a module's rating that is used, or its step; the rest is spare."""
    usable = min(chain.ups.max_loading, 1.0 - chain.ups.conductor_spare)
    if usable == chain.ups.max_loading:
        return trace.link("power.ups.max_loading", usable)
    spare = trace.link("power.ups.conductor_spare", chain.ups.conductor_spare)
    refs = {"spare": spare} if isinstance(spare, str) else {}
    trace.derive("ups.usable", usable, "fraction", "1 - spare, of the rating of a module", **refs)
    return trace.link("ups.usable", usable)


def _record_needed(chain: PowerChain, module: UpsModule, power: Power, trace: Trace) -> None:
    """Record the modules in service that carry a bus, as ``ups.needed_per_bus``."""
    trace.do(
        "ups.needed_per_bus",
        modules_needed,
        "by the larger of kW and kVA",
        load_w=trace.link("ups.bus_load", power.w),
        load_va=trace.link("ups.bus_load_va", power.va),
        module_w=trace.link("ups.module_rating", module.rating_w),
        module_va=trace.link("ups.module_rating_kva", module.rating_va),
        max_loading=_usable(chain, trace),
    )


def _size(chain: PowerChain, module: UpsModule, loads: Sequence[BusLoad]) -> _Sized:
    """Return the modules that carry every load: those in service, and those it has out of it."""
    scheme, buses = chain.scheme, chain.ups.buses

    limits = module.rating_w, module.rating_va, float(_usable(chain))

    def on_bus(load: BusLoad) -> int:
        return int(modules_needed.si(load.power.w, load.power.va, *limits)) + load.modules_out

    worst = max(loads, key=lambda load: (on_bus(load), float(load.power.va)))
    duty = buses * max(1, on_bus(worst) - scheme.spare_units)
    per_system = chain.ups.modules_per_system or duty + scheme.spare_modules * buses
    return _Sized(module, duty, per_system, len(scheme.systems), worst)


def _ranked(chain: PowerChain, sized: list[_Sized]) -> list[_Sized]:
    """Return the candidates, the one that `CHOICE_RULE` names first."""
    buses = chain.ups.buses
    spare = chain.scheme.spare_modules * buses
    possible = [
        s
        for s in sized
        if s.per_system >= s.duty + spare
        and s.per_system <= buses * (s.module.max_parallel or MOST_PARALLEL)
    ]
    rest = sorted((s for s in sized if s not in possible), key=lambda s: -s.module.rating_w)
    possible.sort(key=_Sized.rank)
    if not possible:
        return rest
    most_w = min(
        READ_DATA_WORTH * possible[0].installed_w,
        min(s.installed_w + buses * s.systems * s.module.rating_w for s in possible),
    )
    within = [s for s in possible if s.installed_w <= most_w]
    first = min(within, key=lambda s: (s.module.tier, *s.rank()))
    return [first, *(s for s in possible if s is not first), *rest]


def _alternatives(chain: PowerChain, loads: Sequence[BusLoad]) -> list[_Sized]:
    """Return what the catalogue would take for the load where the module is given."""
    free = replace(chain, ups=replace(chain.ups, modules_per_system=None))
    modules = catalogue_modules(chain.wiring.lv_voltage_v, chain.ups.code)
    return _ranked(free, [_size(free, module, loads) for module in modules])


def _option(sized: _Sized, chain: PowerChain, output: UpsOutput, shares: Shares) -> UpsOption:
    scheme, buses, module = chain.scheme, chain.ups.buses, sized.module
    design = UpsDesign(
        module, scheme.systems, scheme.carrying, buses, sized.duty, sized.per_system, ()
    )
    states = designed_states(scheme, buses, 0, shares, shares, cooling_shares(scheme))
    flows = [ups_flows(design, output, state) for state in states]
    total_w, failure = output.total.w, max(float(f.loading) for state in flows for f in state)
    losses_w = [float(sum(flow.loss_w for flow in systems)) for systems in flows]
    return UpsOption(
        model=module.model,
        modules=design.modules,
        installed_w=sized.installed_w,
        loading_normal=float(max(flow.loading for flow in flows[0])),
        loading_failure=failure,
        margin=1.0 - failure / chain.ups.max_loading,
        loss_normal_w=losses_w[0],
        loss_failure_w=max(losses_w),
        efficiency_normal=total_w / (total_w + losses_w[0]),
        efficiency_failure=total_w / (total_w + max(losses_w)),
        tier=module.tier,
        curve=module.curve,
        source=module.source,
    )


def _record_bus(chain: PowerChain, design: UpsDesign, load: BusLoad, trace: Trace) -> Power:
    """Return the load of the fullest bus in the state that decides, recorded."""
    trace.derive(
        "ups.failure_output",
        load.racks.w,
        "active_power",
        f"{load.state}: racks and losses below the UPS; with a feed lost the others carry its load,"
        " their conductors lose with the square of it, their PDU transformers at their part load",
        normal="ups.design_output",
    )
    trace.choose(
        "ups.bus_share",
        load.share,
        "fraction",
        f"{chain.scheme.name}, {load.state}: largest part of the racks on one system, on"
        f" {design.buses} output bus(es), as if all phases were as full as the fullest:"
        f" {chain.fullest_phase:.1%} of the mean",
        DERIVED,
    )
    return load.of_bus(trace)


def _record(chain: PowerChain, design: UpsDesign, load: BusLoad, trace: Trace) -> None:
    scheme, systems = chain.scheme, len(design.systems)
    power = _record_bus(chain, design, load, trace)
    _record_module(chain, design, trace)
    _record_needed(chain, design.module, power, trace)
    spare_out = scheme.spare_units - load.modules_out
    trace.choose(
        "ups.duty_per_bus", design.duty_per_system // design.buses, "count",
        f"needed in the state that decides, {load.state}"
        + (f", with {spare_out} spare in service" if spare_out else ""),
        DERIVED, needed="ups.needed_per_bus",
    )  # fmt: skip
    trace.choose(
        "ups.modules.duty", design.duty, "count",
        f"{design.carrying} of {systems} systems suffice for the load", DERIVED,
        per_bus="ups.duty_per_bus",
    )  # fmt: skip
    given = chain.ups.modules_per_system is not None
    spares = scheme.spare_modules * design.buses
    spare = "as built" if given else f"{spares} of them spare"
    trace.choose(
        "ups.modules", design.modules, "count",
        f"{systems} system(s) of {design.modules_per_system} modules, {spare}",
        PROJECT if given else DERIVED, per_bus="ups.duty_per_bus",
    )  # fmt: skip


def _record_module(chain: PowerChain, design: UpsDesign, trace: Trace) -> None:
    module = design.module
    if chain.ups.model or module.model == OWN_MODULE:
        how = f"{module.model}, as given; loss curve {module.curve}"
        trace.given("ups.module_rating", module.rating_w, "active_power", module.source, how)
    else:
        others = ", ".join(
            f"{o.model} ({o.modules} modules, margin {o.margin:.0%})" for o in design.shortlist[1:]
        )
        why = f"{module.model}: {CHOICE_RULE}. Next: {others or 'none'}. Loss curve {module.curve}"
        trace.choose("ups.module_rating", module.rating_w, "active_power", why, _RULE)
        trace.ledger.add_text("power.ups.model", module.model, CHOICE_RULE, _RULE)
    trace.given("ups.module_rating_kva", module.rating_va, "apparent_power", module.source)
