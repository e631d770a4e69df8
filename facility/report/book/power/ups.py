"""The UPS sheet: modules, every system in every designed state, LV boards and transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.trace import Trace
from facility.physics.circuits.currents import reactive_power, three_phase_current
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.machines.transformer import transformer_loss, transformer_reactive
from facility.physics.machines.ups import input_current, ups_loss
from facility.power.train.flow import board_loads, ups_flows
from facility.power.train.state import Power, State, UpsFlow, UpsOutput
from facility.power.train.types import ChainDesign, UpsOption
from facility.report.book.power.power_rows import CitedPower
from facility.report.sheet.cells import Span, column_letter
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.model import Conditional, Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading
from facility.report.sheet.trace_lines import TraceLines

_W, _VAR, _VA, _PART = "active_power", "reactive_power", "apparent_power", "fraction"
_MODULE_HEADS = (
    "Module",
    "Modules",
    "Installed kW",
    "Loading, normal",
    "Loading, failure",
    "Efficiency, normal",
    "Efficiency, failure",
    "Loss, normal kW",
    "Loss, failure kW",
    "Margin",
)


def write_shortlist(
    lines: Lines, options: Sequence[UpsOption], permitted: Cited, last_column: int
) -> None:
    """Write the modules compared; the margin to the loading permitted is live."""
    lines.row += 1
    sheet, top = lines.sheet, lines.row
    sheet.put(top, 1, "Shortlist of modules, under the design output", "section")
    sheet.row(top + 1, 1, _MODULE_HEADS, "head")
    wide = len(_MODULE_HEADS) + 1
    sheet.merge(Span(top + 1, wide, top + 1, last_column), "Loss curve and source", "head")
    sheet.heights[top + 1] = 40
    limit = f"${column_letter(permitted.cell.column)}${permitted.cell.row}"
    for row, option in enumerate(options, start=top + 2):
        sheet.put(row, 1, option.model, "cell")
        numbers = (
            (option.modules, "count"),
            (option.installed_w, _W),
            (option.loading_normal, _PART),
            (option.loading_failure, _PART),
            (option.efficiency_normal, _PART),
            (option.efficiency_failure, _PART),
            (option.loss_normal_w, _W),
            (option.loss_failure_w, _W),
        )
        for column, (si, kind) in enumerate(numbers, start=2):
            table_row(sheet, row, column, float(si), kind)
        table_row(sheet, row, 10, option.margin, _PART, f"1-E{row}/{limit}")
        source = f"loss curve {option.curve}; {option.source}"
        sheet.merge(Span(row, wide, row, last_column), source, "cell")
    lines.row = top + 2 + len(options)


def write_currents(at: TraceLines) -> None:
    """Write the currents of a module and of a system at low line, with recharge."""
    at.lines.section("Currents")
    id = "ups.input_current_low_line"
    voltage = at.lines.given(
        "Voltage", at.input(id, "voltage_v"), "line_voltage", "input and output"
    )
    sag = at.lines.given("Low line", at.input(id, "sag"), _PART, "part of the voltage missing")
    factor = at.lines.given("Input power factor", at.input(id, "power_factor"), "ratio")
    supply = {"voltage_v": voltage.here, "sag": sag.here, "power_factor": factor.here}
    for title, key in (("one module", id), ("one system, designed failure", f"{id}.system")):
        parts = {
            name: at.lines.given(f"{label}, {title}", at.input(key, name), _W).here
            for label, name in (
                ("Output", "output_w"),
                ("Loss", "loss_w"),
                ("Recharge", "charge_w"),
            )
        }
        formula = input_current.in_cells(**parts, **supply)
        at.live(f"Input current, {title}", key, formula, total=True)
    at.given("Least rating of the input, one module", "ups.input_rating_minimum")
    rating = at.lines.given(
        "Rating of one module", at.input("ups.output_current", "apparent_va"), "apparent_power"
    ).here
    at.live(
        "Output current, one module",
        "ups.output_current",
        three_phase_current.in_cells(apparent_va=rating, line_voltage_v=voltage.here),
        total=True,
    )


_HEADS = (
    "State / system",
    "Share of racks",
    "Output kW",
    "Output kvar",
    "Output kVA",
    "Modules in service",
    "Loading by kW",
    "Loading by kVA",
    "Loss kW",
    "Input kW",
    "Input kvar",
    "Efficiency",
    "Share of LV board load",
    "LV board kW",
    "LV board kvar",
    "LV board kVA",
    "Transf. in service",
    "Transf. loading",
    "Transf. loss kW",
    "Transf. kvar",
    "Share of cooling on UPS",
)


@dataclass(frozen=True)
class UpsPlaces:
    """Sums over all systems in the normal state, and the largest loadings, with their cells."""

    loss: Cited
    input: CitedPower
    boards: CitedPower
    transformers: CitedPower
    loading_normal: Cited
    loading_failure: Cited


@dataclass(frozen=True)
class _Parameters:
    """Cells of the module and transformer data that the table's formulas refer to."""

    module_w: Cited
    module_va: Cited
    curve: tuple[Cited, Cited, Cited]
    factor: Cited
    rating_va: Cited
    no_load_w: Cited
    load_loss_w: Cited
    impedance: Cited


@dataclass(frozen=True)
class _Feed:
    """What the systems share: UPS output, cooling in it, load on the LV boards, board loss."""

    output: CitedPower
    cooling: CitedPower
    other: CitedPower
    board: Cited


def ups_sheet(
    name: str,
    design: ChainDesign,
    output: tuple[CitedPower, CitedPower],
    other: CitedPower,
    board: Cited,
    trace: Trace,
    furniture: Furniture,
) -> tuple[Sheet, UpsPlaces]:
    """Return the sheet, and where its results stand.

    Parameters
    ----------
    name : str
        Sheet name.
    design : ChainDesign
        The chain as designed.
    output : tuple of CitedPower
        Output of all UPS systems together, and the cooling in it.
    other : CitedPower
        Cooling and house load on the LV boards.
    board : Cited
        Loss of all LV boards.
    trace : Trace
        Holds the currents of the modules.
    furniture : Furniture
        Page edges.
    """
    sheet = Sheet(name, page=furniture.page(large=True, fit_height=1))
    scheme = design.chain.scheme
    write_heading(
        sheet,
        f"UPS {scheme.name}",
        f"{design.ups.modules} modules {design.ups.module.model}; systems: "
        f"{', '.join(design.ups.systems)}; designed failure: {scheme.failure}.",
    )
    lines = Lines(sheet, 3, basis_columns=6)
    parameters = _write_parameters(lines, design)
    states = design.states
    feed = _Feed(*output, other, board)
    table = _StateTable(sheet, design, parameters, feed)
    row = lines.row + 1
    sheet.put(row, 1, "Every system in every designed state", "section")
    sheet.row(row + 1, 1, _HEADS, "head")
    sheet.heights[row + 1] = 40
    first = row + 2
    row = table.write(first, states[0])
    total_row = row
    places = table.totals(first, total_row)
    row += 1
    for state in states[1:]:
        row = table.write(row, state)
    lines = Lines(sheet, row, basis_columns=6)
    normal, worst, permitted = _write_loadings(
        lines, design, table, Span(first, 7, row - 1, 7), total_row
    )
    write_shortlist(lines, design.ups.shortlist, permitted, len(_HEADS))
    write_currents(TraceLines(lines, trace))
    sheet.widths |= {1: 30, 2: 13} | dict.fromkeys(range(3, len(_HEADS) + 1), 10.5)
    fit_heights(sheet, 3)
    sheet.conditionals.append(
        Conditional(Span(first, 7, row - 1, 8), f"AND(ISNUMBER(G{first}),G{first}>1)", "bad")
    )
    loss, taken, boards, transformers = places
    return sheet, UpsPlaces(loss, taken, boards, transformers, normal, worst)


def _write_loadings(
    lines: Lines, design: ChainDesign, table: _StateTable, loadings: Span, total_row: int
) -> tuple[Cited, Cited, Cited]:
    """Write the largest loadings by kW, the loading permitted and the verdict on them."""
    failure, permitted_si = table.largest, design.chain.ups.max_loading
    lines.section("Largest loading")
    normal_span = Span(loadings.top, loadings.left, total_row - 1, loadings.right)
    normal = lines.live(
        "UPS loading, normal",
        f"MAX({normal_span})",
        table.normal_loading,
        _PART,
        "by kW, worst system, all in service",
    )
    worst = lines.live(
        "UPS loading, designed failure",
        f"MAX({loadings})",
        failure,
        _PART,
        f"by kW, worst system: {design.chain.scheme.failure}",
    )
    permitted = lines.given("Loading permitted", permitted_si, _PART, "criterion")
    lines.verdict(
        "Verdict",
        f'IF({worst.here}<={permitted.here}*(1+1E-9),"OK","CHECK")',
        "OK" if failure <= permitted_si * (1 + 1e-9) else "CHECK",
    )
    return normal, worst, permitted


def _write_parameters(lines: Lines, design: ChainDesign) -> _Parameters:
    ups, module, unit = design.ups, design.ups.module, design.transformers.unit
    lines.section("UPS module")
    lines.word("Model", module.model, str(module.source))
    module_w = lines.given("Module rating", module.rating_w, _W)
    module_va = lines.given("Module rating", module.rating_va, _VA)
    curve = (
        lines.given("Loss curve, a", module.constant, "ratio", module.curve, "n5"),
        lines.given("Loss curve, b", module.linear, "ratio", "fractions of the rating", "n5"),
        lines.given(
            "Loss curve, c",
            module.quadratic,
            "ratio",
            "loss = n·P·(a + b·x + c·x²), x = output/(n·P)",
            "n5",
        ),
    )
    factor = lines.given("Input power factor", module.input_power_factor, "ratio")
    lines.given(
        "Modules per system",
        ups.modules_per_system,
        "count",
        f"{ups.duty_per_system} carry the load; {ups.modules} in all",
    )
    lines.section("MV/LV transformer")
    rating = lines.given("Rating", unit.rating_va, _VA, str(unit.source))
    no_load = lines.given("No-load loss", unit.no_load_w, _W, "per transformer")
    load_loss = lines.given("Load loss at rating", unit.load_loss_w, _W, "per transformer")
    impedance = lines.given("Impedance", unit.impedance, _PART)
    return _Parameters(module_w, module_va, curve, factor, rating, no_load, load_loss, impedance)


class _StateTable:
    """Rows of the table of systems: one block per state."""

    def __init__(
        self, sheet: Sheet, design: ChainDesign, parameters: _Parameters, feed: _Feed
    ) -> None:
        self._sheet = sheet
        self._design = design
        self._at = parameters
        self._feed = feed
        self._flows: tuple[UpsFlow, ...] = ()
        self._boards: tuple[Power, ...] = ()
        self.normal_loading = 0.0
        self.largest = 0.0

    def write(self, row: int, state: State) -> int:
        """Write one state; return the row after it."""
        sheet, design = self._sheet, self._design
        sheet.row(row, 1, (state.id, *[None] * (len(_HEADS) - 1)), "band")
        whole, cooling = self._feed.output.power, self._feed.cooling.power
        racks = Power(whole.w - cooling.w, whole.var - cooling.var)
        flows = ups_flows(design.ups, UpsOutput(racks, cooling), state)
        boards = board_loads(flows, state, self._feed.other.power, self._feed.board.si)
        if not self._flows:
            self._flows, self._boards = flows, boards
            self.normal_loading = max(float(flow.loading) for flow in flows)
        self.largest = max(self.largest, *(float(flow.loading) for flow in flows))
        for index, system in enumerate(design.ups.systems):
            row += 1
            if index == state.lost:
                sheet.put(row, 1, f"{system}: lost", "cell")
                sheet.row(row, 2, [None] * (len(_HEADS) - 1), "pna")
                continue
            sheet.put(row, 1, system, "cell")
            self._write_ups(row, state, index, flows[index])
            self._write_board(row, state, index, boards[index])
        return row + 1

    def _write_ups(self, row: int, state: State, index: int, flow: UpsFlow) -> None:
        sheet, at = self._sheet, self._at
        modules = max(1, self._design.ups.modules_per_system - state.modules_out)
        a, b, c = at.curve
        whole, cooling = self._feed.output, self._feed.cooling
        rating = f"(F{row}*{_fixed(at.module_w)})"
        loss = ups_loss.in_cells(
            output_w=f"C{row}",
            modules=f"F{row}",
            module_w=_fixed(at.module_w),
            constant=_fixed(a),
            linear=_fixed(b),
            quadratic=_fixed(c),
        )
        var = reactive_power.in_cells(power_w=f"J{row}", power_factor=_fixed(at.factor))
        efficiency = float(flow.output.w / flow.input.w) if flow.input.w else 0.0
        cells = (
            (2, state.shares[index], _PART, ""),
            (3, flow.output.w, _W, f"B{row}*({whole.w}-{cooling.w})+U{row}*{cooling.w}"),
            (4, flow.output.var, _VAR, f"B{row}*({whole.var}-{cooling.var})+U{row}*{cooling.var}"),
            (
                5,
                flow.output.va,
                _VA,
                apparent_of_parts.in_cells(power_w=f"C{row}", reactive_var=f"D{row}"),
            ),
            (6, modules, "count", ""),
            (7, flow.loading, _PART, f"C{row}/{rating}"),
            (8, flow.loading_va, _PART, f"E{row}/(F{row}*{_fixed(at.module_va)})"),
            (9, flow.loss_w, _W, loss),
            (10, flow.input.w, _W, f"C{row}+I{row}"),
            (11, flow.input.var, _VAR, var),
            (12, efficiency, _PART, f"IF(J{row}=0,0,C{row}/J{row})"),
            (21, state.cooling_shares[index], _PART, ""),
        )
        for column, si, kind, formula in cells:
            table_row(sheet, row, column, float(si), kind, formula)

    def _write_board(self, row: int, state: State, index: int, board: Power) -> None:
        sheet, at, design = self._sheet, self._at, self._design
        unit = design.transformers.unit
        units = max(1, design.transformers.per_carrier - state.transformers_out)
        other, loss = self._feed.other, self._feed.board
        board_va = apparent_of_parts.in_cells(power_w=f"N{row}", reactive_var=f"O{row}")
        bank = {
            "load_va": f"P{row}",
            "units": f"Q{row}",
            "rating_va": _fixed(at.rating_va),
            "load_loss_w": _fixed(at.load_loss_w),
        }
        transformer = (units, unit.rating_va)
        loss_w = transformer_loss.si(board.va, *transformer, unit.no_load_w, unit.load_loss_w)
        reactive = transformer_reactive.si(board.va, *transformer, unit.load_loss_w, unit.impedance)
        cells = (
            (13, state.board_shares[index], _PART, ""),
            (14, board.w, _W, f"J{row}+M{row}*({other.w}+{loss})"),
            (15, board.var, _VAR, f"K{row}+M{row}*{other.var}"),
            (16, board.va, _VA, board_va),
            (17, units, "count", ""),
            (
                18,
                board.va / (units * unit.rating_va),
                _PART,
                f"(P{row}/(Q{row}*{_fixed(at.rating_va)}))",
            ),
            (19, loss_w, _W, transformer_loss.in_cells(no_load_w=_fixed(at.no_load_w), **bank)),
            (
                20,
                reactive,
                _VAR,
                transformer_reactive.in_cells(impedance=_fixed(at.impedance), **bank),
            ),
        )
        for column, si, kind, formula in cells:
            table_row(sheet, row, column, float(si), kind, formula)

    def totals(self, first: int, row: int) -> tuple[Cited, CitedPower, CitedPower, CitedPower]:
        """Write the sums over the systems of the normal state."""
        sheet, design = self._sheet, self._design
        unit, units = design.transformers.unit, design.transformers.per_carrier
        sheet.row(row, 1, ("all systems, normal", *[None] * (len(_HEADS) - 1)), "total")
        losses = [
            float(
                transformer_loss.si(b.va, units, unit.rating_va, unit.no_load_w, unit.load_loss_w)
            )
            for b in self._boards
        ]
        reactive = [
            float(
                transformer_reactive.si(
                    b.va, units, unit.rating_va, unit.load_loss_w, unit.impedance
                )
            )
            for b in self._boards
        ]
        sums: dict[int, tuple[float, str]] = {
            3: (sum(f.output.w for f in self._flows), _W),
            4: (sum(f.output.var for f in self._flows), _VAR),
            9: (sum(f.loss_w for f in self._flows), _W),
            10: (sum(f.input.w for f in self._flows), _W),
            11: (sum(f.input.var for f in self._flows), _VAR),
            14: (sum(b.w for b in self._boards), _W),
            15: (sum(b.var for b in self._boards), _VAR),
            19: (sum(losses), _W),
            20: (sum(reactive), _VAR),
        }
        cited = {}
        for column, (si, kind) in sums.items():
            letter = column_letter(column)
            formula = f"SUM({letter}{first + 1}:{letter}{row - 1})"
            cited[column] = table_row(sheet, row, column, float(si), kind, formula, "total")
        return (
            cited[9],
            CitedPower(cited[10], cited[11]),
            CitedPower(cited[14], cited[15]),
            CitedPower(cited[19], cited[20]),
        )


def _fixed(cited: Cited) -> str:
    """Return the absolute address of a cell on the same sheet."""
    return f"${column_letter(cited.cell.column)}${cited.cell.row}"
