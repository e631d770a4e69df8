"""UPS sizing: module, number of modules, and loading in each designed state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from facility.core.choice import CRITERION, Alternative, ranked
from facility.core.errors import FacilityError
from facility.core.rounding import within
from facility.core.sources import DERIVED, PROJECT, Source
from facility.core.trace import SILENT, Quiet, Trace
from facility.model.power.chain import PowerChain
from facility.physics.machines.ups import modules_needed, ups_loss
from facility.power.choices import PowerChoices
from facility.power.train.after_failure import BusLoad
from facility.power.train.flow import ups_flows
from facility.power.train.schemes import Shares, cooling_shares
from facility.power.train.state import Power, UpsOutput, designed_states
from facility.power.train.types import MAX_SURPLUS, UpsDesign, UpsModule, UpsOption, UpsTrial
from facility.power.ups.modules import (
    MIN_EQUIPPED,
    OWN_MODULE,
    catalogue_module,
    catalogue_modules,
    catalogue_voltages,
    own_module,
    partly_equipped,
)

_SURE = 0.95
"""Fraction of the permitted surplus below which a candidate certainly passes: phases are
estimated."""

MAX_PARALLEL = 8
"""Permitted parallel modules in the design if the limit is unknown."""

CHOICE_RULE = (
    f"{CRITERION}; among catalogue modules with a matching output voltage and within their parallel"
    f" limit ({MAX_PARALLEL} if unknown), whole frames, and the same number with fewer power"
    f" modules, down to {MIN_EQUIPPED:.0%}; if no module is within its limit, the largest"
)
_RULE = Source("planning-rule", "choice of the UPS module", verified="computed")


@dataclass(frozen=True)
class _Sized:
    """Candidate with the required and installed modules of each system."""

    module: UpsModule
    duty: int
    per_system: int
    systems: int
    load: BusLoad

    @property
    def installed_w(self) -> float:
        return self.per_system * self.systems * self.module.rating_w

    def trial(self, output_w: float) -> UpsTrial:
        """Return the candidate with its results at an output of all systems [W]."""
        module, modules = self.module, self.per_system * self.systems
        sizes = self.installed_w, modules * module.rating_va
        return UpsTrial(module.model, modules, *sizes, self.loss_w(output_w), module.recalled)

    def loss_w(self, output_w: float) -> float:
        """Return the loss of all modules in service [W]."""
        unit, count = self.module, self.per_system * self.systems
        losses = unit.constant, unit.linear, unit.quadratic
        return float(ups_loss.si(output_w, count, unit.rating_w, *losses))


def size_ups(
    chain: PowerChain,
    output: UpsOutput,
    shares: Shares,
    loads: Sequence[BusLoad],
    floor: PowerChoices | None,
    trace: Trace,
) -> UpsDesign:
    """Return the UPS for an output, in every designed state of the scheme.

    chain: Scheme and UPS data.
    output: Output of all systems together, growth included.
    shares: Rack share of each system, in every state.
    loads: Load of the most loaded output bus in every state; each must be carried.
    floor: Module and count of a previous pass, a lower limit.
    trace: Records ``ups.module_rating``, ``ups.modules`` and their inputs; a trial on a silent
        trace lists no alternatives.

    Raises ``NO_UPS`` (exit code 4) if no catalogue module suits the voltage; ``UNKNOWN_MODEL`` and
    ``UNKNOWN_VALUE`` for the specified module.
    """
    selected, loads = floor.ups.model if floor else chain.ups.chosen, _deciding(loads)
    fit, others = _choices(chain, loads, output, selected, isinstance(trace, Quiet))
    order = [*fit, *others]
    chosen = next((s for s in order if s.module.model == selected), order[0])
    if floor is not None and chain.ups.modules_per_system is None:
        chosen = replace(chosen, per_system=max(chosen.per_system, floor.ups.modules_per_system))
    shown = 0 if isinstance(trace, Quiet) else chain.ups.shortlist
    listed = order if len(order) > 1 or not shown else _alternatives(chain, loads, output)
    options = [chosen, *(s for s in listed if s.module.model != chosen.module.model)]
    design = UpsDesign(
        module=chosen.module,
        systems=chain.scheme.systems,
        carrying=chain.scheme.carrying,
        buses=chain.ups.buses,
        duty_per_system=chosen.duty,
        modules_per_system=chosen.per_system,
        shortlist=tuple(_option(s, chain, output, shares) for s in options[:shown]),
        trials=tuple(s.trial(output.total.w) for s in fit),
        min_w=_min_installed_w(chain, loads, order, isinstance(trace, Quiet)),
    )
    _record(chain, design, chosen.load, trace)
    return design


def _deciding(loads: Sequence[BusLoad]) -> list[BusLoad]:
    """Return the loads that none exceeds in kVA, kW and modules out of service together."""
    found: list[BusLoad] = []
    for load in sorted(loads, key=lambda load: -float(load.power.va)):
        w, out = load.power.w, load.modules_out
        if not any(one.power.w >= w and one.modules_out >= out for one in found):
            found.append(load)
    return found


def _choices(
    chain: PowerChain, loads: Sequence[BusLoad], output: UpsOutput, selected: str, trial: bool
) -> tuple[list[_Sized], list[_Sized]]:
    """Return the candidates ranked by `CHOICE_RULE`, and the unsuitable ones.

    selected: Model already selected; in a trial the others are ignored.
    """
    modules = _candidates(chain)
    if selected and trial:
        whole = (m for m in modules if selected.startswith(m.model))
        modules = tuple(m for w in whole for m in (w, *partly_equipped(w)) if m.model == selected)
        return [], [_size(chain, module, loads) for module in modules]
    if chain.ups.model or modules[0].model == OWN_MODULE:
        return [], [_size(chain, module, loads) for module in modules]
    return _ranked(chain, _with_parts(chain, loads, modules, selected), output)


def _with_parts(
    chain: PowerChain, loads: Sequence[BusLoad], modules: Sequence[UpsModule], selected: str = ""
) -> list[_Sized]:
    """Return whole frames and partly equipped ones with the same number of frames.

    selected: Model already selected, for a smaller load.
    """
    whole = [_size(chain, module, loads) for module in modules]
    parts = (
        (frame, _size(chain, part, loads))
        for frame in whole
        for part in partly_equipped(frame.module)
    )
    return [
        *whole,
        *(
            part
            for frame, part in parts
            if part.per_system <= frame.per_system or part.module.model == selected
        ),
    ]


def _excessive(chain: PowerChain, sized: _Sized) -> bool:
    """Return whether a candidate has twice its worst-state demand, or nearly."""
    left = sized.per_system // chain.ups.buses - sized.load.modules_out
    load = sized.load.power
    used = max(float(load.w) / sized.module.rating_w, float(load.va) / sized.module.rating_va) / (
        left * chain.max_phase_ratio
    )
    return used * _SURE * MAX_SURPLUS < chain.ups.max_loading


def _min_installed_w(
    chain: PowerChain, loads: Sequence[BusLoad], ranked: Sequence[_Sized], trial: bool
) -> float:
    """Return the minimum installed power of catalogue modules for the load [W]."""
    if trial:
        return math.inf
    free = replace(chain, ups=replace(chain.ups, modules_per_system=None))
    modules = catalogue_modules(chain.wiring.lv_voltage_v, chain.ups.code)
    possible = [s for s in _with_parts(free, loads, modules) if _possible(free, s)]
    own = (s for s in ranked if chain.ups.modules_per_system is None and _possible(chain, s))
    return min((s.installed_w for s in (*possible, *own)), default=math.inf)


def _possible(chain: PowerChain, sized: _Sized) -> bool:
    """Return whether a candidate has its spare modules, within the parallel limit."""
    buses = chain.ups.buses
    spare, maximum = chain.scheme.spare_modules * buses, sized.module.max_parallel or MAX_PARALLEL
    return sized.duty + spare <= sized.per_system <= buses * maximum


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
        own = "a user-defined module: module_rating with efficiency_25, _50, _75 and _100."
        raise FacilityError(
            "NO_UPS",
            "power.ups",
            f"the catalogue has no UPS with an output of {wiring.lv_voltage_v:.0f} V.",
            f"The catalogue has {fitting} V for racks on {wiring.rack_system}: enter one of these"
            f" voltages (power.distribution.voltage), or {own}"
            if fitting
            else f"None reaches the {wiring.rack_voltage_v:.0f} V of the racks: enter {own}",
        )
    if not factor and not basis.max_parallel:
        return found
    return tuple(
        replace(
            module,
            input_power_factor=factor or module.input_power_factor,
            max_parallel=basis.max_parallel or module.max_parallel,
        )
        for module in found
    )


def _usable(chain: PowerChain, trace: Trace = SILENT) -> float | str:
    """Return the used fraction of a module rating, or its step; the rest is reserved."""
    usable = min(chain.ups.max_loading, chain.ups.rating_left * (1.0 - chain.ups.conductor_spare))
    if usable == chain.ups.max_loading:
        return trace.link("power.ups.max_loading", usable)
    spare = trace.link("power.ups.conductor_spare", chain.ups.conductor_spare)
    refs = {"spare": spare} if isinstance(spare, str) else {}
    trace.derive(
        "ups.usable", usable, "fraction", "1 - spare, of the altitude-derated rating", **refs
    )
    return trace.link("ups.usable", usable)


def _record_needed(chain: PowerChain, module: UpsModule, power: Power, trace: Trace) -> None:
    """Record the required modules in service per bus, as ``ups.needed_per_bus``."""
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
    """Return the modules for every load: in service, and out of service."""
    scheme, buses = chain.scheme, chain.ups.buses

    limits = module.rating_w, module.rating_va, float(_usable(chain))

    def on_bus(load: BusLoad) -> int:
        return int(modules_needed.si(load.power.w, load.power.va, *limits)) + load.modules_out

    worst = max(loads, key=lambda load: (on_bus(load), float(load.power.va)))
    duty = buses * max(1, on_bus(worst) - scheme.spare_units)
    per_system = chain.ups.modules_per_system or duty + scheme.spare_modules * buses
    return _Sized(module, duty, per_system, len(scheme.systems), worst)


def _ranked(
    chain: PowerChain, sized: Sequence[_Sized], output: UpsOutput
) -> tuple[list[_Sized], list[_Sized]]:
    """Return the candidates ranked by `CHOICE_RULE`, and the unsuitable ones.

    Candidates above `MAX_SURPLUS` are unsuitable if a smaller installation carries the load.
    """
    possible = [s for s in sized if _possible(chain, s)]
    min_w = min((s.installed_w for s in possible), default=0.0)
    fit = [s for s in possible if within(s.installed_w, min_w) or not _excessive(chain, s)]
    fit.sort(key=lambda s: (s.per_system, s.module.tier))
    tried = ((s, s.trial(output.total.w)) for s in fit)
    order = ranked(
        Alternative("", s, one.loss_w, one.installed_w, one.modules, one.recalled)
        for s, one in tried
    )
    suits = {id(s) for s in fit}
    others = [s for s in sized if id(s) not in suits]
    others.sort(key=lambda s: (_possible(chain, s), -s.module.rating_w))
    return [one.item for one in order], others


def _alternatives(chain: PowerChain, loads: Sequence[BusLoad], output: UpsOutput) -> list[_Sized]:
    """Return the catalogue alternatives for the load if the module is specified."""
    free = replace(chain, ups=replace(chain.ups, modules_per_system=None))
    modules = catalogue_modules(chain.wiring.lv_voltage_v, chain.ups.code)
    whole = any(module.model == chain.ups.model for module in modules)
    if whole or not chain.ups.model:
        sized = [_size(free, module, loads) for module in modules]
    else:
        sized = _with_parts(free, loads, modules, chain.ups.model)
    fit, others = _ranked(free, sized, output)
    return [*fit, *others]


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
    """Return the load of the most loaded bus in the governing state, recorded."""
    trace.derive(
        "ups.failure_output",
        load.racks.w,
        "active_power",
        f"{load.state}: racks and losses downstream of the UPS; with a feed lost the others"
        " carry its load, with conductor losses by the square and PDU transformer losses at"
        " partial load",
        normal="ups.design_output",
    )
    trace.choose(
        "ups.bus_share",
        load.share,
        "fraction",
        f"{chain.scheme.name}, {load.state}: largest rack load share of one system, on"
        f" {design.buses} output bus(es), all phases assumed as loaded as the most loaded:"
        f" {chain.max_phase_ratio:.1%} of the mean",
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
        f"required in the governing state, {load.state}"
        + (f", with {spare_out} spare in service" if spare_out else ""),
        DERIVED, needed="ups.needed_per_bus",
    )  # fmt: skip
    trace.choose(
        "ups.modules.duty", design.duty, "count",
        f"UPS systems required for the load: {design.carrying} of {systems}", DERIVED,
        per_bus="ups.duty_per_bus",
    )  # fmt: skip
    given = chain.ups.modules_per_system is not None
    spares = scheme.spare_modules * design.buses
    spare = "as built" if given else f"including {spares} spare"
    trace.choose(
        "ups.modules", design.modules, "count",
        f"UPS systems: {systems}; output buses per system: {design.buses}; "
        f"modules per system: {design.modules_per_system}, {spare}",
        PROJECT if given else DERIVED, per_bus="ups.duty_per_bus",
    )  # fmt: skip


def _record_module(chain: PowerChain, design: UpsDesign, trace: Trace) -> None:
    module = design.module
    if chain.ups.model or module.model == OWN_MODULE:
        how = f"{module.model}, as specified; loss curve {module.curve}"
        trace.given("ups.module_rating", module.rating_w, "active_power", module.source, how)
    else:
        others = ", ".join(
            f"{o.model} ({o.modules} modules, margin {o.margin:.0%})" for o in design.shortlist[1:]
        )
        because = chain.ups.because or CHOICE_RULE
        why = f"{module.model}: {because}. Next: {others or 'none'}. Loss curve {module.curve}"
        trace.choose("ups.module_rating", module.rating_w, "active_power", why, _RULE)
        trace.ledger.add_text("power.ups.model", module.model, because, _RULE)
    trace.given("ups.module_rating_kva", module.rating_va, "apparent_power", module.source)
