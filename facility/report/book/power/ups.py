"""The UPS sheet: modules, all systems in all design states, LV boards and transformers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facility.core.rounding import within, within_in_cells
from facility.core.trace import Trace
from facility.physics.circuits.currents import reactive_power
from facility.physics.circuits.distribution import apparent_of_parts
from facility.physics.machines.transformer import transformer_loss, transformer_reactive
from facility.physics.machines.ups import loading, ups_loss
from facility.power.train.flow import board_loads, ups_flows
from facility.power.train.state import Power, State, UpsFlow, UpsOutput
from facility.power.train.types import ChainDesign, UpsOption
from facility.power.ups.input_limit import AT_LOW_LINE, LIMIT, RECHARGE_LEFT
from facility.report.book.power.power_rows import CitedPower, RackSide
from facility.report.sheet.grid import Column, Grid, SheetTable
from facility.report.sheet.lines import Cited, Lines, TraceLines
from facility.report.sheet.model import Conditional, Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading

_W, _VAR, _VA, _PART = "active_power", "reactive_power", "apparent_power", "fraction"
_SUMMED = [
    "w",
    "var",
    "loss",
    "input",
    "input_var",
    "board",
    "board_var",
    "transformer_loss",
    "transformer_var",
]
SHORTLIST: SheetTable[UpsOption] = SheetTable(
    "Module shortlist at the design output",
    (
        Column("model", "Module", 0, style="cell"),
        Column("modules", "Modules", 0, "count"),
        Column("installed", "Installed (kW)", 0, _W, of=lambda o: o.installed_w),
        Column("normal", "Loading, normal", 0, _PART, of=lambda o: o.loading_normal),
        Column("failure", "Loading, failure", 0, _PART, of=lambda o: o.loading_failure),
        Column("eta", "Efficiency, normal", 0, _PART, of=lambda o: o.efficiency_normal),
        Column("eta_failure", "Efficiency, failure", 0, _PART, of=lambda o: o.efficiency_failure),
        Column("loss", "Loss, normal (kW)", 0, _W, of=lambda o: o.loss_normal_w),
        Column("loss_failure", "Loss, failure (kW)", 0, _W, of=lambda o: o.loss_failure_w),
        Column("margin", "Margin", 0, _PART, "1-{failure}/{limit}"),
    ),
)


def write_shortlist(
    lines: Lines, options: Sequence[UpsOption], permitted: Cited, last_column: int
) -> None:
    """Write the modules compared, with live margin to the permitted loading."""
    sheet, wide = lines.sheet, len(SHORTLIST.columns) + 1
    grid = SHORTLIST.write(sheet, lines.row + 1, options, {"limit": permitted.fixed})
    top = grid.first - 1
    sheet.merge(Span(top, wide, top, last_column), "Loss curve and source", "head")
    for row, option in enumerate(options, start=grid.first):
        source = f"loss curve {option.curve}; {option.source}"
        sheet.merge(Span(row, wide, row, last_column), source, "cell")
    lines.row = grid.row


def write_currents(at: TraceLines) -> None:
    """Write the currents of a module and of a system at low line, with recharge."""
    lines, id = at.lines, "ups.input_current_low_line"
    lines.section("Currents")
    volts, sag = at.input(id, "voltage_v"), at.input(id, "sag")
    lines.given("Voltage", volts, "line_voltage", "input and output", key="voltage_v")
    lines.given("Low line", sag, _PART, "voltage reduction", key="sag")
    factor = at.input(id, "power_factor")
    lines.given("Input power factor", factor, "ratio", key="power_factor")
    names = (("Output", "output_w"), ("Loss", "loss_w"), ("Recharge", "charge_w"))
    for title, step in (("one module", id), ("one system, design failure", f"{id}.system")):
        at.inputs(step, **{name: f"{label}, {title}" for label, name in names})
        at.live(f"Input current, {title}", step, total=True)
    if LIMIT in at:
        _write_limit(at)
    at.given("Minimum input rating, one module", "ups.input_rating_minimum")
    id = "ups.output_current"
    lines.given("Module rating", at.input(id, "apparent_va"), _VA, key="apparent_va")
    at.live("Output current, one module", id, line_voltage_v="voltage_v", total=True)


def _write_limit(at: TraceLines) -> None:
    """Write module input-current limit, load at low line, and available charging power."""
    at.given("Input-current limit, one module; bypass not limited", LIMIT)
    id, names = AT_LOW_LINE, {"output_w": "Output", "loss_w": "Loss"}
    worst, normal = "most loaded module, worst state", "most loaded module, all in service"
    at.inputs(id, **{name: f"{label}, {worst}" for name, label in names.items()})
    at.inputs(id, charge_w="Recharge at low line")
    at.live(f"Input current at low line, {worst}", id, total=True)
    at.inputs(RECHARGE_LEFT, **{name: f"{label}, {normal}" for name, label in names.items()})
    at.live(
        "Charging power available, most loaded module, nominal voltage", RECHARGE_LEFT, total=True
    )


@dataclass(frozen=True)
class UpsCells:
    """Sums over all systems in the normal state, and the maximum loadings, with their cells."""

    loss: Cited
    input: CitedPower
    boards: CitedPower
    transformers: CitedPower
    loading_normal: Cited
    loading_failure: Cited


def ups_sheet(
    name: str, design: ChainDesign, sent: RackSide, trace: Trace, page_setup: PageSetup
) -> tuple[Sheet, UpsCells]:
    """Return the sheet and its result cells.

    design: The chain as designed.
    sent: Roll-up results up to the UPS output.
    trace: Contains the module currents.
    """
    sheet = Sheet(name, page=page_setup.page(large=True, fit_height=1))
    scheme = design.chain.scheme
    write_heading(
        sheet,
        f"UPS {scheme.name}",
        f"{design.ups.modules} modules {design.ups.module.model}; systems: "
        f"{', '.join(design.ups.systems)}; design failure: {scheme.failure}.",
    )
    lines = Lines(sheet, 3, basis_columns=6)
    _write_parameters(lines, design)
    states = design.states
    table = _StateTable(lines, design, sent)
    first = table.grid.first
    table.write(states[0])
    total_row = table.grid.row
    totals = table.totals()
    for state in states[1:]:
        table.write(state)
    row = table.grid.row
    lines = Lines(sheet, row, basis_columns=6)
    normal, worst, permitted = _write_loadings(
        lines, design, table, Span(first, 7, row - 1, 7), total_row
    )
    write_shortlist(lines, design.ups.shortlist, permitted, len(_SYSTEMS))
    write_currents(TraceLines(lines, trace))
    sheet.widths |= {1: 30, 2: 13} | dict.fromkeys(range(3, len(_SYSTEMS) + 1), 10.5)
    fit_heights(sheet, 3)
    sheet.conditionals.append(
        Conditional(Span(first, 7, row - 1, 8), f"AND(ISNUMBER(G{first}),G{first}>1)", "bad")
    )
    loss, taken, boards, transformers = totals
    return sheet, UpsCells(loss, taken, boards, transformers, normal, worst)


def _write_loadings(
    lines: Lines, design: ChainDesign, table: _StateTable, loadings: Span, total_row: int
) -> tuple[Cited, Cited, Cited]:
    """Write the maximum kW loadings, the permitted loading and the verdict."""
    failure, limit = table.largest, design.chain.ups.max_loading
    lines.section("Maximum loading")
    span = Span(loadings.top, loadings.left, total_row - 1, loadings.right)
    why, at = "by kW, worst system", f"MAX({span})"
    service = f"{why}, all in service"
    normal = lines.live("UPS loading, normal", at, table.normal_loading, _PART, service)
    why, title = f"{why}: {design.chain.scheme.failure}", "UPS loading, design failure"
    worst = lines.live(title, f"MAX({loadings})", failure, _PART, why, key="worst")
    permitted = lines.given("Loading permitted", limit, _PART, "criterion", key="permitted")
    lines.check("Verdict", within_in_cells("{worst}", "{permitted}"), within(failure, limit))
    return normal, worst, permitted


def _write_parameters(lines: Lines, design: ChainDesign) -> None:
    """Write the module and transformer data used by the table formulas."""
    ups, module, unit = design.ups, design.ups.module, design.transformers.unit
    lines.section("UPS module")
    lines.word("Model", module.model, str(module.source))
    lines.given("Module rating", module.rating_w, _W, key="module_w")
    lines.given("Module rating", module.rating_va, _VA, key="module_va")
    for key, value, basis in (
        ("a", module.constant, module.curve),
        ("b", module.linear, "fractions of the rating"),
        ("c", module.quadratic, "loss = n·P·(a + b·x + c·x²), x = output/(n·P)"),
    ):
        lines.given(f"Loss curve, {key}", value, "ratio", basis, "n5", key=f"curve_{key}")
    lines.given("Input power factor", module.input_power_factor, "ratio", key="factor")
    shared = f"{ups.duty_per_system} on duty; {ups.modules} in all"
    lines.given("Modules per system", ups.modules_per_system, "count", shared)
    present = design.transformers.present
    lines.section("MV/LV transformer" if present else "LV service circuit")
    lines.given("Rating", unit.rating_va, _VA, str(unit.source), key="rating_va")
    each = "per transformer" if present else "none: the utility serves the LV boards"
    lines.given("No-load loss", unit.no_load_w, _W, each, key="no_load_w")
    lines.given("Load loss at rating", unit.load_loss_w, _W, each, key="load_loss_w")
    lines.given("Impedance", unit.impedance, _PART, key="impedance")
    uneven, words = design.chain.unevenness, "most loaded output bus / mean; whole panels"
    lines.given("Output bus imbalance", uneven, "ratio", words, "n5", key="unevenness")


@dataclass(frozen=True)
class _System:
    """UPS system in one state: load of its modules and board."""

    name: str
    index: int
    state: State
    design: ChainDesign
    flow: UpsFlow
    board: Power

    @property
    def modules(self) -> int:
        """Modules in service."""
        return max(1, self.design.ups.modules_per_system - self.state.modules_out)

    @property
    def efficiency(self) -> float:
        """Output over input; 0 without load."""
        return float(self.flow.output.w / self.flow.input.w) if self.flow.input.w else 0.0

    @property
    def transformers(self) -> int:
        """Transformers in service."""
        return max(1, self.design.transformers.per_carrier - self.state.transformers_out)

    @property
    def transformer_loading(self) -> float:
        """Load over rating of the transformers in service on the most loaded output bus."""
        unit, uneven = self.design.transformers.unit, self.design.chain.unevenness
        return float(self.board.va * uneven / (self.transformers * unit.rating_va))

    @property
    def transformer_loss_w(self) -> float:
        """Loss of the transformers."""
        unit = self.design.transformers.unit
        bank = (self.transformers, unit.rating_va, unit.no_load_w, unit.load_loss_w)
        return float(transformer_loss.si(self.board.va, *bank))

    @property
    def transformer_var(self) -> float:
        """Reactive power of the transformers."""
        unit = self.design.transformers.unit
        bank = (self.transformers, unit.rating_va, unit.load_loss_w, unit.impedance)
        return float(transformer_reactive.si(self.board.va, *bank))


def _of_output(part: str) -> str:
    """Return the formula of a UPS output share: racks and cooling by their shares."""
    return f"{{share}}*({{whole_{part}}}-{{cooling_{part}}})+{{cooling}}*{{cooling_{part}}}"


_BANK = {
    "load_va": "{board_va}",
    "units": "{transformers}",
    "rating_va": "{rating_va}",
    "load_loss_w": "{load_loss_w}",
}
_LOSS = ups_loss.in_cells(
    output_w="{w}",
    modules="{modules}",
    module_w="{module_w}",
    constant="{curve_a}",
    linear="{curve_b}",
    quadratic="{curve_c}",
)
_SYSTEMS: tuple[Column[_System], ...] = (
    Column("name", "State / system", 30, style="cell"),
    Column("share", "Share of racks", 13, _PART, of=lambda s: s.state.shares[s.index]),
    Column("w", "Output (kW)", 10.5, _W, _of_output("w"), of=lambda s: s.flow.output.w),
    Column("var", "Output (kvar)", 10.5, _VAR, _of_output("var"), of=lambda s: s.flow.output.var),
    Column("va", "Output (kVA)", 10.5, _VA,
           apparent_of_parts.in_cells(power_w="{w}", reactive_var="{var}"),
           of=lambda s: s.flow.output.va),
    Column("modules", "Modules in service", 10.5, "count"),
    Column("loading", "Loading (kW basis)", 10.5, _PART,
           loading.in_cells(load_w="{w}", modules="{modules}", module_w="{module_w}"),
           of=lambda s: s.flow.loading),
    Column("loading_va", "Loading (kVA basis)", 10.5, _PART, "{va}/({modules}*{module_va})",
           of=lambda s: s.flow.loading_va),
    Column("loss", "Loss (kW)", 10.5, _W, _LOSS, of=lambda s: s.flow.loss_w),
    Column("input", "Input (kW)", 10.5, _W, "{w}+{loss}", of=lambda s: s.flow.input.w),
    Column("input_var", "Input (kvar)", 10.5, _VAR,
           reactive_power.in_cells(power_w="{input}", power_factor="{factor}"),
           of=lambda s: s.flow.input.var),
    Column("efficiency", "Efficiency", 10.5, _PART, "IF({input}=0,0,{w}/{input})"),
    Column("board_share", "Share of LV board load", 10.5, _PART,
           of=lambda s: s.state.board_shares[s.index]),
    Column("board", "LV board (kW)", 10.5, _W, "{input}+{board_share}*({other_w}+{board_loss})",
           of=lambda s: s.board.w),
    Column("board_var", "LV board (kvar)", 10.5, _VAR, "{input_var}+{board_share}*{other_var}",
           of=lambda s: s.board.var),
    Column("board_va", "LV board (kVA)", 10.5, _VA,
           apparent_of_parts.in_cells(power_w="{board}", reactive_var="{board_var}"),
           of=lambda s: s.board.va),
    Column("transformers", "Transf. in service", 10.5, "count"),
    Column("transformer_loading", "Transf. loading, most loaded bus", 10.5, _PART,
           "({board_va}*{unevenness}/({transformers}*{rating_va}))"),
    Column("transformer_loss", "Transf. loss (kW)", 10.5, _W,
           transformer_loss.in_cells(no_load_w="{no_load_w}", **_BANK),
           of=lambda s: s.transformer_loss_w),
    Column("transformer_var", "Transf. (kvar)", 10.5, _VAR,
           transformer_reactive.in_cells(impedance="{impedance}", **_BANK)),
    Column("cooling", "Share of cooling on UPS", 10.5, _PART,
           of=lambda s: s.state.cooling_shares[s.index]),
)  # fmt: skip


class _StateTable:
    """Rows of the table of systems: one block per state."""

    def __init__(self, lines: Lines, design: ChainDesign, sent: RackSide) -> None:
        self._design, self._sent = design, sent
        self._normal: list[_System] = []
        self.normal_loading = self.largest = 0.0
        powers = {"whole": sent.output, "cooling": sent.mech_ups, "other": sent.other}
        cells: dict[str, object] = {key: cited.fixed for key, cited in lines.cells.items()}
        cells |= {f"{key}_w": power.w for key, power in powers.items()}
        cells |= {f"{key}_var": power.var for key, power in powers.items()}
        sheet, row = lines.sheet, lines.row + 1
        sheet.put(row, 1, "UPS systems in all design states", "section")
        self.grid = Grid(
            sheet, row + 1, _SYSTEMS, cells=cells | {"board_loss": sent.losses["lv_board"]}
        )

    def write(self, state: State) -> None:
        """Write one state: its name, then every system."""
        grid, design = self.grid, self._design
        grid.band(state.id)
        sent = self._sent
        whole, cooling = sent.output.power, sent.mech_ups.power
        racks = Power(whole.w - cooling.w, whole.var - cooling.var)
        flows = ups_flows(design.ups, UpsOutput(racks, cooling), state)
        boards = board_loads(flows, state, sent.other.power, sent.losses["lv_board"].si)
        self.largest = max(self.largest, *(float(flow.loading) for flow in flows))
        systems = [
            _System(name, n, state, design, flows[n], boards[n])
            for n, name in enumerate(design.ups.systems)
        ]
        for system in systems:
            if system.index == state.lost:
                grid.write({"name": f"{system.name}: lost"})
            else:
                grid.write(system)
        if not self._normal:
            self._normal, self.normal_loading = systems, self.largest

    def totals(self) -> tuple[Cited, CitedPower, CitedPower, CitedPower]:
        """Write the sums over the systems of the normal state."""
        summed = [column for column in _SYSTEMS if column.key in _SUMMED]
        sums = {c.key: sum(c.number(system) for system in self._normal) for c in summed}
        at = self.grid.total("all systems, normal", sums, self.grid.first + 1)
        return (
            at["loss"],
            CitedPower(at["input"], at["input_var"]),
            CitedPower(at["board"], at["board_var"]),
            CitedPower(at["transformer_loss"], at["transformer_var"]),
        )
