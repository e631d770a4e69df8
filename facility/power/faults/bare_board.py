"""Fault currents of an LV board before network design: sources and transformers only."""

from __future__ import annotations

from facility.model.facility import Site
from facility.model.power.faults import FaultBasis
from facility.power.backup.voltages import MAX_ON_ONE_BUS
from facility.power.faults.currents import fault_currents
from facility.power.faults.impedances import DELTA_WYE, transformer_branch
from facility.power.faults.sources import generator_source, motor_source, utility_source
from facility.power.faults.types import FaultBranch, FaultCurrents, FaultSource, FaultTree
from facility.power.train.types import ChainDemand, ChainDesign, TransformerUnit

_ROOT, _STEP_UP, _BOARD = "source", "step-up", "board"


def bare_board_faults(
    design: ChainDesign, demand: ChainDemand, site: Site, basis: FaultBasis
) -> list[FaultCurrents]:
    """Return the maximum fault currents at the most loaded LV board, cables omitted.

    Sources are the utility and generators at medium voltage with the maximum number on one bus; the
    fault study, with cables and sections, finds at most these currents. Low-voltage generators are
    omitted: their sections follow the lineups.
    """
    plant, max_v = design.generators, design.utility_voltage_v
    level_va, x_over_r = site.fault_level_va, site.x_over_r
    utility = utility_source(_ROOT, _ROOT, max_v, level_va, x_over_r, basis.sources)
    trees = [_tree(design, demand, basis, utility, ())]
    if design.transformers.present and plant.connection == "MV" and plant.count:
        sets = min(plant.count, MAX_ON_ONE_BUS)
        generators = generator_source(
            _ROOT,
            _ROOT,
            plant.voltage_v,
            plant.rating_va,
            sets,
            basis.sources,
            plant.rating_w / plant.rating_va,
        )
        step_up: tuple[FaultBranch, ...] = ()
        if plant.step_up is not None:
            voltages_v = plant.voltage_v, max_v
            one = _transformer(
                _STEP_UP, _ROOT, design, basis, plant.step_up, voltages_v, sets, DELTA_WYE
            )
            step_up = (one,)
        trees.append(_tree(design, demand, basis, generators, step_up))
    return [fault_currents(tree, basis.method, "max", basis.voltage) for tree in trees]


def _tree(
    design: ChainDesign,
    demand: ChainDemand,
    basis: FaultBasis,
    source: FaultSource,
    step_up: tuple[FaultBranch, ...],
) -> FaultTree:
    chain, data, branches = design.chain, basis.sources, step_up
    board_v = chain.wiring.lv_voltage_v
    if design.transformers.present:
        unit, voltages_v = design.transformers.unit, (design.utility_voltage_v, board_v)
        units = design.transformers.per_carrier // design.ups.buses
        group = chain.transformer.vector_group
        fed_from = step_up[-1].tag if step_up else _ROOT
        branches = (
            *step_up,
            _transformer(_BOARD, fed_from, design, basis, unit, voltages_v, units, group),
        )
    sources = [source]
    motors_w = max(demand.mech_of_buses(chain)) / len(chain.scheme.systems)
    motors_va = motors_w / chain.mechanical_power_factor
    if motors_va * data.motor_share * data.motor_multiple > 0.0:
        board = branches[-1].tag if branches else _ROOT
        sources.append(motor_source("motors", board, board_v, motors_va, data))
    return FaultTree(_ROOT, source.rated_v, branches, tuple(sources))


def _transformer(
    tag: str,
    fed_from: str,
    design: ChainDesign,
    basis: FaultBasis,
    unit: TransformerUnit,
    voltages_v: tuple[float, float],
    units: int,
    vector_group: str,
) -> FaultBranch:
    return transformer_branch(
        tag,
        fed_from,
        unit.rating_va,
        *voltages_v,
        unit.impedance,
        vector_group,
        basis.transformer_zero,
        tolerance=design.chain.transformer.tolerance,
        load_loss_w=unit.load_loss_w,
        units=units,
    )
