"""The Generators sheet: load by part, sets, load steps, motor start, minimum load, fuel."""

from __future__ import annotations

from facility.core.rounding import reaches, reaches_in_cells, within, within_in_cells
from facility.core.sources import PROJECT
from facility.physics.machines.generator import (
    running_time,
    set_loading,
    sets_needed,
    site_derate,
    tank_volume,
)
from facility.power.backup.sizing import derating
from facility.power.backup.steps import step_limit
from facility.power.train.types import GeneratorDesign
from facility.report.sheet.grid import Column, Grid, GridValue, Values, verdict_word
from facility.report.sheet.lines import Lines, TraceLines
from facility.report.sheet.model import Sheet, Span
from facility.report.sheet.tables import PageSetup, fit_heights, write_heading
from facility.study.design.design import Design

_W, _VA, _PART = "active_power", "apparent_power", "fraction"
_LOADS = (
    ("UPS output", "ups.design_output"),
    ("UPS losses", "chain.design.ups_losses"),
    ("Battery recharge", "chain.design.recharge"),
    ("Cooling on the LV boards", "chain.design.mech"),
    ("Building load", "chain.house"),
    ("LV board losses", "chain.design.lv_board"),
    ("MV/LV transformer losses", "chain.design.transformer"),
    ("Step-up transformer losses", "chain.design.step_up"),
)


def generators_sheet(name: str, design: Design, page_setup: PageSetup) -> Sheet:
    """Return the sheet of the generator plant."""
    plant = design.chain.generators
    sheet = Sheet(name, page=page_setup.page(landscape=False, fit_height=1))
    write_heading(
        sheet,
        "Generators",
        f"{plant.count} x {plant.model}, {plant.rating_basis} rating, on the {plant.connection} "
        "side; load with growth and recharge.",
    )
    sheet.set_widths(40, 14, 12, 14, 13, 13, 40)
    at = TraceLines(Lines(sheet, 3, basis_columns=4), design.trace)
    at.lines.section("Load by component")
    parts = [at.given(label, id) for label, id in _LOADS]
    formula = f"SUM({parts[0].here}:{parts[-1].here})"
    at.live("Plant load", "generator.design_load", formula, "all parts", total=True)
    _write_sets(at, design)
    if plant.count:
        _write_steps(at, design)
        _write_motor(at)
        lines, limit = at.lines, design.chain.chain.generator.operation.minimum_load
        lines.section("Minimum load")
        at.given("Present load without recharge", "generator.least_load")
        label, formula = "Loading, all installed sets", "{least_load}/({count}*{set_w})"
        found = at.live(label, "generator.loading_least", formula, "of the set rating")
        lines.given("Minimum loading required", limit, _PART, key="least")
        holds = reaches(found.si, limit)
        lines.check("Verdict", reaches_in_cells("{loading_least}", "{least}"), holds)
        _write_fuel(at, design)
    else:
        at.lines.section("No set is installed")
    fit_heights(sheet, 3)
    return sheet


def _write_sets(at: TraceLines, design: Design) -> None:
    lines, plant, basis = at.lines, design.chain.generators, design.chain.chain.generator
    why = "with the reactive power of its parts"
    at.given("Plant apparent power", "generator.design_load_va", why)
    lines.section("Sets")
    lines.given("Rating of one set", plant.rating_w, _W, str(plant.source), key="set_w")
    lines.given("Rating of one set", plant.rating_va, _VA, _memory(plant.memory), key="set_va")
    _write_derate(at, design)
    lines.given("Loading permitted", plant.max_loading, _PART, "of the derated rating", key="limit")
    parts = [""]
    if plant.sections > 1:
        for n, part in enumerate(basis.section_parts, 1):
            lines.given(f"Load, bus section {n}", part, _PART, "of the whole", key=f"part{n}")
        parts = [f"*{{part{n}}}" for n in range(1, len(basis.section_parts) + 1)]
    counts = (
        sets_needed.in_cells(
            load_w=f"{{design_load}}{part}",
            load_va=f"{{design_load_va}}{part}",
            **{key: f"{{{key}}}" for key in ("set_w", "set_va", "derate")},
            max_loading="{limit}",
        )
        for part in parts
    )
    formula, why = "+".join(f"MAX({count},1)" for count in counts), "by kW and by kVA, each rounded"
    duty = at.live("Generators on duty", "generator.count.duty", formula, f"{why} up")
    lines.given(
        "Spare sets", plant.spare, "count", "input (power.generator.redundancy)", key="spare"
    )
    title, count = "Sets installed", plant.count
    if basis.count is None and count == round(duty.si) + plant.spare:
        lines.live(title, "{duty}+{spare}", count, "count", total=True, key="count")
    else:
        why = "as built" if basis.count is not None else "from the final design iteration"
        lines.given(title, count, "count", why, key="count")
    if count:
        _write_loading(lines, plant)


def _write_loading(lines: Lines, plant: GeneratorDesign) -> None:
    load_w, sets = lines.cells["design_load"].si, "MAX(1,{count}-{spare})"
    formula = set_loading.in_cells(
        load_w="{design_load}", sets=sets, set_w="{set_w}", derate="{derate}"
    )
    si = load_w / (max(1, plant.count - plant.spare) * plant.rating_w * plant.derate)
    label, why = "Loading, duty sets", "of the derated rating"
    lines.live(label, formula, si, _PART, why)


def _memory(names: tuple[str, ...]) -> str:
    return f"unverified (no source read): {', '.join(names)}" if names else ""


def _write_derate(at: TraceLines, design: Design) -> None:
    """Write the site derating: as specified, or the lower of engine and alternator."""
    lines, plant, site = at.lines, design.chain.generators, design.facility.site
    title = "Site derating"
    if design.chain.chain.generator.derate is not None:
        lines.given(title, plant.derate, "ratio", "as specified", key="derate")
        return
    why = f"at {site.elevation_m:.0f} m and {site.design.dry_bulb_c:.1f} °C"
    parts = derating(site.elevation_m, site.design.dry_bulb_c)
    names = ("engine", "alternator, altitude", "alternator, ambient")
    keys = ("engine", "alternator_altitude", "alternator_ambient")
    for name, key, value in zip(names, keys, parts, strict=True):
        lines.given(f"Derating, {name}", value, "ratio", why, key=key)
    formula = site_derate.in_cells(**{key: f"{{{key}}}" for key in keys})
    why = "the lower of engine and alternator"
    lines.live(title, formula, plant.derate, "ratio", why, key="derate")


def _write_steps(at: TraceLines, design: Design) -> None:
    lines, trace, limit = at.lines, design.trace, step_limit(design.chain)
    name = design.chain.chain.generator.operation.performance_class
    lines.section(f"Load steps, class {name}")
    at.given("Sets on the bus", "generator.running_sets")
    lines.row += 1
    capacity = "*".join(lines.cells[key].fixed for key in ("running_sets", "set_w", "derate"))
    within_limit = within_in_cells("{part}", "{limit}")
    columns: tuple[Column[Values], ...] = (
        Column("name", "Step", 40, style="cell"),
        Column("load", "Load (kW)", 14, _W),
        Column("part", "Share of capacity", 12, _PART, f"{{load}}/({capacity})"),
        Column("reached", "Reached", 14, _PART, f"SUM($C${lines.row + 1}:{{part}})"),
        Column("limit", "Permitted", 13, _PART),
        Column("held", "Verdict", 13, "verdict", f'IF({within_limit},"OK","CHECK")'),
    )
    grid = Grid(lines.sheet, lines.row, columns, 28)
    reached, number = 0.0, 1
    while (id := f"generator.step.{number}") in trace:
        part = float(trace.value(id))
        reached += part
        permitted = limit.first if number == 1 else limit.after(reached)
        holds = None if permitted is None else within(part, permitted)
        known = "not known" if permitted is None else permitted
        row: dict[str, GridValue] = {
            "name": trace[id].because,
            "load": trace.value(f"{id}.load"),
            "part": part,
        }
        grid.write(row | {"reached": reached, "limit": known, "held": verdict_word(holds)})
        number += 1
    grid.mark("held", '{}="CHECK"', "warn")
    lines.row = grid.row
    because = limit.because or "no available data sheet states the permitted load step"
    lines.sheet.merge(Span(grid.row, 1, grid.row, 7), f"Permitted: {because}", "note")
    lines.row += 1


def _write_motor(at: TraceLines) -> None:
    dip = "generator.voltage_dip"
    if dip not in at:
        return
    at.lines.section("Largest motor start")
    at.given("Motor", "generator.largest_motor")
    at.given("Starting power", "generator.starting_kva")
    at.lines.given("Sets on the bus", at.input(dip, "sets_va"), _VA, key="sets_va")
    reactance, why = at.input(dip, "reactance"), "per unit of the set rating"
    at.lines.given("Transient reactance", reactance, "ratio", why, key="reactance")
    at.live("Voltage dip", dip)


def _write_fuel(at: TraceLines, design: Design) -> None:
    lines, plant = at.lines, design.chain.generators
    operation = design.chain.chain.generator.operation
    lines.section("Fuel")
    if "generator.fuel_rate" not in at:
        lines.word("Fuel", "not known", "no fuel data for this load; see sheet Checks")
        return
    running, why = max(1, plant.count - plant.spare), "duty sets"
    lines.given("Sets running", running, "count", why, key="running")
    at.given("Fuel consumption, one set", "generator.fuel_per_set", unit="L/h")
    formula = "{running}*{fuel_per_set}"
    at.live("Fuel consumption, plant", "generator.fuel_rate", formula, "sets running", unit="L/h")
    lines.given("Required fuel autonomy", operation.fuel_s, "time", unit="h", key="wanted")
    lines.given("Usable tank fraction", operation.tank_usable, _PART, key="usable")
    if operation.tank_m3 is None:
        formula = tank_volume.in_cells(
            fuel_m3_s="{fuel_rate}", duration_s="{wanted}", usable="{usable}"
        )
        at.live("Tanks", "generator.tank", formula, "for the required autonomy")
    else:
        at.given("Tanks", "generator.tank", str(PROJECT))
    formula = running_time.in_cells(tank_m3="{tank}", fuel_m3_s="{fuel_rate}", usable="{usable}")
    at.live("Fuel autonomy", "generator.fuel_time", formula, "at the design load", unit="h")
