"""The Cooling loops sheet: every water loop with its heat, pipes, drops, head and pumps, live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from facility.cooling.chain.flow import CoolingDesign
from facility.cooling.hydraulics.study import Hydraulics
from facility.cooling.loops.loop import LoopRow, PipeFlow, Stretch
from facility.core.rounding import within, within_in_cells
from facility.physics.liquids.pipes import (
    fittings_pressure_drop,
    pipe_pressure_drop,
    reynolds_number,
)
from facility.physics.plant.fans_pumps import pump_power
from facility.report.sheet.grid import Column, Grid, SheetTable, verdict_word
from facility.report.sheet.model import Sheet, column_letter
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading

_FLOW, _C, _PA, _W = "liquid_flow", "temperature", "pressure", "active_power"
_TOP = 4


@dataclass(frozen=True)
class LoopWithPumps:
    """Loop with the required head margin of its pumps (fraction)."""

    loop: LoopRow
    margin: float

    @property
    def given_pa(self) -> float | None:
        """Pump head; for the coolant loop the external head of the CDUs."""
        return self.loop.head_given_pa if self.loop.name == "tcs" else self.loop.pump_head_pa

    @property
    def holds(self) -> bool | None:
        """Whether the pump head covers the calculated head plus margin; None without pump data."""
        given, needed = self.given_pa, self.loop.head_pa * (1.0 + self.margin)
        return None if given is None else within(needed, given)

    @property
    def assumed_w(self) -> float | None:
        """Pump power at the stated pump head."""
        if self.given_pa is None or self.loop.efficiency is None:
            return None
        return float(pump_power.si(self.loop.flow_m3_s, self.given_pa, self.loop.efficiency))


def _power(head: str) -> str:
    return pump_power.in_cells(flow_m3_s="{flow}", head_pa=head, efficiency="{efficiency}")


def _step(name: str) -> Callable[[LoopWithPumps], str]:
    return lambda row: f"{row.loop.id}.{name}"


LOOPS: SheetTable[LoopWithPumps] = SheetTable(
    "Loops",
    (
        Column("title", "Loop", 32, of=lambda r: r.loop.title),
        Column("liquid", "Liquid", 50, of=lambda r: r.loop.liquid.name),
        Column("flow", "Flow, design (L/min)", 11, _FLOW, of=lambda r: r.loop.flow_m3_s,
               id=_step("flow")),
        Column("running", "Flow, design hour (L/min)", 11, _FLOW, of=lambda r: r.loop.running_m3_s),
        Column("supply", "Supply (°C)", 9, _C, of=lambda r: r.loop.supply_c, id=_step("supply")),
        Column("return", "Return (°C)", 9, _C, of=lambda r: r.loop.return_c, id=_step("return")),
        Column("rise", "Rise (K)", 9, "temperature_difference", "{return}-{supply}",
               of=lambda r: r.loop.return_c - r.loop.supply_c),
        Column("density", "Density (kg/m³)", 10, "density",
               of=lambda r: r.loop.liquid.density_kg_m3),
        Column("heat_capacity", "Specific heat (kJ/(kg·K))", 10, "specific_heat",
               of=lambda r: r.loop.liquid.specific_heat_j_kgk),
        Column("viscosity", "Viscosity (mPa·s)", 10, "viscosity",
               of=lambda r: r.loop.liquid.viscosity_pa_s),
        Column("heat", "Heat, design hour (kW)", 11, "heat_flow",
               "{running}/60000*{density}*{heat_capacity}*{rise}", of=lambda r: r.loop.heat_w),
        Column("head", "Calculated head (kPa)", 11, _PA, "{worst_drop}",
               of=lambda r: r.loop.head_pa,
               id=_step("head")),
        Column("margin", "Required margin", 9, "fraction"),
        Column("given", "Pump head (kPa)", 11, _PA, of=lambda r: r.given_pa,
               id=_step("head_given")),
        Column("held", "Head", 9, "verdict",
               f'IF({within_in_cells("{head}*(1+{margin})", "{given}")},"OK","CHECK")',
               of=lambda r: verdict_word(r.holds)),
        Column("efficiency", "Efficiency, wire to water", 10, "fraction",
               of=lambda r: r.loop.efficiency),
        Column("power", "Pump power at calculated head (kW)", 12, _W, _power("{head}"),
               of=lambda r: r.loop.pump_power_w, id=_step("pump_power")),
        Column("assumed", "Pump power at pump head (kW)", 12, _W, _power("{given}"),
               of=lambda r: r.assumed_w),
        Column("volume", "Volume (m³)", 9, "volume", "{worst_volume}", number_format="n2",
               of=lambda r: r.loop.volume_m3, id=_step("volume")),
        Column("dn", "Mains DN", 9, "count", "{worst_dn}", of=lambda r: r.loop.main.size.dn,
               id=_step("dn")),
        Column("velocity", "Mains (m/s)", 9, "velocity", "{worst_velocity}",
               of=lambda r: r.loop.flows[0].velocity_m_s, id=_step("velocity")),
        Column("growth", "Thermal expansion", 9, "fraction", number_format="pct2",
               of=lambda r: r.loop.expansion),
        Column("expansion", "Expansion volume (m³)", 10, "volume",
               "{volume}*{growth}", number_format="n3",
               of=lambda r: r.loop.expansion_m3, id=_step("expansion")),
    ),
    head_height=54,
    marks=(("held", '{}="CHECK"', "warn"),),
)  # fmt: skip


@dataclass(frozen=True)
class _Drop:
    """Part of the critical path: pipe with its flow, component, or volume only."""

    name: str
    basis: str
    pipe: Stretch | None = None
    flow: PipeFlow | None = None
    component_pa: float | None = None
    volume_m3: float | None = None

    @property
    def drop_pa(self) -> float | None:
        """Pressure drop of the part."""
        if self.flow is None:
            return self.component_pa
        return self.flow.straight_pa + self.flow.fittings_pa


def _of_pipe(
    key: str, head: str, width: float, kind: str, of: Callable[[Stretch], float], unit: str = "",
    number_format: str = "",
) -> Column[_Drop]:  # fmt: skip
    def known(row: _Drop) -> float | None:
        return None if row.pipe is None else of(row.pipe)

    return Column(key, head, width, kind, "", unit, number_format, of=known)


def _of_flow(
    key: str, head: str, kind: str, formula: str, of: Callable[[PipeFlow], float],
    number_format: str = "", width: float = 10,
) -> Column[_Drop]:  # fmt: skip
    def known(row: _Drop) -> float | None:
        return None if row.flow is None else of(row.flow)

    return Column(key, head, width, kind, formula, number_format=number_format, of=known)


_OF_LOOP = {"density_kg_m3": "{loop_density}", "velocity_m_s": "{velocity}"}
_REYNOLDS = reynolds_number.in_cells(
    **_OF_LOOP, diameter_m="{inside}", viscosity_pa_s="{loop_viscosity}"
)
_STRAIGHT = pipe_pressure_drop.in_cells(
    **_OF_LOOP, friction="{friction}", length_m="{length}", diameter_m="{inside}"
)
_FITTINGS = fittings_pressure_drop.in_cells(**_OF_LOOP, coefficients="{coefficients}")
_DROPS: tuple[Column[_Drop], ...] = (
    Column("name", "Part", 32, style="cell"),
    Column("basis", "Basis of pressure drop", 50, style="cell"),
    _of_pipe("flow", "Flow (L/min)", 11, _FLOW, lambda p: p.flow_m3_s),
    _of_pipe("dn", "Size DN", 11, "count", lambda p: p.size.dn),
    _of_pipe("pipes", "Parallel pipes", 9, "count", lambda p: p.pipes),
    _of_pipe("inside", "Inside diameter (mm)", 9, "length", lambda p: p.size.inside_m, "mm"),
    _of_pipe("length", "Length, supply and return (m)", 9, "length", lambda p: p.length_m),
    _of_flow("velocity", "Velocity (m/s)", "velocity",
             "{flow}/60000/{pipes}/(PI()/4*({inside}/1000)^2)", lambda f: f.velocity_m_s),
    _of_flow("reynolds", "Reynolds number", "ratio", _REYNOLDS, lambda f: f.reynolds, "n0"),
    _of_flow("friction", "Friction factor", "ratio", "", lambda f: f.friction, "n4"),
    _of_flow("straight", "Straight pipe (kPa)", _PA, _STRAIGHT, lambda f: f.straight_pa, width=11),
    _of_pipe("coefficients", "Fittings, sum of K", 11, "ratio", lambda p: p.coefficients, "", "n2"),
    _of_flow("fittings", "Fittings (kPa)", _PA, _FITTINGS, lambda f: f.fittings_pa, width=9),
    Column("component", "Component (kPa)", 11, _PA, of=lambda r: r.component_pa),
    Column("drop", "Pressure drop (kPa)", 9, _PA, "{straight}+{fittings}+{component}",
           of=lambda r: r.drop_pa),
    _of_pipe("places", "Branches", 10, "count", lambda p: p.places),
    Column("volume", "Volume (m³)", 12, "volume",
           "PI()/4*({inside}/1000)^2*{length}*{pipes}*{places}", number_format="n3",
           of=lambda r: r.volume_m3, live=lambda r: r.pipe is not None),
)  # fmt: skip


def loops_sheet(name: str, study: Hydraulics, margin: float, page_setup: PageSetup) -> Sheet:
    """Return the loop table and, below it, the drops of each loop part by part.

    `margin` is the required head margin of the CDU pumps (fraction).
    """
    sheet = Sheet(name, page=page_setup.page(large=True, repeat_rows=(1, 2)), freeze=(1, 2))
    write_heading(
        sheet,
        "Cooling loops",
        "Critical path of each loop. q = rho V cp dT at the design hour; head = sum of the drops "
        "at design flow; power = V dp / eta.",
    )
    if not study.loops:
        sheet.put(
            _TOP, 1, "There is no water loop: the air handlers have integral compressors.", "note"
        )
        sheet.set_widths(*(column.width for column in LOOPS.columns))
        return sheet
    row, grid = _TOP + len(study.loops) + 2, LOOPS.grid(sheet, _TOP)
    grid.set_widths()
    for found in loops_with_pumps(study, margin):
        row, below = _write_drops(sheet, row + 1, found.loop, grid.row)
        grid.write(found, cells=below)
    LOOPS.mark(grid)
    fit_heights(sheet, 3)
    return sheet


def head_margin(cooling: CoolingDesign) -> float:
    """Return the required head margin of the CDU pumps (fraction)."""
    liquid = cooling.chain.liquid
    return liquid.head_margin if liquid is not None else 0.0


def loops_with_pumps(study: Hydraulics, margin: float) -> Iterator[LoopWithPumps]:
    """Yield the loops, each with its required pump-head margin."""
    for loop in study.loops:
        yield LoopWithPumps(loop, margin if loop.name == "tcs" else 0.0)


def _write_drops(sheet: Sheet, row: int, loop: LoopRow, above: int) -> tuple[int, dict[str, str]]:
    """Write the parts of a loop whose row is `above`; return the next free row and its cells.

    The row `above` refers to the sums for head and volume, and to the first part for the mains.
    """
    sheet.put(row, 1, f"{loop.title[0].upper()}{loop.title[1:]}: critical path", "section")
    at = {
        column.key: f"${column_letter(n)}${above}"
        for n, column in enumerate(LOOPS.columns, start=1)
    }
    of_loop = {f"loop_{key}": at[key] for key in ("density", "viscosity")}
    grid = Grid(sheet, row + 1, _DROPS, 40, cells=of_loop)
    why = "Darcy; K = fully turbulent friction factor times L/D"
    for pipe, flow in zip(loop.stretches, loop.flows, strict=True):
        grid.write(_Drop(pipe.name, why, pipe, flow, volume_m3=pipe.volume_m3))
    for part in loop.parts:
        grid.write(_Drop(part.name, part.basis, component_pa=part.drop_pa))
    if other_m3 := loop.other_volume_m3:
        where = "inside the racks" if loop.name == "tcs" else "second route of the headers"
        grid.write(_Drop(where, "volume only", volume_m3=other_m3))
    mains = {key: grid.cell(key, grid.first).here for key in ("dn", "velocity")}
    sums = grid.total("Critical path", {"drop": loop.head_pa, "volume": loop.volume_m3})
    read = mains | {key: cell.here for key, cell in sums.items()}
    return grid.row, {f"worst_{key}": cell for key, cell in read.items()}
