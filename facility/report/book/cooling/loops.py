"""The Cooling loops sheet: every water loop with its heat, pipes, drops, head and pumps, live."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.cooling.hydraulics.study import Hydraulics
from facility.cooling.loops.loop import LoopRow, PartDrop, Stretch
from facility.report.sheet.cells import Ref, Span, column_letter
from facility.report.sheet.grid import Column, Grid, GridValue
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_FLOW, _C, _PA, _W = "liquid_flow", "temperature", "pressure", "active_power"
_TOP = 4
_LOOPS = (
    Column("title", "Loop", 32),
    Column("liquid", "Liquid", 50),
    Column("flow", "Flow, design L/min", 11, _FLOW),
    Column("running", "Flow, design hour L/min", 11, _FLOW),
    Column("supply", "Supply °C", 9, _C),
    Column("return", "Return °C", 9, _C),
    Column("rise", "Rise K", 9, "temperature_difference", "{return}-{supply}"),
    Column("density", "Density kg/m³", 10, "density"),
    Column("heat_capacity", "Specific heat kJ/(kg·K)", 10, "specific_heat"),
    Column("viscosity", "Viscosity mPa·s", 10, "viscosity"),
    Column(
        "heat",
        "Heat, design hour kW",
        11,
        "heat_flow",
        "{running}/60000*{density}*{heat_capacity}*{rise}",
    ),
    Column("head", "Head, worked out kPa", 11, _PA),
    Column("margin", "Margin asked for", 9, "fraction"),
    Column("given", "Head of the pumps kPa", 11, _PA),
    Column("held", "Head", 9, "verdict", 'IF({head}*(1+{margin})<={given}*(1+1E-9),"OK","CHECK")'),
    Column("efficiency", "Efficiency, wire to water", 10, "fraction"),
    Column(
        "power", "Pump power at the head worked out kW", 12, _W, "{flow}/60000*{head}/{efficiency}"
    ),
    Column(
        "assumed", "Pump power at the pumps' head kW", 12, _W, "{flow}/60000*{given}/{efficiency}"
    ),
    Column("volume", "Volume m³", 9, "volume", number_format="n2"),
    Column("dn", "Mains DN", 9, "count"),
    Column("velocity", "Mains m/s", 9, "velocity"),
    Column("growth", "Growth from filling", 9, "fraction", number_format="pct2"),
    Column("expansion", "Expansion m³", 10, "volume", "{volume}*{growth}", number_format="n3"),
)
_DROPS = (
    Column("name", "Part", 32, style="cell"),
    Column("basis", "Basis of the drop", 50, style="cell"),
    Column("flow", "Flow L/min", 11, _FLOW),
    Column("dn", "Size DN", 11, "count"),
    Column("pipes", "Pipes, side by side", 9, "count"),
    Column("inside", "Inside mm", 9, "length", unit="mm"),
    Column("length", "Length, both ways m", 9, "length"),
    Column(
        "velocity",
        "Velocity m/s",
        10,
        "velocity",
        "{flow}/60000/{pipes}/(PI()/4*({inside}/1000)^2)",
    ),
    Column(
        "reynolds",
        "Reynolds number",
        10,
        "ratio",
        "{density}*{velocity}*{inside}/{viscosity}",
        number_format="n0",
    ),
    Column("friction", "Friction factor", 10, "ratio", number_format="n4"),
    Column(
        "straight",
        "Straight pipe kPa",
        11,
        _PA,
        "{friction}*{length}/({inside}/1000)*{density}*{velocity}^2/2/1000",
    ),
    Column("coefficients", "Fittings, sum of K", 11, "ratio", number_format="n2"),
    Column("fittings", "Fittings kPa", 9, _PA, "{coefficients}*{density}*{velocity}^2/2/1000"),
    Column("component", "Component kPa", 11, _PA),
    Column("drop", "Drop kPa", 9, _PA, "{straight}+{fittings}+{component}"),
    Column("places", "Places", 10, "count"),
    Column(
        "volume",
        "Volume m³",
        12,
        "volume",
        "PI()/4*({inside}/1000)^2*{length}*{pipes}*{places}",
        number_format="n3",
    ),
)


@dataclass(frozen=True)
class _Below:
    """Cells of a loop's own table that its row above reads: sums, and the mains."""

    head: Ref
    volume: Ref
    dn: Ref
    velocity: Ref


def loops_sheet(name: str, study: Hydraulics, head_margin: float, furniture: Furniture) -> Sheet:
    """Return the loop table and, below it, the drops of each loop part by part.

    Parameters
    ----------
    name : str
        Sheet name.
    study : Hydraulics
        The loops as laid out.
    head_margin : float
        Part of the head that the pumps of CDUs must leave spare.
    furniture : Furniture
        Page edges.
    """
    sheet = Sheet(name, page=furniture.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    write_heading(
        sheet,
        "Cooling loops",
        "Worst path of each loop. q = rho V cp dT at the design hour; head = sum of the drops at "
        "design flow; power = V dp / eta.",
    )
    if not study.loops:
        sheet.put(
            _TOP, 1, "There is no water loop: the air handlers hold their own compressors.", "note"
        )
        sheet.set_widths(*(column.width for column in _LOOPS))
        return sheet
    row, below = _TOP + len(study.loops) + 2, []
    for n, loop in enumerate(study.loops, start=_TOP + 1):
        row, found = _write_drops(sheet, row + 1, loop, n)
        below.append(found)
    _write_loops(sheet, study.loops, below, head_margin)
    fit_heights(sheet, 3)
    return sheet


def _write_loops(
    sheet: Sheet, loops: Sequence[LoopRow], below: Sequence[_Below], head_margin: float
) -> None:
    grid = Grid(sheet, _TOP, _LOOPS, 54)
    grid.set_widths()
    for loop, found in zip(loops, below, strict=True):
        row = grid.write(_loop_row(loop, head_margin))
        for key, cell, value, number_format in (
            ("head", found.head, loop.head_pa / 1e3, "n2"),
            ("volume", found.volume, loop.volume_m3, "n2"),
            ("dn", found.dn, loop.main.size.dn, "n0"),
            ("velocity", found.velocity, loop.main.velocity_m_s(), "n2"),
        ):
            place = grid.cell(key, row).column
            sheet.formula(row, place, cell.here, value, f"calc.{number_format}")
    grid.mark("held", '{}="CHECK"', "warn")


def _loop_row(loop: LoopRow, head_margin: float) -> dict[str, GridValue]:
    coolant = loop.name == "tcs"
    given = loop.head_given_pa if coolant else loop.pump_head_pa
    margin = head_margin if coolant else 0.0
    assumed = None
    if given is not None and loop.efficiency is not None:
        assumed = loop.flow_m3_s * given / loop.efficiency
    return {
        "title": loop.title,
        "liquid": loop.liquid.name,
        "flow": loop.flow_m3_s,
        "running": loop.running_m3_s,
        "supply": loop.supply_c,
        "return": loop.return_c,
        "rise": loop.return_c - loop.supply_c,
        "density": loop.liquid.density_kg_m3,
        "heat_capacity": loop.liquid.specific_heat_j_kgk,
        "viscosity": loop.liquid.viscosity_pa_s,
        "heat": loop.heat_w,
        "head": loop.head_pa,
        "margin": margin,
        "given": given,
        "held": None
        if given is None
        else "OK"
        if loop.head_pa * (1.0 + margin) <= given * (1.0 + 1e-9)
        else "CHECK",
        "efficiency": loop.efficiency,
        "power": loop.pump_power_w,
        "assumed": assumed,
        "volume": loop.volume_m3,
        "growth": loop.expansion,
        "expansion": loop.expansion_m3,
    }


def _write_drops(sheet: Sheet, row: int, loop: LoopRow, above: int) -> tuple[int, _Below]:
    """Write the parts of a loop whose row is `above`; return the next free row and two sums."""
    sheet.put(row, 1, f"{loop.title[0].upper()}{loop.title[1:]}: worst path", "section")
    at = {column.key: f"${column_letter(n)}${above}" for n, column in enumerate(_LOOPS, start=1)}
    columns = tuple(
        Column(
            c.key,
            c.head,
            c.width,
            c.kind,
            c.formula.replace("{density}", at["density"]).replace("{viscosity}", at["viscosity"]),
            c.unit,
            c.number_format,
            c.style,
        )
        for c in _DROPS
    )
    grid = Grid(sheet, row + 1, columns, 40)
    for stretch in loop.stretches:
        grid.write(_pipe(stretch, loop))
    for part in loop.parts:
        grid.write(_component(part))
    if loop.other_volume_m3:
        grid.write(
            {"name": "inside the racks", "basis": "volume alone", "volume": loop.other_volume_m3},
            plain=("volume",),
        )
    return grid.row + 1, _write_sums(sheet, grid, loop)


def _pipe(stretch: Stretch, loop: LoopRow) -> dict[str, GridValue]:
    straight, fittings = stretch.straight_pa(loop.liquid), stretch.fittings_pa(loop.liquid)
    return {
        "name": stretch.name,
        "basis": "Darcy; K = fully turbulent friction times L/D",
        "flow": stretch.flow_m3_s,
        "dn": stretch.size.dn,
        "pipes": stretch.pipes,
        "inside": stretch.size.inside_m,
        "length": stretch.length_m,
        "velocity": stretch.velocity_m_s(),
        "reynolds": stretch.reynolds(loop.liquid),
        "friction": stretch.friction(loop.liquid),
        "straight": straight,
        "coefficients": stretch.coefficients,
        "fittings": fittings,
        "drop": straight + fittings,
        "places": stretch.places,
        "volume": stretch.volume_m3,
    }


def _component(part: PartDrop) -> dict[str, GridValue]:
    return {
        "name": part.name,
        "basis": part.basis,
        "component": part.drop_pa,
        "drop": part.drop_pa,
    }


def _write_sums(sheet: Sheet, grid: Grid, loop: LoopRow) -> _Below:
    row, last = grid.row, len(grid.columns)
    sheet.put(row, 1, "Worst path", "total")
    sheet.blank(row, range(2, last + 1), "total")
    sums: dict[str, Ref] = {}
    for key, value, kind, number_format in (
        ("drop", loop.head_pa, _PA, "n2"),
        ("volume", loop.volume_m3, "volume", "n3"),
    ):
        span, column = grid.span(key), grid.cell(key).column
        number = value / 1e3 if kind == _PA else value
        formula = f"SUM({Span(span.top, column, row - 1, column)})"
        sums[key] = sheet.formula(row, column, formula, number, f"total.{number_format}")
    return _Below(
        sums["drop"], sums["volume"], grid.cell("dn", grid.first), grid.cell("velocity", grid.first)
    )
