"""The Batteries sheet: blocks, strings and cabinets live, autonomy by state, charging, hydrogen."""

from __future__ import annotations

from facility.core.trace import Trace
from facility.physics.machines.battery import (
    charging_current,
    power_between,
    strings_needed,
    time_between,
)
from facility.power.battery.sizing import BatteryBank, BatteryDesign
from facility.report.sheet.grid import Column, Grid, GridValue, Values
from facility.report.sheet.lines import Cited, Lines, table_row
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading
from facility.report.sheet.trace_lines import TraceLines

_W, _PART = "active_power", "fraction"
_STATES = (
    ("normal", "all in service, end of life"),
    ("normal_new", "all in service, new"),
    ("failure", "designed failure, end of life"),
    ("failure_new", "designed failure, new"),
    ("design", "design load with growth, end of life"),
)
_BETWEEN = time_between.in_cells(
    power_w="{block}", time_1_s="{t1}", power_1_w="{p1}", time_2_s="{t2}", power_2_w="{p2}"
)


def battery_sheet(name: str, design: BatteryDesign, trace: Trace, furniture: Furniture) -> Sheet:
    """Return the sheet of the UPS batteries; where no discharge table is known it says why."""
    sheet = Sheet(name, page=furniture.page(landscape=False, large=True, fit_height=1))
    sheet.set_widths(40, 14, 12, 14, 14, 12, 14, 12, 14, 12, 14)
    at = TraceLines(Lines(sheet, 3, basis_columns=8), trace)
    bank, basis = design.bank, design.basis
    words = (
        basis.technology.replace("vrla", "VRLA")
        if bank is None
        else f"{bank.block.model}, {basis.technology}".replace("vrla", "VRLA")
    )
    write_heading(
        sheet, "Batteries", f"{words}; sized at the end of life, after the designed failure."
    )
    _write_wanted(at, design)
    if bank is None:
        at.lines.section("No battery is sized")
        at.lines.word("Discharge table", "not known", design.unknown)
    else:
        strings, per_string = _write_strings(at, design, bank)
        _write_counts(at, design, bank, strings, per_string)
        _write_autonomy(at, design, bank, strings, per_string)
        _write_charging(at)
        _write_hydrogen(at, design, bank, strings, per_string)
    fit_heights(sheet, 3)
    return sheet


def _write_wanted(at: TraceLines, design: BatteryDesign) -> None:
    ride = design.basis.ride_through
    at.lines.section("What is wanted")
    at.given("Autonomy wanted", "battery.autonomy_required")
    start = at.lines.given("Start of the generators", ride.start_s, "time", "one attempt").here
    tries = at.lines.given("Attempts", ride.attempts, "count").here
    transfer = at.lines.given("Transfer", ride.transfer_s, "time").here
    at.live("Time to bridge", "battery.ride_through", f"{tries}*{start}+{transfer}")


def _write_strings(at: TraceLines, design: BatteryDesign, bank: BatteryBank) -> tuple[Cited, Cited]:
    """Write the need of a block, what its table gives and the strings that follow."""
    lines, basis = at.lines, design.basis
    lines.section("Strings of one set")
    load = at.given("Output of the UPS on one set", "battery.set_load")
    efficiency = at.given("Efficiency, battery to output", "battery.inverter_efficiency")
    per_string = at.given("Blocks in series", "battery.blocks_per_string",
                          "within the highest voltage of the DC bus on float")  # fmt: skip
    ageing = lines.given("Ageing", basis.ageing, "ratio", "on the power of a new block")
    cold = at.given("Temperature factor", "battery.temperature_factor")
    margin = lines.given("Design margin", basis.margin, "ratio")
    factors = f"{ageing.here}*{cold.here}*{margin.here}"
    one = at.live(
        "Need of a block, one string", "battery.one_string_power",
        f"{load.here}*1000/({efficiency.here}*{per_string.here})*{factors}",
        "load / (efficiency · blocks) · ageing · temperature · margin", unit="W",
    )  # fmt: skip
    time = lines.given("Autonomy", basis.autonomy_s, "time")
    points = {name: cell.here for name, cell in _write_points(at).items()}
    listed = at.live(
        "Power of a block by its table", "battery.listed_power",
        power_between.in_cells(time_s=time.here, **points),
        f"{at.trace['battery.listed_power'].because}; straight on logarithmic axes", unit="W",
    )  # fmt: skip
    id = "battery.strings.per_set"
    if basis.string.strings is None:
        formula = strings_needed.in_cells(one_string_w=one.here, listed_w=listed.here)
        strings = at.live("Strings", id, formula,
                          "need over table power, rounded up", total=True)  # fmt: skip
    else:
        strings = at.given("Strings", id)
    need = at.live("Need of a block, all strings", "battery.block_power",
                   f"{one.here}/{strings.here}", unit="W")  # fmt: skip
    lines.verdict(
        "Verdict", f'IF({need.here}<={listed.here}*(1+1E-9),"OK","CHECK")',
        "OK" if need.si <= listed.si * (1 + 1e-9) else "CHECK", "need within the table power",
    )  # fmt: skip
    return strings, per_string


def _write_points(at: TraceLines) -> dict[str, Cited]:
    id = "battery.listed_power"
    return {
        name: at.lines.given(
            f"Table {label}", at.input(id, name), kind, "point of the maker's table", unit=unit
        )
        for label, name, kind, unit in (
            ("time 1", "time_1_s", "time", ""),
            ("power 1", "power_1_w", _W, "W"),
            ("time 2", "time_2_s", "time", ""),
            ("power 2", "power_2_w", _W, "W"),
        )
    }


def _write_counts(
    at: TraceLines, design: BatteryDesign, bank: BatteryBank, strings: Cited, per_string: Cited
) -> None:
    lines = at.lines
    lines.section("Counts")
    sets = lines.given(
        "Sets per UPS system",
        bank.sets_per_system,
        "count",
        "one for each module" if design.basis.string.per_module else "one for each output bus",
    ).here
    systems = lines.given("UPS systems", design.systems, "count").here
    all_strings = at.live(
        "Strings, all systems", "battery.strings", f"{strings.here}*{sets}*{systems}"
    ).here
    blocks = at.live(
        "Blocks, all systems", "battery.blocks", f"{all_strings}*{per_string.here}", total=True
    ).here
    cabinet = lines.given(
        "Blocks in a cabinet", design.basis.string.blocks_per_cabinet, "count"
    ).here
    at.live(
        "Cabinets, all systems",
        "battery.cabinets",
        f"ROUNDUP({per_string.here}*{strings.here}/{cabinet},0)*{sets}*{systems}",
        total=True,
    )
    if bank.block.mass_kg is not None:
        mass = lines.given("Mass of a block", bank.block.mass_kg, "mass").here
        at.live("Mass of all blocks", "battery.mass", f"{blocks}*{mass}", "without cabinets")


def _write_autonomy(
    at: TraceLines, design: BatteryDesign, bank: BatteryBank, strings: Cited, per_string: Cited
) -> None:
    """Write the time to the end voltage in each state, from the points of the table around it."""
    lines = at.lines
    lines.row += 1
    lines.sheet.put(lines.row, 1, "Autonomy by state", "section")
    lines.row += 1
    cold = table_row(lines.sheet, lines.row, 2, bank.temperature_factor, "ratio")
    lines.sheet.put(lines.row, 1, "Temperature factor; without design margin", "cell")
    lines.row += 1
    blocks = f"$B${per_string.cell.row}*$B${strings.cell.row}"
    columns: tuple[Column[Values], ...] = (
        Column("state", "State", 40),
        Column("load", "Load of a set kW", 14, _W),
        Column("eta", "Efficiency", 12, _PART),
        Column("ageing", "Ageing factor", 14, "ratio"),
        Column(
            "block",
            "Need of a block W",
            14,
            _W,
            f"{{load}}*1000/({{eta}}*{blocks})*{{ageing}}*$B${cold.cell.row}",
            "W",
        ),
        Column("t1", "Table time 1 s", 12, "time"),
        Column("p1", "Table power 1 W", 14, _W, unit="W"),
        Column("t2", "Table time 2 s", 12, "time"),
        Column("p2", "Table power 2 W", 14, _W, unit="W"),
        Column("time", "Autonomy s", 12, "time", _BETWEEN),
        Column("note", "Note", 14, style="cell"),
    )
    grid = Grid(lines.sheet, lines.row, columns, 28)
    for name, title in _STATES:
        if f"battery.autonomy_{name}" in at:
            grid.write(*_autonomy(at, name, title, design))
    lines.row = grid.row


def _autonomy(
    at: TraceLines, name: str, title: str, design: BatteryDesign
) -> tuple[dict[str, GridValue], tuple[str, ...]]:
    """Return the row of a state, and what of it is not live."""
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
    if step.equation is None:
        return row | {"note": step.because.partition(":")[0]}, ("time",)
    points = {"t1": "time_1_s", "p1": "power_1_w", "t2": "time_2_s", "p2": "power_2_w"}
    return row | {key: at.input(id, argument) for key, argument in points.items()}, ()


def _write_charging(at: TraceLines) -> None:
    if "battery.charging_current" not in at:
        return
    at.lines.section("Charging, one set")
    factor = at.lines.given(
        "Recharge factor", at.input("battery.charging_current", "recharge_factor"), "ratio"
    ).here
    charge = at.given("Charge taken out", "battery.discharged").here
    time = at.lines.given(
        "Recharge time", at.input("battery.charging_current", "time_s"), "time", unit="h"
    ).here
    formula = charging_current.in_cells(recharge_factor=factor, capacity_as=charge, time_s=time)
    at.live("Charging current", "battery.charging_current", formula)
    at.given("Charging power", "battery.charging_power")
    if "battery.charger_power" in at:
        at.given("Charger of one set", "battery.charger_power")


def _write_hydrogen(
    at: TraceLines, design: BatteryDesign, bank: BatteryBank, strings: Cited, per_string: Cited
) -> None:
    if "battery.hydrogen_airflow" not in at or bank.block.cells is None:
        return
    lines = at.lines
    lines.section("Hydrogen, all systems")
    cells = lines.given("Cells in a block", bank.block.cells, "count").here
    sets = lines.given("Sets, all systems", bank.sets_per_system * design.systems, "count").here
    count = f"{cells}*{per_string.here}*{sets}"
    if "battery.gassing" in at:
        gas = at.given("Gassing current, mA/Ah", "battery.gassing").here
        capacity = at.given("Rated capacity", "battery.rated_capacity").here
        count += f"*{strings.here}"
    if "battery.hydrogen_evolution" not in at:
        amperes = f"{count}*{gas}/1000*{capacity}"
        at.live(
            "Airflow",
            "battery.hydrogen_airflow",
            f"24*5*0.00042*{amperes}",
            "dilution 24, safety 5, 0.42 litres of hydrogen per Ah; each cell and ampere",
            unit="m3/h",
        )
        return
    current = at.given("Current into full cells", "battery.gassing_current").here
    hydrogen = at.live(
        "Hydrogen set free",
        "battery.hydrogen_evolution",
        f"0.000269*0.3048^3*60*{count}*{current}",
        "0.000269 cubic feet a minute, each cell and ampere",
        unit="m3/h",
    ).here
    at.live(
        "Airflow",
        "battery.hydrogen_airflow",
        f"{hydrogen}/0.01",
        "hydrogen at most 1 % of the room",
        unit="m3/h",
    )
