"""The Generators sheet: load by part, sets, load steps, motor start, minimum load, fuel."""

from __future__ import annotations

from dataclasses import dataclass

from facility.core.sources import PROJECT
from facility.core.trace import Trace
from facility.model.facility import Site
from facility.physics.machines.generator import set_loading, site_derate, tank_volume
from facility.physics.machines.motor_start import voltage_dip
from facility.power.backup.sizing import derating
from facility.power.backup.steps import step_limit
from facility.power.train.types import ChainDesign
from facility.report.sheet.cells import Span, column_letter
from facility.report.sheet.grid import Column, Grid, Values
from facility.report.sheet.lines import Cited, Lines
from facility.report.sheet.model import Sheet
from facility.report.sheet.tables import Furniture, fit_heights, write_heading
from facility.report.sheet.trace_lines import TraceLines

_W, _VA, _PART = "active_power", "apparent_power", "fraction"
_LOADS = (
    ("UPS output", "ups.design_output"),
    ("UPS losses", "chain.design.ups_losses"),
    ("Battery recharge", "chain.design.recharge"),
    ("Cooling on the LV boards", "chain.design.mech"),
    ("House loads", "chain.house"),
    ("LV boards, loss", "chain.design.lv_board"),
    ("MV/LV transformers, loss", "chain.design.transformer"),
    ("Step-up transformers, loss", "chain.design.step_up"),
)


@dataclass(frozen=True)
class GeneratorFacts:
    """The chain, its site, and how the numbers came about."""

    chain: ChainDesign
    site: Site
    trace: Trace


@dataclass(frozen=True)
class _Plant:
    load: Cited
    rating: Cited
    derate: Cited
    count: Cited


def generators_sheet(name: str, facts: GeneratorFacts, furniture: Furniture) -> Sheet:
    """Return the sheet of the generator plant."""
    plant = facts.chain.generators
    sheet = Sheet(name, page=furniture.page(landscape=False, fit_height=1))
    write_heading(
        sheet,
        "Generators",
        f"{plant.count} x {plant.model}, {plant.rating_basis} rating, on the {plant.connection} "
        "side; load with growth and recharge.",
    )
    sheet.set_widths(40, 14, 12, 14, 13, 13, 40)
    at = TraceLines(Lines(sheet, 3, basis_columns=4), facts.trace)
    load = _write_loads(at)
    cells = _write_sets(at, facts, load)
    if plant.count:
        _write_steps(at, facts, cells)
        _write_motor(at)
        _write_minimum(at, facts, cells)
        _write_fuel(at, facts)
    else:
        at.lines.section("No set is installed")
    fit_heights(sheet, 3)
    return sheet


def _write_loads(at: TraceLines) -> Cited:
    at.lines.section("Load by part")
    parts = [at.given(label, id) for label, id in _LOADS]
    return at.live(
        "Load of the plant",
        "generator.design_load",
        f"SUM({parts[0].here}:{parts[-1].here})",
        "all parts",
        total=True,
    )


def _write_sets(at: TraceLines, facts: GeneratorFacts, load: Cited) -> _Plant:
    lines, plant, basis = at.lines, facts.chain.generators, facts.chain.chain.generator
    load_va = at.given("Apparent power of the plant", "generator.design_load_va",
                       "with the reactive power of its parts")  # fmt: skip
    lines.section("Sets")
    rating = lines.given("Rating of one set", plant.rating_w, _W, str(plant.source))
    rating_va = lines.given("Rating of one set", plant.rating_va, _VA, _memory(plant.memory))
    derate = _write_derate(at, facts)
    limit = lines.given("Loading permitted", plant.max_loading, _PART, "of the derated rating")
    usable = f"({limit.here}*{derate.here})"
    parts = [""]
    if plant.sections > 1:
        parts = [
            "*" + lines.given(f"Load of bus section {n}", part, _PART, "of the whole").here
            for n, part in enumerate(basis.section_parts, 1)
        ]
    counts = (
        ",".join(
            f"ROUNDUP({one.here}{part}/({usable}*{set_.here})*(1-1E-9),0)"
            for one, set_ in ((load, rating), (load_va, rating_va))
        )
        for part in parts
    )
    duty = at.live("Sets that carry the load", "generator.count.duty",
                   "+".join(f"MAX({count},1)" for count in counts),
                   "by kW and by kVA, each rounded up")  # fmt: skip
    spare = lines.given("Spare sets", plant.spare, "count", facts.chain.chain.scheme.name)
    if basis.count is None and plant.count == round(duty.si) + plant.spare:
        count = lines.live("Sets installed", f"{duty.here}+{spare.here}", plant.count, "count",
                           total=True)  # fmt: skip
    else:
        why = "as built" if basis.count is not None else "of the pass that balanced the design"
        count = lines.given("Sets installed", plant.count, "count", why)
    found = _Plant(load, rating, derate, count)
    if plant.count:
        _write_loading(at, facts, found, f"MAX(1,{count.here}-{spare.here})")
    return found


def _write_loading(at: TraceLines, facts: GeneratorFacts, found: _Plant, sets: str) -> None:
    plant = facts.chain.generators
    si = found.load.si / (max(1, plant.count - plant.spare) * plant.rating_w * plant.derate)
    formula = set_loading.in_cells(
        load_w=found.load.here, sets=sets, set_w=found.rating.here, derate=found.derate.here
    )
    label, basis = "Loading of the sets that are not spare", "of the derated rating"
    at.lines.live(label, formula, si, _PART, basis)


def _memory(names: tuple[str, ...]) -> str:
    return f"recalled, not read: {', '.join(names)}" if names else ""


def _write_derate(at: TraceLines, facts: GeneratorFacts) -> Cited:
    """Write the site factor: as given, or the lower of engine and alternator."""
    lines, plant, site = at.lines, facts.chain.generators, facts.site
    if facts.chain.chain.generator.derate is not None:
        return lines.given("Site derating", plant.derate, "ratio", "as given")
    engine, by_altitude, by_ambient = derating(site.elevation_m, site.design.dry_bulb_c)
    why = f"at {site.elevation_m:.0f} m and {site.design.dry_bulb_c:.1f} °C"
    cells = [
        lines.given(label, value, "ratio", why)
        for label, value in (
            ("Derating, engine", engine),
            ("Derating, alternator, altitude", by_altitude),
            ("Derating, alternator, ambient", by_ambient),
        )
    ]
    first, second, third = (cell.here for cell in cells)
    return lines.live(
        "Site derating",
        site_derate.in_cells(engine=first, alternator_altitude=second, alternator_ambient=third),
        plant.derate,
        "ratio",
        "the lower of engine and alternator",
    )


def _write_steps(at: TraceLines, facts: GeneratorFacts, plant: _Plant) -> None:
    lines, trace, limit = at.lines, facts.trace, step_limit(facts.chain)
    name = facts.chain.chain.generator.operation.performance_class
    lines.section(f"Load steps, class {name}")
    sets = at.given("Sets on the bus", "generator.running_sets")
    lines.row += 1
    capacity = f"({_fixed(sets)}*{_fixed(plant.rating)}*{_fixed(plant.derate)})"
    columns: tuple[Column[Values], ...] = (
        Column("name", "Step", 40, style="cell"),
        Column("load", "Load kW", 14, _W),
        Column("part", "Of the capacity", 12, _PART, "{load}/" + capacity),
        Column("reached", "Reached", 14, _PART, f"SUM($C${lines.row + 1}:{{part}})"),
        Column("limit", "Permitted", 13, _PART),
        Column("held", "Verdict", 13, "verdict", 'IF({part}<={limit}*(1+1E-9),"OK","CHECK")'),
    )
    grid = Grid(lines.sheet, lines.row, columns, 28)
    reached, number = 0.0, 1
    while (id := f"generator.step.{number}") in trace:
        part = float(trace.value(id))
        reached += part
        permitted = limit.first if number == 1 else limit.after(reached)
        grid.write({
            "name": trace[id].because, "load": trace.value(f"{id}.load"), "part": part,
            "reached": reached, "limit": "not known" if permitted is None else permitted,
            "held": None if permitted is None
            else "OK" if part <= permitted * (1 + 1e-9) else "CHECK",
        })  # fmt: skip
        number += 1
    grid.mark("held", '{}="CHECK"', "warn")
    lines.row = grid.row
    because = limit.because or "what the sets take at once is on no sheet read"
    lines.sheet.merge(Span(grid.row, 1, grid.row, 7), f"Permitted: {because}", "note")
    lines.row += 1


def _write_motor(at: TraceLines) -> None:
    if "generator.voltage_dip" not in at:
        return
    at.lines.section("Start of the largest motor")
    at.given("Motor", "generator.largest_motor")
    starting = at.given("Starting power", "generator.starting_kva")
    sets = at.input("generator.voltage_dip", "sets_va")
    reactance = at.input("generator.voltage_dip", "reactance")
    on_bus = at.lines.given("Sets on the bus", sets, _VA)
    transient = at.lines.given("Transient reactance", reactance, "ratio", "of a set on its rating")
    formula = voltage_dip.in_cells(
        starting_va=starting.here, sets_va=on_bus.here, reactance=transient.here
    )
    at.live("Voltage dip", "generator.voltage_dip", formula)


def _write_minimum(at: TraceLines, facts: GeneratorFacts, plant: _Plant) -> None:
    chain = facts.chain
    at.lines.section("Minimum load")
    load = at.given("Load of today without recharge", "generator.least_load")
    found = at.live(
        "Loading of every installed set",
        "generator.loading_least",
        f"{load.here}/({plant.count.here}*{plant.rating.here})",
        "of its rating",
    )
    limit = chain.chain.generator.operation.minimum_load
    least = at.lines.given("Least loading asked for", limit, _PART)
    at.lines.verdict(
        "Verdict",
        f'IF({found.here}*(1+1E-9)>={least.here},"OK","CHECK")',
        "OK" if found.si * (1 + 1e-9) >= limit else "CHECK",
    )


def _write_fuel(at: TraceLines, facts: GeneratorFacts) -> None:
    plant, operation = facts.chain.generators, facts.chain.chain.generator.operation
    at.lines.section("Fuel")
    if "generator.fuel_rate" not in at:
        at.lines.word("Fuel", "not known", "no fuel data for this load; see sheet Checks")
        return
    sets = at.lines.given(
        "Sets running", max(1, plant.count - plant.spare), "count", "those that are not spare"
    )
    each = at.given("Fuel of one set", "generator.fuel_per_set", unit="L/h")
    rate = at.live(
        "Fuel of the plant", "generator.fuel_rate", f"{sets.here}*{each.here}", unit="L/h"
    )
    wanted = at.lines.given("Time asked for", operation.fuel_s, "time", unit="h")
    usable = at.lines.given("Usable part of the tanks", operation.tank_usable, _PART)
    if operation.tank_m3 is None:
        formula = tank_volume.in_cells(
            fuel_m3_s=rate.here, duration_s=wanted.here, usable=usable.here
        )
        tank = at.live("Tanks", "generator.tank", formula, "for the time asked for")
    else:
        tank = at.given("Tanks", "generator.tank", str(PROJECT))
    at.live(
        "Fuel lasts",
        "generator.fuel_time",
        f"{tank.here}*1000*{usable.here}/{rate.here}",
        "at the design load",
        unit="h",
    )


def _fixed(cited: Cited) -> str:
    return f"${column_letter(cited.cell.column)}${cited.cell.row}"
