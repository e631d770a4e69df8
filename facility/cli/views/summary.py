"""Summaries of one screen: the tables of a study that a verb prints without ``--full``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from facility.cli.output import terminal_width
from facility.core.views import System
from facility.report.sheet.grid import TextTable

if TYPE_CHECKING:
    from facility.files.project.compared import ProjectDifference
    from facility.report.points.alarms import PointsShown
    from facility.report.studies.annual import Annual
    from facility.report.studies.compare import Comparison, InScenarios
    from facility.report.studies.failures import Failures
    from facility.report.studies.known import CatalogueShown
    from facility.report.studies.lists.commissioning import Commissioning
    from facility.report.studies.load_motion import LoadMotionShown
    from facility.report.studies.ranges import Ranges
    from facility.report.studies.transient import Transient

_YEAR = (
    *("pue.annual", "annual.hours_measured", "energy.annual", "energy.annual.it"),
    "energy.annual.losses",
    *("energy.annual.cooling", "energy.annual.house", "annual.peak", "annual.load_factor"),
    *("annual.hours_beyond", "annual.short.hours", "annual.short.heat", "water.annual"),
    *("wue.site", "cost.annual", "cost.ownership", "carbon.annual", "cue"),
)
"""Results of a year, in a summary."""
_SCENARIOS = (
    *("checks.violations", "checks.warnings"),
    *("load.it", "load.facility", "pue.annual", "pue.estimate", "cost.annual", "water.annual"),
    *("ups.modules", "generator.count", "plant.chiller_count", "load.racks"),
)
"""Results of a scenario, in a summary."""
_MAX_ROWS = 24
_MAX_FOUND = 15
_MAX_SENSITIVITIES = 8
_MAX_CHECKS = 6
_MAX_ALARMS = 8
_WIDE = 100
"""Width from which the cases are listed with their ids."""


@dataclass(frozen=True)
class Summary:
    """One screen of a study."""

    tables: Sequence[TextTable]
    more: str  # What ``--full`` adds
    lines: Sequence[str] = ()  # Below the tables


def annual(study: Annual, system: System) -> Summary:
    """Return energy, PUE, water, cost and carbon of a year."""
    first, *others = study.tables(system)
    ids = list(first.keys)
    rows = [row[:2] for key, row in zip(ids, first.rows, strict=True) if key in _YEAR]
    return Summary(
        [replace(first, heads=list(first.heads)[:2], rows=rows, keys=(), columns=(), cells=())],
        _titles(others, "all results of the year with notes"),
    )


def commissioning(study: Commissioning, system: System) -> Summary:
    """Return the number of steps by level, and the inputs of open expected values."""
    tables = [study.levels(), *([found] if (found := study.open_readings()).rows else [])]
    return Summary(tables, "all steps with expected values", study.left_out)


def failures(study: Failures, system: System) -> Summary:
    """Return the worst states without their events, and the single points of failure."""
    states, *others = study.tables(system)
    selected = ("outage", "alike", "dropped", "capped", "loading", "where", "battery")
    shown = [_columns_of(states, selected)]
    if study.study.single_points:
        points, *others = others
        shown.append(_first_rows(points, 6))
    return Summary(shown, _titles(others, "voltage and events of 20 states"))


def points(study: PointsShown, system: System) -> Summary:
    """Return the failures without an alarm, and the first alarms of the others."""
    *shown, _, _ = study.tables(system)
    tables = [_first_rows(one, _MAX_ALARMS) for one in shown]
    return Summary(tables, "all failures; alarm limits with rules; points by class; method")


def transient(study: Transient, system: System) -> Summary:
    """Return the cases that exceed a limit, and the names and ids of the others."""
    cases, *others = study.tables(system)
    selected = ["words", "first", "after", "holds"]
    if terminal_width() >= _WIDE:
        selected += ["inlet_worst", "case"]
    shown = _columns_of(cases, selected)
    found = study.study.cases
    exceeded = [row for row, one in zip(shown.rows, found, strict=True) if one.first]
    within = [one.case.title for one in found if not one.first]
    lines = [f"No limit exceeded: {', '.join(within)}."] if within else []
    lines.append(f"Cases of --case: {', '.join(one.case.id for one in found)}.")
    tables = [replace(shown, rows=exceeded)] if exceeded else []
    return Summary(tables, _titles(others, "all temperatures"), lines)


def load_swing(study: LoadMotionShown, system: System) -> Summary:
    """Return the load at each level, and the load at the utility with and without storage."""
    points, limits, *others = study.tables(system)
    selected = ("name", "before", "after", "limit")
    return Summary([points, _columns_of(limits, selected)], _titles(others))


def ranges(study: Ranges, system: System) -> Summary:
    """Return the inputs, the key results they affect, and the strongest input of each."""
    from facility.report.tables.ranges import figures_of

    inputs, results, *others = study.tables(system)
    keys = [figure.key for figure in figures_of(study.study)]
    percentiles = _columns_of(results, ("result", "p5", "p50", "p95"))
    rows = [row for key, row in zip(keys, percentiles.rows, strict=True) if key in _YEAR]
    varied = [row for row in rows if row[1] != row[-1]]
    fixed = [row[0] for row in rows if row[1] == row[-1]]
    shown = [_columns_of(inputs, ("field", "range")), replace(percentiles, rows=varied)]
    return Summary(
        [*shown, _strongest(study, others)],
        _titles([], "all results of the year", "the sensitivity of each result to every input"),
        [f"Not affected: {', '.join(fixed)}."] if fixed else [],
    )


def cooling_methods(study: Comparison, system: System) -> Summary:
    """Return the cooling methods without their units, and the crossover density."""
    methods, *others = study.tables(system)
    heads = list(methods.heads)
    dropped = {2, len(heads) - 1} if len(heads) > 7 else {2}
    (crossover,) = [one for one in study.closing(system) if one.startswith("Crossover")]
    options = [one for one in study.found.options if one.reason not in crossover]
    lines = [f"{one.label}: not feasible. {one.reason}" for one in options if not one.feasible]
    more = _titles(others, "installed units", "assumptions and cautions")
    return Summary([_without(methods, dropped)], more, [*lines, crossover])


def scenarios(study: InScenarios, system: System) -> Summary:
    """Return the inputs that differ, key results and verdicts, without the differences."""
    inputs, results, verdicts = study.tables(system)
    selected = [c.key for c in results.columns if c.key[0] not in "dp"]
    figures = _columns_of(results, selected)
    keyed = zip(study.found.figures, figures.rows, strict=True)
    rows = [row for figure, row in keyed if figure.key in _SCENARIOS]
    shown = [inputs, replace(figures, rows=rows), verdicts]
    return Summary(shown, "other results; differences and shares", [*study.closing(system)])


def difference(study: ProjectDifference, system: System) -> Summary:
    """Return inputs, key figures and the first checks that differ."""
    inputs, figures, results, checks = study.tables(system)
    shown = [inputs, figures, _first_rows(checks, _MAX_CHECKS)]
    return Summary(shown, _titles([results], "every check that differs"), [*study.closing(system)])


def catalogue(study: CatalogueShown, system: System) -> Summary:
    """Return the names of the tables, a table by its first columns, or a row without meanings."""
    (table,) = study.tables(system)
    rows = [list(row) for row in table.rows]
    if study.table is None:
        folders: dict[str, list[str]] = {}
        for name, *_ in rows:
            folder, _, last = name.partition("/")
            folders.setdefault(folder, []).append(last)
        names = [f"{folder}/ {', '.join(of)}" for folder, of in folders.items()]
        lines = [f"{table.title} ({len(rows)})", *names, ""]
        return Summary([], "number of rows, keys and contents of the tables", lines)
    if study.key is not None:
        return Summary([_without(table, {3})], "meaning of each column")
    if study.is_search:
        lines = ['One row: facility catalogue TABLE "KEY"']
        return Summary([_first_rows(table, _MAX_FOUND)], "every row found", lines)
    fitting = _fitting(replace(table, rows=rows))
    left_out = [*table.heads][len(fitting.heads) :]
    more = len(rows) - _MAX_ROWS
    parts = [f"{more:,} {'row' if more == 1 else 'rows'}"] if more > 0 else []
    parts += ["columns " + ", ".join(left_out)] if left_out else []
    shown = replace(_first_rows(fitting, _MAX_ROWS), below=())
    lines = [*table.below, f"One row: facility catalogue {study.table} KEY"]
    return Summary([shown], "; ".join(parts), lines)


def _fitting(table: TextTable) -> TextTable:
    """Return the table without its last columns where it is wider than the terminal."""
    widths = [
        max(len(head), *(len(row[n]) for row in table.rows), 0)
        for n, head in enumerate(table.heads)
    ]
    room, selected = terminal_width(), 0
    for width in widths:
        room -= width + 2
        if room < -2 and selected >= 2:
            break
        selected += 1
    return _without(table, set(range(selected, len(widths))))


def _strongest(study: Ranges, tables: Sequence[TextTable]) -> TextTable:
    """Return the inputs that change a result of the year most, of the results in a summary."""
    from facility.report.tables.ranges import label

    by_key = dict(zip(dict.fromkeys(one.key for one in study.study.matters), tables, strict=True))
    rows = []
    for key, table in by_key.items():
        found = study.study.matters_to(key)
        swings = [one.swing for one in found]
        if key not in _YEAR or not any(swings):
            continue
        strongest = max(range(len(swings)), key=lambda n: swings[n])
        rows.append((label(key), *list(table.rows)[strongest][:3]))
    heads = ("Result", *list(tables[0].heads)[:3]) if tables else ("Result",)
    return TextTable("Strongest input of each result", heads, rows[:_MAX_SENSITIVITIES])


def _columns_of(table: TextTable, keys: Collection[str]) -> TextTable:
    """Return the table with the columns of these keys only."""
    return _without(table, {n for n, c in enumerate(table.columns) if c.key not in keys})


def _without(table: TextTable, dropped: Collection[int]) -> TextTable:
    """Return the table without columns by index."""
    heads = [head for n, head in enumerate(table.heads) if n not in dropped]
    rows = [[cell for n, cell in enumerate(row) if n not in dropped] for row in table.rows]
    return replace(table, heads=heads, rows=rows, keys=(), columns=(), cells=())


def _first_rows(table: TextTable, count: int) -> TextTable:
    """Return the first rows of a table; its title states how many there are."""
    rows = list(table.rows)
    if len(rows) <= count:
        return replace(table, rows=rows)
    title = f"{table.title}: first {count} of {len(rows):,}"
    return replace(table, title=title, rows=rows[:count], keys=(), columns=(), cells=())


def _titles(tables: Iterable[TextTable], *first: str) -> str:
    """Return the output added by ``--full``: `first`, other table titles, sources, limits."""
    titles = [table.title.partition(":")[0] for table in tables]
    names = [one if one[1:2].isupper() else one[:1].lower() + one[1:] for one in titles]
    return "; ".join([*first, *dict.fromkeys(names), "findings with remedy and source"])
