"""Sizing the power chain, from the racks to the utility."""

from __future__ import annotations

from dataclasses import dataclass, replace

from facility.core.errors import FacilityError
from facility.core.sources import DERIVED, PROJECT, RULE, Source
from facility.core.trace import Quiet, Trace
from facility.model.facility import Criteria, Site
from facility.model.power.chain import PowerChain, TransformerBasis
from facility.physics.circuits.currents import reactive_power
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.machines.ups import ups_loss
from facility.power.backup.sizing import Connection, plant_connection, size_generators
from facility.power.backup.voltages import step_up_flow
from facility.power.chain.checks import chain_checks
from facility.power.chain.solve import solve_chain
from facility.power.choices import PowerChoices
from facility.power.panels.design.lineups import pdu_origins, pdu_peak
from facility.power.substation.count import CHOICE_RULE, service_ways, size_transformers
from facility.power.substation.study import harmonics_leave, pdu_loading_limit
from facility.power.substation.units import mv_units, pdu_units
from facility.power.train.after_failure import bus_loads
from facility.power.train.flow import (
    generator_load,
    in_states,
    other_load,
    rack_side,
    recharge_load,
    recharging_va,
    transformer_flow,
    ups_output,
    wiring_losses,
    with_growth_in,
)
from facility.power.train.lv_boards import largest_breaker_a
from facility.power.train.schemes import (
    Shares,
    equal_groups,
    even_shares,
    feed_shares,
    system_shares,
)
from facility.power.train.state import (
    ZERO,
    Power,
    State,
    UpsOutput,
    Wiring,
    sizing_states,
    states_of,
)
from facility.power.train.types import (
    ChainDemand,
    ChainDesign,
    GeneratorDesign,
    TransformerDesign,
    UpsDesign,
)
from facility.power.ups.sizing import size_ups

__all__ = ["size_chain", "solve_chain"]

_OTHERS = Source("roll-up", "loads of cooling and building")
_NO_TRANSFORMERS = "none: the utility supplies the LV boards"


@dataclass(frozen=True)
class _Case:
    """Inputs of the sizing steps: chain, shares, demand and wiring with growth."""

    chain: PowerChain
    feeds: Shares
    systems: Shares
    boards: Shares
    demand: ChainDemand
    wiring: Wiring
    floor: PowerChoices | None

    @property
    def states(self) -> tuple[State, ...]:
        """Designed states; the first has all in service."""
        return states_of(self.chain, self.systems, self.boards)


def size_chain(
    chain: PowerChain,
    site: Site,
    criteria: Criteria,
    demand: ChainDemand,
    floor: PowerChoices | None,
    trace: Trace,
) -> ChainDesign:
    """Return the power chain for `demand` and its growth in every designed state, checked.

    chain: Scheme, and project data of each stage, used and checked.
    site, criteria: Location, weather and utility; code and growth.
    demand: Present loads, floats.
    floor: Choices of a previous pass: models and ratings are retained, counts do not fall.

    Raises ``NO_UPS``, ``NO_GENERATOR``, ``UNKNOWN_MODEL``, ``UNKNOWN_VALUE``, ``COUNT_NOT_EVEN`` or
    ``OUT_OF_RANGE``, each with the project field.
    """
    found = size_chain_unchecked(chain, site, criteria, demand, floor, trace)
    return check_chain(found, site, criteria, demand)


def size_chain_unchecked(
    chain: PowerChain,
    site: Site,
    criteria: Criteria,
    demand: ChainDemand,
    floor: PowerChoices | None,
    trace: Trace,
) -> ChainDesign:
    """Return the sized power chain without checks, for a pass that may be repeated.

    See `size_chain`.
    """
    case = _case(chain, criteria, demand, floor, trace)
    pdus, output = _rack_side(case, trace)
    states = sizing_states(chain, case.states)
    loads = tuple(bus_loads(chain, case.wiring, pdus, case.feeds, states, case.demand, output))
    ups = size_ups(chain, output, case.systems, loads, floor, trace)
    other = other_load(case.demand, chain.mechanical_power_factor, chain.house_power_factor)
    flows, boards = in_states(ups, output, case.states, other, case.wiring)
    transformers = _size_mv(case, site, criteria, ups, boards, trace)
    ups_loss_w = sum(flow.loss_w for flow in flows[0])
    of_ups = output, ups, ups_loss_w
    generators = _size_plant(case, site, criteria, of_ups, transformers, boards[0], trace)
    return ChainDesign(
        chain=chain,
        reference_it_w=demand.it_w,
        feeds=case.feeds,
        systems=case.systems,
        boards=case.boards,
        ups=ups,
        pdus=pdus,
        transformers=transformers,
        generators=generators,
        utility_voltage_v=site.utility_voltage_v,
        rated_board_va=_rated_board_va(
            case, ups, chain.transformer.max_loading * harmonics_leave(chain, ups.module)
        ),
    )


def check_chain(
    design: ChainDesign, site: Site, criteria: Criteria, demand: ChainDemand
) -> ChainDesign:
    """Return the chain with its most loaded system under grown `demand`, and its checks."""
    load = demand.grown(criteria.growth)
    grown = solve_chain(design, load)
    share = float(grown.ups.system_w_worst / grown.ups.output_w)
    checks = chain_checks(design, load, grown, site, criteria)
    return replace(design, worst_share=share, checks=checks)


def _case(
    chain: PowerChain,
    criteria: Criteria,
    demand: ChainDemand,
    floor: PowerChoices | None,
    trace: Trace,
) -> _Case:
    outside = (
        ("chain.mech_ups", demand.mech_ups_w, "cooling on the UPS"),
        ("chain.mech", demand.mech_w, "cooling on the LV boards"),
        ("chain.house", demand.house_w, "lights, controls, security"),
    )
    for id, load_w, words in outside:
        trace.given(id, load_w, "active_power", _OTHERS, words)
    groups = demand.groups or equal_groups(chain.feeds)
    grown = demand.grown(criteria.growth, trace)
    losses = wiring_losses(chain.wiring, grown, demand.it_w, with_growth_in(trace))
    return _Case(
        chain=chain,
        feeds=feed_shares(chain.feeds, groups),
        systems=system_shares(chain.scheme, chain.feeds, groups),
        boards=even_shares(chain.scheme.systems),
        demand=grown,
        wiring=losses,
        floor=floor,
    )


def _rack_side(case: _Case, trace: Trace) -> tuple[TransformerDesign | None, UpsOutput]:
    """Return PDU transformers and UPS output with growth: ``ups.design_output``, ``.._va``."""
    chain, demand, steps, pdus = case.chain, case.demand, with_growth_in(trace), None
    if chain.wiring.has_pdu_transformers:
        below, _ = rack_side(case.wiring, None, case.feeds.normal, demand)
        pdus = _size_pdus(case, below.va * max(case.feeds.worst), trace)
    below, loss = rack_side(case.wiring, pdus, case.feeds.normal, demand, steps)
    output = ups_output(below, loss, demand, chain.mechanical_power_factor, steps)
    _apparent(steps.output, output.total, trace)
    return pdus, output


def _apparent(id: str, load: Power, trace: Trace) -> None:
    of = {"power_w": trace.link(id, load.w), "reactive_var": load.var}
    trace.do(f"{id}_va", apparent_of_parts, **of)


def _with_losses(
    case: _Case, ups: UpsDesign, output: UpsOutput, ups_loss_w: float, losses: tuple[Power, Power],
    load: Power, trace: Trace,
) -> Power:  # fmt: skip
    """Return the generator sizing load: ``generator.design_load`` and ``.._va``.

    `load` includes recharge and MV/LV transformer losses (none for a plant on the LV side); the
    losses of the step-up transformers are added.
    """
    lost, raised = losses
    at = "chain.design"
    charge = recharge_load(ups, ups.modules, case.chain.ups.recharge, trace, f"{at}.recharge")
    on_mv = "MV/LV transformers, without recharge" if lost.w else "none: sets on the LV side"
    at_sets = "one at each set" if raised.w else "none: sets at the bus voltage"

    def given(id: str, power_w: float, because: str) -> float:
        return trace.given(f"{at}.{id}", power_w, "active_power", DERIVED, because)

    parts = {
        "ups.design_output": output.total.w,
        f"{at}.ups_losses": given("ups_losses", ups_loss_w, "all systems"),
        f"{at}.recharge": charge.w,
        f"{at}.mech": case.demand.mech_w,
        "chain.house": case.demand.house_w,
        f"{at}.lv_board": case.wiring.board_w,
        f"{at}.transformer": given("transformer", lost.w, on_mv),
        f"{at}.step_up": given("step_up", raised.w, at_sets),
    }
    id, words = (
        "generator.design_load",
        "UPS input, recharge, cooling, building, boards, transformers",
    )
    found = Power(trace.add(id, "active_power", words, parts), load.var + raised.var)
    _apparent(id, found, trace)
    return found


def _size_pdus(case: _Case, load_va: float, trace: Trace) -> TransformerDesign:
    """Size PDU transformers for the most loaded phase, on a feed of `load_va`.

    The maximum number is the number of panels; if a panel exceeds the largest rating, the checks
    fail.
    """
    chain, count = case.chain, case.chain.wiring.pdu_count
    origins, max_each = pdu_origins(chain.scheme, chain.ups.buses), len(chain.pdu_peak_ratios)
    design = _pdus_for(case, load_va, count)
    first = max(1, design.per_carrier // origins)
    for each in range(first, max_each + 1):
        minimum = each * origins
        design = _pdus_for(case, load_va * pdu_peak(chain, minimum), count, minimum)
        if count is not None or design.per_carrier <= minimum:
            break
    if max_each and design.per_carrier > max_each * origins and count is None:
        all_feeds = max_each * origins * len(chain.feeds)
        design = _pdus_for(case, load_va * pdu_peak(chain, max_each * origins), all_feeds)
    rule = (chain.wiring.pdu_chosen_va and chain.ups.because) or CHOICE_RULE
    _record_transformers(design, "pdu", load_va, count is not None, rule, trace)
    return design


def _pdus_for(
    case: _Case, load_va: float, count: int | None, minimum: int = 0
) -> TransformerDesign:
    """Return PDUs for an even load: `count` for all feeds, or at least `minimum` for each."""
    chain, feeds = case.chain, case.chain.feeds
    previous = case.floor.pdus if case.floor else None
    units, chosen_va = pdu_units(chain.wiring), chain.wiring.pdu_chosen_va
    return size_transformers(
        units=[unit for unit in units if unit.rating_va == chosen_va] or units,
        carriers=feeds,
        carrying=max(1, len(feeds) - 1),
        load_va=load_va,
        max_loading=pdu_loading_limit(chain.wiring, chain.transformer),
        spare=0,
        parts=pdu_origins(chain.scheme, chain.ups.buses),
        as_built=count,
        floor=(max(previous.count // len(feeds), minimum), previous.rating_va)
        if previous
        else (minimum, 0.0),
        where="power.distribution.pdus",
    )


def pdu_trials(
    chain: PowerChain, criteria: Criteria, demand: ChainDemand
) -> list[tuple[float, float, float]]:
    """Return rating, total capacity [VA] and loss [W] of the candidate PDU transformers.

    The number of each rating follows from the load; empty if rack voltage equals UPS voltage, or
    the project specifies rating or number. A rating at which one unit per panel is overloaded is
    left out.
    """
    wiring, found = chain.wiring, []
    if not wiring.has_pdu_transformers or wiring.pdu_count or wiring.pdu_rating_va:
        return []
    for unit in pdu_units(wiring):
        chosen = replace(chain, wiring=replace(wiring, pdu_chosen_va=unit.rating_va))
        case = _case(chosen, criteria, demand, None, Quiet())
        pdus, _ = _rack_side(case, Quiet())
        _, lost = rack_side(case.wiring, pdus, case.feeds.normal, case.demand)
        if pdus is not None and pdus.duty_per_carrier <= pdus.per_carrier:
            found.append((unit.rating_va, pdus.count * unit.rating_va, float(lost.w)))
    return found


def _size_plant(
    case: _Case,
    site: Site,
    criteria: Criteria,
    of_ups: tuple[UpsOutput, UpsDesign, float],
    transformers: TransformerDesign,
    boards: tuple[Power, ...],
    trace: Trace,
) -> GeneratorDesign:
    """Return the generator plant for the LV boards with all in service.

    of_ups: Output, modules and losses of the UPS.
    """
    chain, (output, ups, ups_loss_w) = case.chain, of_ups
    load, lost, connection = _generator_load(case, site, criteria, ups, transformers, boards)
    mv = connection.side == "MV"
    bus = site.utility_voltage_v if mv else chain.wiring.lv_voltage_v, criteria.code
    sets, side = (chain.generator, site), connection.side
    charge_w = recharge_load(ups, ups.modules, chain.ups.recharge).w

    def sized(load: Power, trace: Trace) -> GeneratorDesign:
        return size_generators(*sets, load, load.w - charge_w, side, bus, case.floor, trace)

    raised_by = step_up_flow(sized(load, Quiet()), load)
    load = _with_losses(case, ups, output, ups_loss_w, (lost, raised_by), load, trace)
    if not chain.generator.connection:
        trace.ledger.add_text("power.generator.connection", side, connection.because, RULE)
    return sized(load, trace)


def _generator_load(
    case: _Case,
    site: Site,
    criteria: Criteria,
    ups: UpsDesign,
    transformers: TransformerDesign,
    boards: tuple[Power, ...],
) -> tuple[Power, Power, Connection]:
    """Return the plant load, the transformer losses included in it, and the connection."""
    chain = case.chain
    load = generator_load(ups, boards, chain.ups.recharge)
    connection = plant_connection(
        chain.generator,
        site,
        load,
        load.w - recharge_load(ups, ups.modules, chain.ups.recharge).w,
        chain.wiring.lv_voltage_v,
        largest_breaker_a(criteria.code),
        case.floor,
    )
    if site.lv_service and connection.side == "MV":
        raise FacilityError(
            "LV_SERVICE",
            "site.utility_voltage",
            f"a {site.utility_voltage_v:.0f} V service requires generators at low voltage:"
            f" {connection.because.partition(';')[0]}.",
            "Enter the medium voltage of the service, e.g. '13.8 kV'.",
        )
    lost = transformer_flow(transformers, boards) if connection.side == "MV" else ZERO
    return load.plus(lost), lost, connection


def _rated_board_va(case: _Case, ups: UpsDesign, max_loading: float) -> float:
    """Return the load of the LV board of one lineup with its UPS at its rating [VA].

    In addition to the UPS it carries cooling, building load and board losses of the worst designed
    state. Zero if the project specifies the transformer rating: it limits the lineup, not its UPS.
    At most the largest transformer rating, if the UPS is specified.

    max_loading: Permitted transformer loading.
    """
    chain, module = case.chain, ups.module
    if chain.transformer.rating_va is not None:
        return 0.0
    duty = ups.bus_duty(chain.scheme)
    loss_w = ups_loss.si(
        duty * module.rating_w,
        duty,
        module.rating_w,
        module.constant,
        module.linear,
        module.quadratic,
    )
    input_w = duty * module.rating_w + float(loss_w)
    rated = Power(input_w, float(reactive_power.si(input_w, module.input_power_factor)))
    other = other_load(case.demand, chain.mechanical_power_factor, chain.house_power_factor)
    other = other.plus(Power(case.wiring.board_w, 0.0))
    share = max(max(state.board_shares) for state in case.states)
    on_bus = rated.plus(other.part(share * chain.unevenness / ups.buses))
    rated_va = max(float(on_bus.va), duty * module.rating_va)
    return (
        rated_va if chain.ups.is_open else min(rated_va, max_loading * chain.transformer.largest_va)
    )


def _size_mv(
    case: _Case,
    site: Site,
    criteria: Criteria,
    ups: UpsDesign,
    boards: tuple[tuple[Power, ...], ...],
    trace: Trace,
) -> TransformerDesign:
    """Size for the worst state; if unspecified, also for the UPS of a lineup at its rating.

    Uses the transformer rating derated for harmonics.
    """
    basis, floor, scheme = case.chain.transformer, case.floor, case.chain.scheme
    if site.lv_service:
        way_va = largest_breaker_a(criteria.code) * 3.0**0.5 * case.chain.wiring.lv_voltage_v
        design = service_ways(scheme.systems, scheme.carrying, ups.buses, way_va)
        _record_transformers(design, "transformer", 0.0, False, _NO_TRANSFORMERS, trace)
        return design
    max_loading = basis.max_loading * harmonics_leave(case.chain, ups.module)
    load_va = max(
        _of_boards(case, ups, boards), ups.buses * _rated_board_va(case, ups, max_loading)
    )

    def sized(
        basis: TransformerBasis, as_built: int | None, minimum: tuple[int, float]
    ) -> TransformerDesign:
        return size_transformers(
            units=mv_units(basis, criteria.code, site.utility_voltage_v),
            carriers=scheme.systems,
            carrying=scheme.carrying,
            load_va=load_va,
            max_loading=max_loading,
            spare=basis.spare * ups.buses,
            parts=ups.buses,
            as_built=as_built,
            floor=minimum,
        )

    minimum = (0, 0.0)
    if floor is not None:
        minimum = floor.transformers.count // len(scheme.systems), floor.transformers.rating_va
    design = sized(basis, basis.count, minimum)
    if basis.rating_va is not None:
        free = replace(basis, rating_va=None, no_load_w=None, load_loss_w=None, impedance=None)
        of_standard = sized(free, design.count, (0, 0.0))
        design = replace(design, min_va=of_standard.unit.rating_va)
    stated = basis.count is not None
    _record_transformers(design, "transformer", load_va, stated, CHOICE_RULE, trace)
    return design


def _of_boards(case: _Case, ups: UpsDesign, boards: tuple[tuple[Power, ...], ...]) -> float:
    """Return the load of the most loaded boards of a system in any designed state [VA].

    Includes battery recharge with all units in service; with bus ties also the board of another
    lineup.
    """
    spare, uneven = case.chain.transformer.spare, case.chain.unevenness
    load_va = max(float(load.va) for loads in boards for load in loads) * uneven
    if case.chain.wiring.ties:
        # In addition to the own board, the board of another lineup. The tie replaces the incomer of
        # the lost board, not a transformer, so spare units carry load.
        two_va = 2.0 * max(float(board.va) for board in boards[0])
        load_va = max(load_va, two_va / (1.0 + spare) * uneven)
    charging_va = recharging_va(ups, boards[0], case.chain.ups.recharge, uneven)
    return max(load_va, charging_va / (1.0 + spare))


def _record_transformers(
    design: TransformerDesign, prefix: str, load_va: float, as_built: bool, rule: str, trace: Trace
) -> None:
    """Record count and rating of transformers: ``<prefix>.count``, ``<prefix>.rating_kva``."""
    count, duty = f"{prefix}.count", f"{prefix}.count.duty"
    if not design.present:
        trace.choose(duty, 0, "count", rule, PROJECT)
        trace.choose(count, 0, "count", rule, PROJECT)
        return
    unit, carriers = design.unit, len(design.carriers)
    each = "UPS system" if prefix == "transformer" else "feed"
    words = f"largest load of one {each}: {load_va / 1e3:,.0f} kVA; {rule}"
    trace.choose(f"{prefix}.rating_kva", unit.rating_va, "apparent_power", words, unit.source)
    words = (
        f"per {each}: {design.duty_per_carrier}; {each}s required for the load: {design.carrying}"
    )
    trace.choose(duty, design.duty, "count", words, DERIVED)
    words = "as built" if as_built else f"per {each}: {design.per_carrier}; {each}s: {carriers}"
    trace.choose(count, design.count, "count", words, PROJECT if as_built else DERIVED, duty=duty)
