"""The Cooling loops sheet: every water loop with its heat, pipes, drops, head and pumps, live."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from facility.cooling.chain.design import CoolingDesign
from facility.cooling.hydraulics.study import Hydraulics
from facility.cooling.loops.loop import LoopRow, PartDrop, PipeFlow, Stretch
from facility.physics.liquids.pipes import (
    fittings_pressure_drop,
    pipe_pressure_drop,
    reynolds_number,
)
from facility.physics.plant.fans_pumps import pump_power
from facility.report.sheet.cells import column_letter
from facility.report.sheet.grid import Column, Grid, Table, Values, held
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading

_FLOW, _C, _PA, _W = "liquid_flow", "temperature", "pressure", "active_power"
_TOP = 4


@dataclass(frozen=True)
class LoopWithPumps:
    """A loop, and the part of the head that its pumps must leave spare."""

    loop: LoopRow
    margin: float

    @property
    def given_pa(self) -> float | None:
        """Head of the pumps; what CDUs leave for the loop of the coolant."""
        return self.loop.head_given_pa if self.loop.name == "tcs" else self.loop.pump_head_pa

    @property
    def holds(self) -> bool | None:
        """Whether the head worked out leaves the margin; None where no pump is stated."""
        given, needed = self.given_pa, self.loop.head_pa * (1.0 + self.margin)
        return None if given is None else needed <= given * (1.0 + 1e-9)

    @property
    def assumed_w(self) -> float | None:
        """Power at the head of the pumps."""
        if self.given_pa is None or self.loop.efficiency is None:
            return None
        return float(pump_power.si(self.loop.flow_m3_s, self.given_pa, self.loop.efficiency))


def _power(head: str) -> str:
    return pump_power.in_cells(flow_m3_s="{flow}", head_pa=head, efficiency="{efficiency}")


LOOPS: Table[LoopWithPumps] = Table(
    "Loops",
    (
        Column("title", "Loop", 32, of=lambda r: r.loop.title),
        Column("liquid", "Liquid", 50, of=lambda r: r.loop.liquid.name),
        Column("flow", "Flow, design L/min", 11, _FLOW, of=lambda r: r.loop.flow_m3_s),
        Column("running", "Flow, design hour L/min", 11, _FLOW, of=lambda r: r.loop.running_m3_s),
        Column("supply", "Supply °C", 9, _C, of=lambda r: r.loop.supply_c),
        Column("return", "Return °C", 9, _C, of=lambda r: r.loop.return_c),
        Column("rise", "Rise K", 9, "temperature_difference", "{return}-{supply}",
               of=lambda r: r.loop.return_c - r.loop.supply_c),
        Column("density", "Density kg/m³", 10, "density", of=lambda r: r.loop.liquid.density_kg_m3),
        Column("heat_capacity", "Specific heat kJ/(kg·K)", 10, "specific_heat",
               of=lambda r: r.loop.liquid.specific_heat_j_kgk),
        Column("viscosity", "Viscosity mPa·s", 10, "viscosity",
               of=lambda r: r.loop.liquid.viscosity_pa_s),
        Column("heat", "Heat, design hour kW", 11, "heat_flow",
               "{running}/60000*{density}*{heat_capacity}*{rise}", of=lambda r: r.loop.heat_w),
        Column("head", "Head, worked out kPa", 11, _PA, "{worst_drop}",
               of=lambda r: r.loop.head_pa),
        Column("margin", "Margin asked for", 9, "fraction", of=lambda r: r.margin),
        Column("given", "Head of the pumps kPa", 11, _PA, of=lambda r: r.given_pa),
        Column("held", "Head", 9, "verdict",
               'IF({head}*(1+{margin})<={given}*(1+1E-9),"OK","CHECK")',
               of=lambda r: held(r.holds)),
        Column("efficiency", "Efficiency, wire to water", 10, "fraction",
               of=lambda r: r.loop.efficiency),
        Column("power", "Pump power at the head worked out kW", 12, _W, _power("{head}"),
               of=lambda r: r.loop.pump_power_w),
        Column("assumed", "Pump power at the pumps' head kW", 12, _W, _power("{given}"),
               of=lambda r: r.assumed_w),
        Column("volume", "Volume m³", 9, "volume", "{worst_volume}", number_format="n2",
               of=lambda r: r.loop.volume_m3),
        Column("dn", "Mains DN", 9, "count", "{worst_dn}", of=lambda r: r.loop.main.size.dn),
        Column("velocity", "Mains m/s", 9, "velocity", "{worst_velocity}",
               of=lambda r: r.loop.flows[0].velocity_m_s),
        Column("growth", "Growth from filling", 9, "fraction", number_format="pct2",
               of=lambda r: r.loop.expansion),
        Column("expansion", "Expansion m³", 10, "volume", "{volume}*{growth}", number_format="n3",
               of=lambda r: r.loop.expansion_m3),
    ),
    head_height=54,
    marks=(("held", '{}="CHECK"', "warn"),),
)  # fmt: skip


_DROPS: tuple[Column[Values], ...] = (
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
        reynolds_number.in_cells(
            density_kg_m3="{loop_density}",
            velocity_m_s="{velocity}",
            diameter_m="{inside}",
            viscosity_pa_s="{loop_viscosity}",
        ),
        number_format="n0",
    ),
    Column("friction", "Friction factor", 10, "ratio", number_format="n4"),
    Column(
        "straight",
        "Straight pipe kPa",
        11,
        _PA,
        pipe_pressure_drop.in_cells(
            friction="{friction}",
            length_m="{length}",
            diameter_m="{inside}",
            density_kg_m3="{loop_density}",
            velocity_m_s="{velocity}",
        ),
    ),
    Column("coefficients", "Fittings, sum of K", 11, "ratio", number_format="n2"),
    Column(
        "fittings",
        "Fittings kPa",
        9,
        _PA,
        fittings_pressure_drop.in_cells(
            coefficients="{coefficients}", density_kg_m3="{loop_density}", velocity_m_s="{velocity}"
        ),
    ),
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
        live=lambda row: "inside" in row,
    ),
)


def loops_sheet(name: str, study: Hydraulics, margin: float, furniture: Furniture) -> Sheet:
    """Return the loop table and, below it, the drops of each loop part by part.

    `margin` is the part of the head that the pumps of CDUs must leave spare.
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
    """Return the part of the head that the pumps of CDUs must leave spare."""
    liquid = cooling.chain.liquid
    return liquid.head_margin if liquid is not None else 0.0


def loops_with_pumps(study: Hydraulics, margin: float) -> Iterator[LoopWithPumps]:
    """Yield the loops, each with the margin that its pumps must leave."""
    for loop in study.loops:
        yield LoopWithPumps(loop, margin if loop.name == "tcs" else 0.0)


def _write_drops(sheet: Sheet, row: int, loop: LoopRow, above: int) -> tuple[int, dict[str, str]]:
    """Write the parts of a loop whose row is `above`; return the next free row and its cells.

    The row above reads its head and volume in the sums, the mains in the first part.
    """
    sheet.put(row, 1, f"{loop.title[0].upper()}{loop.title[1:]}: worst path", "section")
    at = {
        column.key: f"${column_letter(n)}${above}"
        for n, column in enumerate(LOOPS.columns, start=1)
    }
    of_loop = {f"loop_{key}": at[key] for key in ("density", "viscosity")}
    grid = Grid(sheet, row + 1, _DROPS, 40, cells=of_loop)
    for stretch, flow in zip(loop.stretches, loop.flows, strict=True):
        grid.write(_pipe(stretch, flow))
    for part in loop.parts:
        grid.write(_component(part))
    if loop.other_volume_m3:
        grid.write(
            {"name": "inside the racks", "basis": "volume alone", "volume": loop.other_volume_m3}
        )
    mains = {key: grid.cell(key, grid.first).here for key in ("dn", "velocity")}
    sums = grid.total("Worst path", {"drop": loop.head_pa, "volume": loop.volume_m3})
    read = mains | {key: cell.here for key, cell in sums.items()}
    return grid.row, {f"worst_{key}": cell for key, cell in read.items()}


def _pipe(stretch: Stretch, flow: PipeFlow) -> Values:
    return {
        "name": stretch.name,
        "basis": "Darcy; K = fully turbulent friction times L/D",
        "flow": stretch.flow_m3_s,
        "dn": stretch.size.dn,
        "pipes": stretch.pipes,
        "inside": stretch.size.inside_m,
        "length": stretch.length_m,
        "velocity": flow.velocity_m_s,
        "reynolds": flow.reynolds,
        "friction": flow.friction,
        "straight": flow.straight_pa,
        "coefficients": stretch.coefficients,
        "fittings": flow.fittings_pa,
        "drop": flow.straight_pa + flow.fittings_pa,
        "places": stretch.places,
        "volume": stretch.volume_m3,
    }


def _component(part: PartDrop) -> Values:
    return {
        "name": part.name,
        "basis": part.basis,
        "component": part.drop_pa,
        "drop": part.drop_pa,
    }
