"""Cooling sheets of a set: flow diagram, equipment schedule, loops, set points, water."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from facility.catalogue import sources as sources_table
from facility.core.views import System, show
from facility.report.book.cooling.equipment import EquipmentFacts, equipment, tag_range
from facility.report.book.cooling.loops import LOOPS, head_margin, loops_with_pumps
from facility.report.drawings.loops.flow_diagram import flow_scene
from facility.report.issue.content import (
    Block,
    Break,
    DrawingBlock,
    Paragraph,
    SheetContent,
    TableBlock,
)
from facility.report.issue.mechanical.balance import LoopBalance, loop_balances
from facility.report.issue.mechanical.flow import loop_bands, pipe_size
from facility.report.issue.mechanical.trade_units import TRADE_UNITS, show_trade
from facility.report.sheet.grid import Column, Row, TextTable, Values
from facility.study.design.design import Design

FLOW_SERIES, SCHEDULE_SERIES = 100, 200
BANDS = 5
"""Loops on one sheet."""
_NOT_PRINTED = frozenset({"source", "held", "supply", "limit", "least", "carnot", "sound", "hour"})
_OF_LOOPS = (
    "title",
    "flow",
    "running",
    "supply",
    "return",
    "head",
    "given",
    "efficiency",
    "power",
    "volume",
    "velocity",
    "expansion",
)
_OF_WHOLE_LOOP = (
    "Flow, head and power: whole loop, shared by the duty pumps. CDUs have pumps inside."
)
_NOT_SELECTED = (
    "Machines are not selected: the capacity is the sizing load per duty unit; the efficiency is "
    "that of the performance data {}."
)
_NO_LOOP = "There is no water loop: the air units have integral compressors."


def cooling_contents(design: Design, system: System) -> tuple[SheetContent, ...]:
    """Return the cooling sheets of `design`, at the design hour.

    system: Unit system of the texts.
    """
    bands = tuple(loop_bands(design, system))
    drawn = (DrawingBlock(flow_scene(bands[n : n + BANDS])) for n in range(0, len(bands), BANDS))
    diagram = tuple(drawn) or (Paragraph(_NO_LOOP),)
    return (
        SheetContent("M", FLOW_SERIES, "Cooling flow diagram", diagram, large=True),
        SheetContent(
            "M",
            SCHEDULE_SERIES,
            "Cooling equipment, loops and water",
            (*_equipment(design, system), *_loops(design, system)),
            large=True,
        ),
    )


def _equipment(design: Design, system: System) -> Iterator[Block]:
    """Yield the schedule of each equipment type; pumps with their count."""
    facts = EquipmentFacts.of(design, design.cooling_flow, design.trace)
    units = {one.tag: one for one in design.electrical_units}
    sources: dict[str, str] = {}
    plan = design.cooling.chilled.plan.chiller
    unselected = plan.model if plan.capacity_w is None else ""
    for table, rows, note in equipment(facts):
        listed: list[Values] = []
        for row in rows:
            pump = units.get(str(row["tag"])) if "loop" in row else None
            counts: Values = (
                {}
                if pump is None
                else {
                    "tag": tag_range(pump.tag, pump.installed),
                    "duty": pump.duty,
                    "installed": pump.installed,
                }
            )
            size: Values = {}
            if isinstance(dn := row.get("dn"), int):
                size = {"dn": pipe_size(dn, system)}
            model = "not selected" if unselected and row["model"] == unselected else row["model"]
            own: Values = {"model": str(model).removesuffix(", YorkCalc")}
            listed.append({**row, **own, **counts, **size})
            sources[str(listed[-1]["tag"])] = _titled(str(row["source"]))
            if model != row["model"]:
                note = _NOT_SELECTED.format(unselected)
        columns = tuple(
            replace(c, head="Connection", kind="") if c.key == "dn" else c
            for c in table.columns
            if c.key not in _NOT_PRINTED
        )
        words = _OF_WHOLE_LOOP if any("loop" in row for row in rows) else note
        below = (words,) if words else ()
        printed = replace(table, columns=_in_trade_units(columns)).text(listed, system, *below)
        yield TableBlock(_keyed(printed, [str(row["tag"]) for row in listed]))
    words = "; ".join(f"{tag}: {source}" for tag, source in sources.items())
    yield Paragraph(f"Sources of the ratings. {words}.", "note")
    yield Paragraph("Weights and dimensions of cooling equipment: not stated.", "note")


_MOTORS = frozenset({"fan", "fans", "power", "hour"})
"""Powers of fans and pumps."""


def _titled(source: str) -> str:
    """Return a source with the title of its document in place of its id."""
    id = re.match(r"[\w-]*", source)
    entry = sources_table().get(id[0]) if id is not None else None
    return source if entry is None or id is None else entry.title + source[id.end() :]


def _in_trade_units(columns: tuple[Column[Row], ...]) -> tuple[Column[Row], ...]:
    """Return the columns with the IP units of the trade; powers of chillers stay in kW."""
    chillers = any(column.key == "cop" for column in columns)

    def unit(column: Column[Row]) -> str:
        electrical = column.kind == "active_power"
        if electrical and (chillers or column.key not in _MOTORS):
            return ""
        return TRADE_UNITS.get(column.kind, "")

    return tuple(replace(column, ip_unit=unit(column)) for column in columns)


def _loops(design: Design, system: System) -> Iterator[Block]:
    balances = list(loop_balances(design))
    if balances:
        found = list(loops_with_pumps(design.hydraulics, head_margin(design.cooling)))
        columns = tuple(column for column in LOOPS.columns if column.key in _OF_LOOPS)
        table = replace(LOOPS, columns=_in_trade_units(columns)).text(found, system)
        mains = [pipe_size(row.loop.main.size.dn, system) for row in found]
        rows = [[*row, size] for row, size in zip(table.rows, mains, strict=True)]
        listed = TextTable(table.title, [*table.heads, "Size of mains"], rows)
        yield TableBlock(_keyed(listed, [row.loop.id for row in found]))
    yield Break(2)
    if balances:
        yield TableBlock(balance_table(balances, system))
    yield TableBlock(set_points(design, system))
    yield TableBlock(water_table(design, system))


def balance_table(balances: Sequence[LoopBalance], system: System) -> TextTable:
    """Return the heat into and out of each loop by part, with the residual."""
    rows, keys = [], []

    def heat(value_w: float) -> str:
        return show_trade(value_w, "heat_flow", system)

    for one in balances:
        title = f"{one.loop.title[:1].upper()}{one.loop.title[1:]}"
        for name, value_w in one.heat_in:
            rows.append([title, name, heat(value_w), ""])
            title = ""
        rows += [["", name, "", heat(value_w)] for name, value_w in one.heat_out]
        rows.append(["", "Sum", heat(one.in_w), heat(one.out_w)])
        percent = f"{100.0 * one.residual:.3f} %"
        rows.append(["", f"Residual, {percent} of heat in", heat(one.residual_w), ""])
        rows.append(
            ["", "Carried by flow x density x specific heat x rise", "", heat(one.loop.heat_w)]
        )
        parts = len(one.heat_in) + len(one.heat_out)
        names = [*(f"part.{n}" for n in range(parts)), "sum", "residual", "carried"]
        keys += [f"{one.loop.id}.balance.{name}" for name in names]
    heads = ["Loop", "Part", "Heat in", "Heat out"]
    below = (
        "The flow carries the heat between the temperatures at the equipment; heat of pumps "
        "downstream of the return sensor is not part of it.",
    )
    return TextTable(
        "Heat balance of the loops, design hour", heads, rows, below, _cell_keys(keys, heads)
    )


def set_points(design: Design, system: System) -> TextTable:
    """Return the set points of air and water with the limit of each."""
    flow, cooling, criteria = design.cooling_flow, design.cooling, design.facility.criteria
    chain = cooling.chain

    def degrees(value_c: float) -> str:
        return show(value_c, "temperature", system)

    inlet = f"equipment inlet at most {degrees(criteria.air_allowable_max_c)}"
    rows = [
        (
            "air.supply",
            "Supply air of the halls",
            degrees(flow.supply_air_c),
            f"{inlet}, class {criteria.air_class}; worst inlet {degrees(flow.inlet_worst_c)}",
        ),
        (
            "air.dew_point",
            "Dew point of the halls",
            degrees(chain.room_dew_point_c),
            "coils and coolant supply above it stay dry",
        ),
    ]
    if cooling.cdus is not None and cooling.water is not None:
        max_c, water = cooling.cdus.plan.tcs_supply_max_c, cooling.water.plan
        limit = "not stated" if max_c is None else f"at most {degrees(max_c)}"
        words = f"{limit}; above the dew point of the halls"
        rows.append(("tcs.supply", "Coolant (TCS) supply", degrees(flow.tcs_supply_c), words))
        words = f"at most {degrees(water.class_max_c)}, class {water.liquid_class}"
        supply = degrees(flow.fws_supply_c)
        rows.append(("fws.supply", "Facility water (FWS) supply", supply, words))
    if not cooling.chilled.plan.direct:
        words = f"return {degrees(flow.chw_return_c)} at the design hour"
        rows.append(("chw.supply", "Chilled-water supply", degrees(flow.chw_supply_c), words))
    if flow.condenser_flow_m3_s > 0.0:
        entering, words = degrees(flow.condenser_in_c), "design hour; lower in cold weather"
        rows.append(("cw.supply", "Condenser water to the chillers", entering, words))
    for loop in design.hydraulics.loops:
        if loop.efficiency is not None:
            head = show_trade(loop.pump_head_pa, "pressure", system)
            words = f"at least {show_trade(loop.head_pa, 'pressure', system)}, calculated"
            rows.append((f"{loop.name}.head", f"Pump head, {loop.title}", head, words))
    heads = ["Set point", "Value", "Limit"]
    keys = _cell_keys([f"setpoint.{key}" for key, *_ in rows], heads)
    return TextTable("Set points and limits", heads, [row[1:] for row in rows], keys=keys)


_WATER = ("evaporation", "drift", "blowdown", "humidifiers", "pads", "pad_blowdown")


def water_table(design: Design, system: System) -> TextTable:
    """Return make-up water by use, at the design hour and in the year, and its storage."""
    results = design.all_results

    def text(key: str) -> str:
        return results[key].shown(system) if key in results else ""

    rows = [
        [name.replace("_", " ").capitalize(), text(f"water.{name}"), text(f"water.annual.{name}")]
        for name in _WATER
        if f"water.{name}" in results or f"water.annual.{name}" in results
    ]
    rows.append(["Make-up, all uses", text("water.makeup"), text("water.annual")])
    keys = [f"water.{str(row[0]).lower()}" for row in rows]
    for key, value in results.items():
        if key.startswith("water.storage."):
            rows.append([f"Storage, {value.basis}", value.shown(system), ""])
            keys.append(key)
    below = []
    chilled, water = design.cooling.chilled.sink, design.cooling.water
    sinks = [chilled, *([] if water is None or water.sink is None else [water.sink])]
    cycles = dict.fromkeys(sink.plan.cycles for sink in sinks if sink.plan.kind == "tower")
    if cycles:
        words = ", ".join(f"{one:g}" for one in cycles)
        below.append(f"Cycles of concentration of the towers: {words}.")
    if "water.annual" not in results:
        below.append("Annual figures: not evaluated without a weather year.")
    heads = ["Water", "Design hour", "Year"]
    return TextTable("Water balance", heads, rows, below, _cell_keys(keys, heads))


def _keyed(table: TextTable, ids: Sequence[str]) -> TextTable:
    return replace(table, keys=_cell_keys(ids, table.heads))


def _cell_keys(ids: Sequence[str], heads: Sequence[str]) -> list[dict[str, str]]:
    """Return the key of each cell: id of the row, and heading."""
    return [{head: f"{id}:{head.lower()}" for head in heads[1:]} for id in ids]
