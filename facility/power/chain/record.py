"""The steps of the power chain in the trace, so that every number explains itself."""

from __future__ import annotations

from facility.core.sources import DERIVED, PROJECT, RULE, Source
from facility.core.trace import Trace
from facility.model.power.chain import PowerChain
from facility.physics.circuits.currents import three_phase_current
from facility.physics.circuits.distribution import (
    apparent_of_parts,
    conductor_loss,
    shared_power,
    with_growth,
)
from facility.physics.machines.generator import set_loading
from facility.physics.machines.transformer import transformer_loss
from facility.physics.machines.ups import loading, recharge_power, ups_loss
from facility.power.backup.sizing import Connection
from facility.power.train.results import ChainFlow
from facility.power.train.state import Power
from facility.power.train.types import ChainDemand, ChainDesign, TransformerDesign, UpsDesign

_OTHERS = Source("roll-up", "load of the other wings")


def record_design_load(
    chain: PowerChain, demand: ChainDemand, growth: float, output: Power, pdu_w: float, trace: Trace
) -> None:
    """Record the output that the UPS is sized on: ``ups.design_output`` and ``.._va``.

    Parameters
    ----------
    chain : PowerChain
        Loss fractions of the wiring.
    demand : ChainDemand
        Loads of today.
    growth : float
        Growth that shared plant is kept spare for.
    output : Power
        Output of the UPS with growth.
    pdu_w : float
        Loss of the PDU transformers with growth [W].
    trace : Trace
        Takes the steps.
    """
    by = trace.link("criteria.growth", growth)
    trace.do("chain.design.it", with_growth, load_w=_it(trace, demand), growth=by)
    terms = ["chain.design.it"]
    for name, id, fraction in _wiring(chain, demand)[:3]:
        terms.append(f"chain.design.{name}")
        trace.do(
            terms[-1],
            conductor_loss,
            load_w="chain.design.it",
            reference_w=demand.it_w,
            fraction=trace.link(id, fraction),
        )
    trace.given("chain.design.pdu_transformer", pdu_w, "active_power", DERIVED, "all feeds")
    trace.given("chain.mech_ups", demand.mech_ups_w, "active_power", _OTHERS, "cooling on the UPS")
    trace.do("chain.design.mech_ups", with_growth, load_w="chain.mech_ups", growth=by)
    trace.sum(
        "ups.design_output",
        "active_power",
        "IT, losses below the UPS, cooling on it, growth",
        *terms,
        "chain.design.pdu_transformer",
        "chain.design.mech_ups",
    )
    trace.do(
        "ups.design_output_va",
        apparent_of_parts,
        power_w="ups.design_output",
        reactive_var=output.var,
    )


def record_connection(chain: PowerChain, connection: Connection, trace: Trace) -> None:
    """Record the side of the transformers that the plant is on, where the project leaves it."""
    if not chain.generator.connection:
        trace.ledger.add_text(
            "power.generator.connection", connection.side, connection.because, RULE
        )


def record_generator_load(
    chain: PowerChain, ups: UpsDesign, demand: ChainDemand, growth: float, ups_loss_w: float,
    losses: tuple[Power, Power], load: Power, trace: Trace,
) -> None:  # fmt: skip
    """Record the load that the generators are sized on: ``generator.design_load`` and ``.._va``.

    `losses` are those of the MV/LV transformers, nothing for a plant on the LV side, and of the
    step-up transformers of the sets.
    """
    lost, raised = losses
    by = trace.link("criteria.growth", growth)
    trace.given("chain.design.ups_losses", ups_loss_w, "active_power", DERIVED, "all systems")
    trace.do(
        "chain.design.recharge", recharge_power, modules=float(ups.modules),
        recharge=trace.link("power.ups.recharge", chain.ups.recharge),
        module_w="ups.module_rating",
    )  # fmt: skip
    trace.given("chain.mech", demand.mech_w, "active_power", _OTHERS, "cooling on the LV boards")
    trace.do("chain.design.mech", with_growth, load_w="chain.mech", growth=by)
    trace.given(
        "chain.house", demand.house_w, "active_power", _OTHERS, "lights, controls, security"
    )
    _, id, fraction = _wiring(chain, demand)[3]
    trace.do(
        "chain.design.lv_board", conductor_loss, load_w="chain.design.it",
        reference_w=demand.it_w, fraction=trace.link(id, fraction),
    )  # fmt: skip
    side = "MV/LV transformers, without the recharge" if lost.w else "none: sets on the LV side"
    trace.given("chain.design.transformer", lost.w, "active_power", DERIVED, side)
    side = "one at each set" if raised.w else "none: sets at the voltage of their bus"
    trace.given("chain.design.step_up", raised.w, "active_power", DERIVED, side)
    trace.sum(
        "generator.design_load", "active_power",
        "UPS input, recharge, cooling, house, boards, transformers",
        "ups.design_output", "chain.design.ups_losses", "chain.design.recharge",
        "chain.design.mech", "chain.house", "chain.design.lv_board", "chain.design.transformer",
        "chain.design.step_up",
    )  # fmt: skip
    trace.do(
        "generator.design_load_va", apparent_of_parts, power_w="generator.design_load",
        reactive_var=load.var,
    )  # fmt: skip


def record_transformers(
    design: TransformerDesign, prefix: str, load_va: float, as_built: bool, rule: str, trace: Trace
) -> None:
    """Record count and rating of transformers: ``<prefix>.count``, ``<prefix>.rating_kva``."""
    if not design.present:
        trace.choose(f"{prefix}.count.duty", 0, "count", rule, PROJECT)
        trace.choose(f"{prefix}.count", 0, "count", rule, PROJECT)
        return
    because = f"worst of {len(design.carriers)} load(s): {load_va / 1e3:,.0f} kVA; {rule}"
    trace.choose(
        f"{prefix}.rating_kva",
        design.unit.rating_va,
        "apparent_power",
        because,
        design.unit.source,
    )
    trace.choose(
        f"{prefix}.count.duty",
        design.duty,
        "count",
        f"{design.duty_per_carrier} on each of the {design.carrying} that suffice",
        DERIVED,
    )
    why = "as built" if as_built else f"{design.per_carrier} on each of {len(design.carriers)}"
    trace.choose(
        f"{prefix}.count",
        design.count,
        "count",
        why,
        PROJECT if as_built else DERIVED,
        duty=f"{prefix}.count.duty",
    )


def record_flow(design: ChainDesign, demand: ChainDemand, flow: ChainFlow, trace: Trace) -> None:
    """Record losses, loadings and the demand at the utility under `demand`.

    Ids: ``losses.<part>``, ``ups.output``, ``ups.losses``, ``ups.loading_normal``,
    ``ups.loading_failure``, ``generator.loading``, ``load.losses``, ``utility.demand``,
    ``utility.demand_kva`` and ``utility.current``.
    """
    it_id = _it_id(trace, demand)
    below = [it_id, *_record_wiring(design, demand, it_id, trace)]
    board = below.pop()
    below.append(_record_pdus(design, flow, trace))
    trace.sum("ups.output", "active_power", "IT, losses below the UPS, cooling on it", *below,
              "chain.mech_ups")  # fmt: skip
    _record_ups(design, flow, trace)
    _record_mv(design, flow, trace)
    parts = [*below[1:], "losses.ups", board, "losses.transformer"]
    trace.sum("load.losses", "active_power", "from the meter to the equipment inputs", *parts)
    trace.sum("utility.demand", "active_power", "all loads and all losses", it_id,
              "chain.mech_ups", "chain.mech", "chain.house", "load.losses")  # fmt: skip
    trace.do("utility.demand_kva", apparent_of_parts, power_w="utility.demand",
             reactive_var=flow.utility.demand_var)  # fmt: skip
    trace.do("utility.current", three_phase_current, apparent_va="utility.demand_kva",
             line_voltage_v=trace.link("site.utility_voltage", design.utility_voltage_v)
             )  # fmt: skip
    plant = design.generators
    trace.given(
        "generator.load", flow.generators.load_w, "active_power", DERIVED,
        f"with recharge, sets on the {plant.connection} side",
    )  # fmt: skip
    trace.do("generator.loading", set_loading, load_w="generator.load",
             sets=float(max(1, plant.count - plant.spare)), set_w="generator.rating",
             derate="generator.derate")  # fmt: skip


def _it(trace: Trace, demand: ChainDemand) -> float | str:
    return trace.link("load.it", demand.it_w)


def _it_id(trace: Trace, demand: ChainDemand) -> str:
    found = _it(trace, demand)
    if isinstance(found, str):
        return found
    trace.given("chain.it", found, "active_power", Source("roll-up"), "at the equipment inputs")
    return "chain.it"


def _wiring(chain: PowerChain, demand: ChainDemand) -> tuple[tuple[str, str, float], ...]:
    wiring = chain.wiring
    return (
        ("rack_pdu", "it.rack_pdu_loss", demand.rack_pdu_fraction),
        ("branch", "power.branch_loss", wiring.branch_loss),
        ("feeder", "power.feeder_loss", wiring.feeder_loss),
        ("lv_board", "power.board_loss", wiring.lv_loss),
    )


def _record_wiring(design: ChainDesign, demand: ChainDemand, it_id: str, trace: Trace) -> list[str]:
    ids = []
    for name, id, fraction in _wiring(design.chain, demand):
        ids.append(f"losses.{name}")
        trace.do(
            ids[-1],
            conductor_loss,
            load_w=it_id,
            reference_w=design.reference_it_w,
            fraction=trace.link(id, fraction),
        )
    return ids


def _record_pdus(design: ChainDesign, flow: ChainFlow, trace: Trace) -> str:
    id, pdus = "losses.pdu_transformer", design.pdus
    if pdus is None:
        why = "none: the racks take the voltage of the UPS"
    else:
        why = f"{pdus.count} transformers, {pdus.per_carrier} on each of {len(pdus.carriers)} feeds"
    trace.given(id, flow.part("pdu_transformer").loss_w, "active_power", DERIVED, why)
    return id


def _record_ups(design: ChainDesign, flow: ChainFlow, trace: Trace) -> None:
    ups, module = design.ups, design.ups.module
    for system in flow.systems:
        share = float(system.output_w / flow.ups.output_w)
        trace.do(f"ups.output.{system.name}", shared_power, load_w="ups.output", share=share)
        trace.do(
            f"ups.losses.{system.name}", ups_loss, f"loss curve {module.curve}",
            output_w=f"ups.output.{system.name}", modules=float(ups.modules_per_system),
            module_w="ups.module_rating", constant=module.constant, linear=module.linear,
            quadratic=module.quadratic,
        )  # fmt: skip
    trace.sum("ups.losses", "active_power", "all systems",
              *(f"ups.losses.{name}" for name in ups.systems))  # fmt: skip
    trace.sum("losses.ups", "active_power", "all systems", "ups.losses")
    fullest = max(flow.systems, key=lambda system: system.output_w)
    trace.do("ups.loading_normal", loading, "all in service", load_w=f"ups.output.{fullest.name}",
             modules=float(ups.modules_per_system), module_w="ups.module_rating")  # fmt: skip
    scheme = design.chain.scheme
    trace.do("ups.output.failure", shared_power, "largest on one system in a designed state",
             load_w="ups.output",
             share=float(flow.ups.system_w_worst / flow.ups.output_w))  # fmt: skip
    left = max(1, ups.modules_per_system - scheme.spare_units * ups.buses)
    trace.do("ups.loading_failure", loading, f"designed failure: {scheme.failure}",
             load_w="ups.output.failure", modules=float(left),
             module_w="ups.module_rating")  # fmt: skip


def _record_mv(design: ChainDesign, flow: ChainFlow, trace: Trace) -> None:
    transformers = design.transformers
    if not transformers.present:
        trace.given("losses.transformer", 0.0, "active_power", PROJECT, "service at low voltage")
        return
    unit = transformers.unit
    for system in flow.systems:
        trace.do(
            f"losses.transformer.{system.name}",
            transformer_loss,
            load_va=float(system.board_va),
            units=float(transformers.per_carrier),
            rating_va="transformer.rating_kva",
            no_load_w=unit.no_load_w,
            load_loss_w=unit.load_loss_w,
        )
    trace.sum(
        "losses.transformer",
        "active_power",
        "all systems",
        *(f"losses.transformer.{system.name}" for system in flow.systems),
    )
