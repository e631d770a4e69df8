"""UPS batteries: number of strings required, and autonomy at any load.

Batteries are connected to each UPS module, or to each output bus of a UPS system: a *set*. A set is
sized for its load after the design failure; each system of a 2N scheme has full sets.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facility.core.sources import DERIVED, PROJECT, RULE, Source
from facility.core.trace import SILENT, Trace
from facility.model.power.battery import BatteryBasis
from facility.physics.circuits.distribution import shared_power
from facility.physics.machines.battery import (
    block_power,
    blocks_in_series,
    power_between,
    strings_needed,
)
from facility.physics.machines.ups import ups_loss
from facility.power.battery.tables import BatteryBlock, discharge_blocks, temperature_factor
from facility.power.choices import BatteryChoice
from facility.power.train.types import ChainDesign, UpsDesign

MAX_STRINGS = 10
"""Parallel strings per set if the manufacturer states no limit (unverified)."""

BLOCK_RULE = (
    "smallest block whose parallel strings do not exceed the manufacturer's limit or the as-built"
    " number; if no block qualifies, the fewest strings"
)
_MIN_LOAD_W = 1.0
_EFFICIENCY = Source("derivation", "output divided by output and module loss at this load")


@dataclass(frozen=True, eq=False)
class BatteryBank:
    """Sized batteries."""

    block: BatteryBlock  # The block and its discharge table at the end voltage
    blocks_per_string: int  # Blocks in series
    strings_per_set: int  # Strings in parallel in each set
    sets_per_system: int  # Sets of one UPS system
    cabinets_per_set: int  # Cabinets of one set
    temperature_factor: float  # Factor on the size for cold electrolyte
    temperature_source: Source  # Source of the factor
    set_load_w: float  # UPS output per set, the sizing load [W]

    @property
    def strings_per_system(self) -> int:
        """Strings of one UPS system."""
        return self.strings_per_set * self.sets_per_system


@dataclass(frozen=True, eq=False)
class BatteryDesign:
    """Batteries of all UPS systems; `bank` is None without a discharge table.

    `unknown` gives the reason in that case.
    """

    basis: BatteryBasis
    ups: UpsDesign
    bank: BatteryBank | None
    unknown: str = ""

    @property
    def choice(self) -> BatteryChoice | None:
        """Block and strings; None without a discharge table."""
        bank = self.bank
        return None if bank is None else BatteryChoice(bank.block.model, bank.strings_per_set)

    @property
    def systems(self) -> int:
        """UPS systems with dedicated batteries."""
        return len(self.ups.systems)


def size_battery(
    basis: BatteryBasis, chain: ChainDesign, output_w: float, trace: Trace
) -> BatteryDesign:
    """Return the batteries for the design output and the specified autonomy.

    basis: Required and project data.
    chain: The UPS systems and their shares of the load.
    output_w: Output of all systems together, growth included [W].
    trace: Records ``battery.strings.per_set`` and its inputs.

    Raises ``UNKNOWN_MODEL``; ``OUT_OF_RANGE`` for a time, end voltage or temperature outside the
    tables.
    """
    blocks = discharge_blocks(basis)
    if not blocks:
        why = f"no discharge table of a {basis.technology} block is included, and none is specified"
        return BatteryDesign(basis, chain.ups, None, why)
    sets, load_w = battery_sets(basis, chain, output_w, trace)
    block = _chosen(basis, blocks, chain.ups, load_w, trace)
    per_string, strings, (factor, source) = _size_strings(basis, block, chain.ups, load_w, trace)
    in_one = 1 if block.is_cabinet else basis.string.blocks_per_cabinet
    in_cabinets = -(-per_string * strings // in_one)
    bank = BatteryBank(block, per_string, strings, sets, in_cabinets, factor, source, load_w)
    return BatteryDesign(basis, chain.ups, bank)


def battery_sets(
    basis: BatteryBasis, chain: ChainDesign, output_w: float, trace: Trace
) -> tuple[int, float]:
    """Return the sets of one UPS system, and the UPS output per set [W].

    Parameters are those of `size_battery`.
    """
    return _sets(basis, chain.ups), _set_load(basis, chain, output_w, trace)


def _chosen(
    basis: BatteryBasis,
    blocks: tuple[BatteryBlock, ...],
    ups: UpsDesign,
    load_w: float,
    trace: Trace,
) -> BatteryBlock:
    """Return the candidate block selected by `BLOCK_RULE`."""
    if len(blocks) == 1:
        return blocks[0]
    free = replace(basis, string=replace(basis.string, strings=None))
    needed = {block.model: _size_strings(free, block, ups, load_w, SILENT)[1] for block in blocks}

    def permitted(block: BatteryBlock) -> bool:
        return needed[block.model] <= (basis.string.strings or block.max_parallel or MAX_STRINGS)

    few = min(blocks, key=lambda block: needed[block.model])
    found = next((block for block in blocks if permitted(block)), few)
    trace.ledger.add_text("power.battery.model", found.model, BLOCK_RULE, RULE)
    return found


def _size_strings(
    basis: BatteryBasis, block: BatteryBlock, ups: UpsDesign, load_w: float, trace: Trace
) -> tuple[int, int, tuple[float, Source]]:
    """Return blocks in series, parallel strings, and temperature factor with source, of a set."""
    per_string = _blocks_per_string(basis, block, trace)
    factor, source = temperature_factor(basis.room.temperature_c, block)
    trace.choose(
        "battery.temperature_factor",
        factor,
        "ratio",
        f"{basis.room.temperature_c:g} °C, table at {block.reference_c:g} °C; no credit for a warm"
        " room, no temperature factor for Li-ion",
        source,
        electrolyte="power.battery.temperature",
    )
    efficiency = _efficiency_step(basis, ups, load_w, trace)
    factors = {
        "load_w": trace.link("battery.set_load", load_w),
        "efficiency": trace.link("battery.inverter_efficiency", efficiency),
        "blocks": trace.link("battery.blocks_per_string", per_string),
        "ageing": trace.link("power.battery.ageing", basis.ageing),
        "temperature": trace.link("battery.temperature_factor", factor),
        "margin": trace.link("power.battery.design_margin", basis.margin),
    }
    return per_string, _strings(basis, block, factors, trace), (factor, source)


def _sets(basis: BatteryBasis, ups: UpsDesign) -> int:
    return ups.modules_per_system if basis.string.per_module else ups.buses


def uneven_bus_note(chain: ChainDesign) -> str:
    """Return the note that all output buses are assumed as loaded as the most loaded."""
    uneven = chain.chain.unevenness
    return f"; all its buses loaded as the most loaded, {uneven:.3f} x mean" * (uneven > 1.0)


def _set_load(basis: BatteryBasis, chain: ChainDesign, output_w: float, trace: Trace) -> float:
    ups, scheme = chain.ups, chain.chain.scheme
    left = ups.buses
    if basis.string.per_module:
        left = max(1, ups.modules_per_system - scheme.spare_units * ups.buses)
    trace.do(
        "battery.system_load",
        shared_power,
        f"largest load share of one system in a designed state; {scheme.name}"
        f"{uneven_bus_note(chain)}",
        load_w=trace.link("ups.design_output", output_w),
        share=chain.worst_share * chain.chain.unevenness,
    )
    what = "modules" if basis.string.per_module else "buses"
    return float(
        trace.do(
            "battery.set_load",
            shared_power,
            f"{left} {what} of a system in service; {scheme.failure}",
            load_w="battery.system_load",
            share=1.0 / left,
        )
    )


def _blocks_per_string(basis: BatteryBasis, block: BatteryBlock, trace: Trace) -> int:
    id, string = "battery.blocks_per_string", basis.string
    if string.blocks is not None or block.cells is None:
        return int(trace.given(id, string.blocks or 1, "count", PROJECT))
    return int(
        trace.do(
            id,
            blocks_in_series,
            dc_max_v=trace.link("power.battery.dc_bus_max", string.dc_max_v),
            float_v_per_cell=trace.link("power.battery.float_voltage", string.float_v_per_cell),
            cells_per_block=float(block.cells),
        )
    )


def _efficiency_step(basis: BatteryBasis, ups: UpsDesign, load_w: float, trace: Trace) -> float:
    id, kind = "battery.inverter_efficiency", "fraction"
    if basis.inverter_efficiency is not None:
        at = "power.battery.inverter_efficiency"
        return trace.choose(id, basis.inverter_efficiency, kind, "as stated", PROJECT, given=at)
    modules = 1 if basis.string.per_module else ups.modules_per_system // ups.buses
    return trace.choose(
        id,
        float(inverter_efficiency(basis, ups, load_w, modules)),
        kind,
        "double conversion at this load; lower than the inverter efficiency alone",
        _EFFICIENCY,
        load="battery.set_load",
    )


def _strings(
    basis: BatteryBasis, block: BatteryBlock, factors: dict[str, float | str], trace: Trace
) -> int:
    time_1, power_1, time_2, power_2 = block.segment(basis.autonomy_s)
    listed_w = trace.do(
        "battery.listed_power",
        power_between,
        f"{block.model} to {basis.end_v_per_cell:g} V per cell; {block.method}; {block.source}",
        time_s=trace.link("power.battery.autonomy", basis.autonomy_s),
        time_1_s=time_1,
        power_1_w=power_1,
        time_2_s=time_2,
        power_2_w=power_2,
    )
    one, id = "battery.one_string_power", "battery.strings.per_set"
    one_w = trace.do(one, block_power, "one string only", strings=1.0, **factors)
    if basis.string.strings is None:
        strings = trace.do(
            id,
            strings_needed,
            one_string_w=trace.link(one, one_w),
            listed_w=trace.link("battery.listed_power", listed_w),
        )
    else:
        strings = trace.given(id, basis.string.strings, "count", PROJECT, "as built")
    words, in_parallel = "at the design load, end of life", trace.link(id, strings)
    trace.do("battery.block_power", block_power, words, strings=in_parallel, **factors)
    return int(strings)


def inverter_efficiency(basis: BatteryBasis, ups: UpsDesign, load_w: Any, modules: Any) -> Any:
    """Return the efficiency from battery to output: as specified, or double conversion.

    basis: Efficiency if specified.
    ups: Design with the module loss curve.
    load_w: Output of `modules` modules [W], above 0.
    modules: Modules sharing the load.
    """
    if basis.inverter_efficiency is not None:
        return basis.inverter_efficiency
    module = ups.module
    loss_w = ups_loss.si(
        load_w, modules, module.rating_w, module.constant, module.linear, module.quadratic
    )
    return load_w / (load_w + loss_w)


def block_load_w(
    design: BatteryDesign, load_w: Any, modules: Any = None, *, new: bool = False,
    trace: Trace = SILENT, ids: tuple[str, str] = ("", ""),
) -> NDArray[np.float64]:  # fmt: skip
    """Return the required block power at a load of one UPS system.

    design: Batteries with a bank.
    load_w: Output of the system [W].
    modules: Modules in service, default all. The batteries of the others are out of service too.
    new: Without ageing.
    ids: Trace ids, and the load step.
    """
    basis, ups, bank = design.basis, design.ups, design.bank
    if bank is None:
        return np.full(np.shape(load_w), np.nan)
    load = np.maximum(np.asarray(load_w, dtype=np.float64), _MIN_LOAD_W)
    live = np.asarray(ups.modules_per_system if modules is None else modules, dtype=np.float64)
    sets = live if basis.string.per_module else np.where(live > 0, float(ups.buses), 0.0)
    id, of = ids
    with np.errstate(divide="ignore", invalid="ignore"):
        set_w = trace.do(f"{id}.set_load", shared_power, "one of the sets in service",
                         load_w=trace.link(of, load), share=1.0 / sets)  # fmt: skip
        efficiency = inverter_efficiency(basis, ups, load, live)
        trace.given(f"{id}.efficiency", efficiency, "fraction", DERIVED,
                    "from battery to output at this load")  # fmt: skip
        needed = trace.do(
            f"{id}.block_power", block_power, "new" if new else "end of life",
            load_w=trace.link(f"{id}.set_load", set_w),
            efficiency=trace.link(f"{id}.efficiency", efficiency),
            blocks=trace.link("battery.blocks_per_string", bank.blocks_per_string),
            strings=trace.link("battery.strings.per_set", bank.strings_per_set),
            ageing=1.0 if new else trace.link("power.battery.ageing", basis.ageing),
            temperature=trace.link("battery.temperature_factor", bank.temperature_factor),
            margin=1.0,
        )  # fmt: skip
    return np.where(live > 0, needed, np.inf)


def autonomy_s(
    design: BatteryDesign, load_w: Any, modules: Any = None, *, new: bool = False,
    trace: Trace = SILENT, ids: tuple[str, str] = ("", ""),
) -> NDArray[np.float64]:  # fmt: skip
    """Return the battery autonomy of one UPS system at its output, to the end voltage.

    A lower bound outside the discharge table: its longest time at a lower load, and zero at a load
    above the power of its shortest time. Ageing and cold are included, the design margin is
    excluded.

    load_w, modules, new, trace, ids: As in `block_load_w`.

    Times [s] have the shape of `load_w` and `modules`; NaN without a discharge table.
    """
    needed = block_load_w(design, load_w, modules, new=new, trace=trace, ids=ids)
    if design.bank is None:
        return needed
    return design.bank.block.time_s(needed, trace, ids[0], "new" if new else "at the end of life")


def beyond_table(design: BatteryDesign, trace: Trace, id: str) -> bool:
    """Return whether the load of an autonomy step exceeds the highest power of the table."""
    bank, power = design.bank, f"{id}.block_power"
    return bank is not None and power in trace and trace.value(power) > float(bank.block.watts[0])
