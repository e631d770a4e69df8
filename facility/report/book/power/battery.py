"""The Batteries sheet: blocks, strings and cabinets live, autonomy by state, charging, hydrogen."""

from __future__ import annotations

from facility.core.rounding import within, within_in_cells
from facility.core.trace import Trace
from facility.physics.machines.battery import strings_needed, time_between
from facility.physics.machines.hydrogen import (
    diluting_airflow,
    hydrogen_airflow,
    hydrogen_evolution,
)
from facility.power.battery.sizing import BatteryBank, BatteryDesign, beyond_table
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.lines import Lines, TraceLines, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading

_W, _PART = "active_power", "fraction"
_STATES = (
    ("normal", "all in service, end of life"),
    ("normal_new", "all in service, new"),
    ("failure", "design failure, end of life"),
    ("failure_new", "design failure, new"),
    ("design", "design load with growth, end of life"),
)
_BETWEEN = time_between.in_cells(
    power_w="{block}", time_1_s="{t1}", power_1_w="{p1}", time_2_s="{t2}", power_2_w="{p2}"
)


def battery_sheet(name: str, design: BatteryDesign, trace: Trace, page_setup: PageSetup) -> Sheet:
    """Return the sheet of the UPS batteries; without a discharge table, the reason."""
    sheet = Sheet(name, page=page_setup.page(landscape=False, large=True, fit_height=1))
    sheet.set_widths(40, 14, 12, 14, 14, 12, 14, 12, 14, 12, 14)
    at = TraceLines(Lines(sheet, 3, basis_columns=8), trace)
    bank, basis = design.bank, design.basis
    words = (
        basis.technology.replace("vrla", "VRLA")
        if bank is None
        else f"{bank.block.model}, {basis.technology}".replace("vrla", "VRLA")
    )
    write_heading(sheet, "Batteries", f"{words}; sized for end of life, after the design failure.")
    lines, ride = at.lines, design.basis.ride_through
    lines.section("Requirements")
    at.given("Required autonomy", "battery.autonomy_required")
    lines.given("Generator start time", ride.start_s, "time", "one attempt", key="start")
    lines.given("Attempts", ride.attempts, "count", key="tries")
    lines.given("Transfer", ride.transfer_s, "time", key="transfer")
    at.live("Ride-through time", "battery.ride_through", "{tries}*{start}+{transfer}")
    if bank is None:
        at.lines.section("No battery is sized")
        at.lines.word("Discharge table", "not known", design.unknown)
    else:
        _write_strings(at, design)
        _write_counts(at, design, bank)
        _write_autonomy(at, design, bank)
        _write_charging(at)
        _write_hydrogen(at, design, bank)
    fit_heights(sheet, 3)
    return sheet


def _write_strings(at: TraceLines, design: BatteryDesign) -> None:
    """Write required block power, table power and the resulting strings."""
    lines, basis = at.lines, design.basis
    lines.section("Strings of one set")
    at.given("UPS output per battery set", "battery.set_load")
    at.given("Efficiency, battery to output", "battery.inverter_efficiency")
    why = "within the maximum DC bus voltage at float"
    at.given("Blocks in series", "battery.blocks_per_string", why)
    lines.given("Ageing", basis.ageing, "ratio", "on the power of a new block", key="ageing")
    at.given("Temperature factor", "battery.temperature_factor")
    lines.given("Design margin", basis.margin, "ratio", key="margin")
    one, listed = "battery.one_string_power", "battery.listed_power"
    formula = "{set_load}*1000/({inverter_efficiency}*{blocks_per_string})"
    why = "load / (efficiency · blocks) · ageing · temperature · margin"
    formula += "*{ageing}*{temperature_factor}*{margin}"
    at.live("Required block power, one string", one, formula, why, unit="W")
    lines.given("Autonomy", basis.autonomy_s, "time", key="time_s")
    why = "point of the manufacturer's table"
    for n in ("1", "2"):
        time_s, power_w = at.input(listed, f"time_{n}_s"), at.input(listed, f"power_{n}_w")
        lines.given(f"Table time {n}", time_s, "time", why, key=f"time_{n}_s")
        lines.given(f"Table power {n}", power_w, _W, why, unit="W", key=f"power_{n}_w")
    why = f"{at.trace[listed].because}; interpolated on logarithmic axes"
    found = at.live("Block power from the table", listed, "", why, unit="W")
    if basis.string.strings is None:
        why, id = "required power / table power, rounded up", "battery.strings.per_set"
        formula = strings_needed.in_cells(
            one_string_w="{one_string_power}", listed_w="{listed_power}"
        )
        at.live("Strings", id, formula, why, total=True)
    else:
        at.given("Strings", "battery.strings.per_set")
    formula = "{one_string_power}/{per_set}"
    need = at.live("Required block power, all strings", "battery.block_power", formula, unit="W")
    holds = within(need.si, found.si)
    condition = within_in_cells("{block_power}", "{listed_power}")
    lines.check("Verdict", condition, holds, "required power vs. table power")


def _write_counts(at: TraceLines, design: BatteryDesign, bank: BatteryBank) -> None:
    lines, string = at.lines, design.basis.string
    lines.section("Counts")
    why = "one per module" if string.per_module else "one per output bus"
    lines.given("Sets per UPS system", bank.sets_per_system, "count", why, key="sets")
    lines.given("UPS systems", design.systems, "count", key="systems")
    at.live("Strings, all systems", "battery.strings", "{per_set}*{sets}*{systems}")
    blocks = "{strings}*{blocks_per_string}"
    at.live("Blocks, all systems", "battery.blocks", blocks, total=True)
    lines.given("Blocks per cabinet", string.blocks_per_cabinet, "count", key="cabinet")
    cabinets = "ROUNDUP({blocks_per_string}*{per_set}/{cabinet},0)*{sets}*{systems}"
    at.live("Cabinets, all systems", "battery.cabinets", cabinets, total=True)
    if bank.block.mass_kg is not None:
        lines.given("Block mass", bank.block.mass_kg, "mass", key="each")
        at.live("Total block mass", "battery.mass", "{blocks}*{each}", "without cabinets")


def _write_autonomy(at: TraceLines, design: BatteryDesign, bank: BatteryBank) -> None:
    """Write the time to the end voltage in each state, interpolated between table points."""
    lines = at.lines
    lines.row += 1
    lines.sheet.put(lines.row, 1, "Autonomy by state", "section")
    lines.row += 1
    cold = table_row(lines.sheet, lines.row, 2, bank.temperature_factor, "ratio")
    lines.sheet.put(lines.row, 1, "Temperature factor; without design margin", "cell")
    lines.row += 1
    blocks = f"{lines.cells['blocks_per_string'].fixed}*{lines.cells['per_set'].fixed}"
    columns: tuple[Column[Values], ...] = (
        Column("state", "State", 40),
        Column("load", "Load per set (kW)", 14, _W),
        Column("eta", "Efficiency", 12, _PART),
        Column("ageing", "Ageing factor", 14, "ratio"),
        Column("block", "Required block power (W)", 14, _W,
               f"{{load}}*1000/({{eta}}*{blocks})*{{ageing}}*{cold.fixed}", "W"),
        Column("t1", "Table time 1 (s)", 12, "time"),
        Column("p1", "Table power 1 (W)", 14, _W, unit="W"),
        Column("t2", "Table time 2 (s)", 12, "time"),
        Column("p2", "Table power 2 (W)", 14, _W, unit="W"),
        Column("time", "Autonomy (s)", 12, "time", _BETWEEN, live=lambda row: "t1" in row),
        Column("note", "Note", 14, style="cell"),
    )  # fmt: skip
    grid = Grid(lines.sheet, lines.row, columns, 28)
    for name, title in _STATES:
        if f"battery.autonomy_{name}" in at:
            grid.write(_autonomy(at, name, title, design))
    lines.row = grid.row


def _autonomy(at: TraceLines, name: str, title: str, design: BatteryDesign) -> Values:
    """Return the row of a state; its time is interpolated live between two table points."""
    id, trace = f"battery.autonomy_{name}", at.trace
    row: dict[str, GridValue] = {
        "state": title,
        "load": trace.value(f"{id}.set_load"),
        "eta": trace.value(f"{id}.efficiency"),
        "ageing": 1.0 if name.endswith("_new") else design.basis.ageing,
        "block": trace.value(f"{id}.block_power"),
        "time": trace.value(id),
        "note": "",
    }
    step = trace[id]
    if beyond_table(design, trace, id):
        return row | {"time": "", "note": "outside the discharge table"}
    if step.equation is None:
        return row | {"note": step.because.partition(":")[0]}
    points = {"t1": "time_1_s", "p1": "power_1_w", "t2": "time_2_s", "p2": "power_2_w"}
    return row | {key: at.input(id, argument) for key, argument in points.items()}


def _write_charging(at: TraceLines) -> None:
    current = "battery.charging_current"
    if current not in at:
        return
    at.lines.section("Charging, one set")
    at.inputs(current, recharge_factor="Recharge factor")
    at.given("Discharged capacity", "battery.discharged")
    at.lines.given("Recharge time", at.input(current, "time_s"), "time", unit="h", key="time_s")
    at.live("Charging current", current)
    at.given("Charging power", "battery.charging_power")
    if "battery.charger_power" in at:
        at.given("Charger power, one set", "battery.charger_power")


def _write_hydrogen(at: TraceLines, design: BatteryDesign, bank: BatteryBank) -> None:
    airflow = "battery.hydrogen_airflow"
    if airflow not in at or bank.block.cells is None:
        return
    lines, count = at.lines, "{cells}*{blocks_per_string}*{all_sets}"
    lines.section("Hydrogen, all systems")
    lines.given("Cells per block", bank.block.cells, "count", key="cells")
    sets = bank.sets_per_system * design.systems
    lines.given("Sets, all systems", sets, "count", key="all_sets")
    if "battery.gassing" in at:
        at.given("Gassing current, mA/Ah", "battery.gassing")
        at.given("Rated capacity", "battery.rated_capacity")
        count += "*{per_set}"
    if "battery.hydrogen_evolution" not in at:
        formula = hydrogen_airflow.in_cells(
            cells=count, gas_ma_per_ah="{gassing}", capacity_as="{rated_capacity}"
        )
        why = "dilution 24, safety 5, 0.42 litres of hydrogen per Ah; per cell and ampere"
        at.live("Airflow", airflow, formula, why)
        return
    at.given("Float charging current, full cells", "battery.gassing_current")
    formula = hydrogen_evolution.in_cells(cells=count, charging_a="{gassing_current}")
    why = "0.000269 cubic feet a minute, per cell and ampere"
    at.live("Hydrogen evolution", "battery.hydrogen_evolution", formula, why)
    limit, why = at.input(airflow, "limit"), "hydrogen at most 1 % of the room"
    formula = diluting_airflow.in_cells(hydrogen_m3_s="{hydrogen_evolution}", limit=limit)
    at.live("Airflow", airflow, formula, why, unit="m3/h")
