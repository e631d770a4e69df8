"""The one reader of tables of circuits: CSV, TSV, a sheet or pasted cells, in any usual layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from facility.core.errors import FacilityError
from facility.files.circuit_table.circuits import (
    CircuitsRead,
    NumberedRow,
    entries_of,
    highest_pole,
    numbering_of,
    read_circuits,
)
from facility.files.circuit_table.header import (
    Fact,
    Facts,
    facts_above,
    facts_of_option,
    panel_of_facts,
)
from facility.files.circuit_table.headings import LOAD_FIELDS, Headings, find_headings
from facility.files.circuit_table.lines import Line, TableLines, Total, read_lines
from facility.files.incoming.grid import ReadCells
from facility.files.incoming.text_table import Decimal
from facility.power.panels.board.constraints import check_partners
from facility.power.panels.board.layout import PHASES
from facility.power.panels.board.model import Circuit, Panel

MAX_BYTES = 262_144
"""Maximum size of a text table [bytes]."""
_NEEDED = "Required headings: circuit number or poles, description, and load."
_ROUNDING = 0.5


@dataclass(frozen=True)
class TableAnswers:
    """What the user states about a table in addition to its cells."""

    columns: Mapping[str, str] = field(default_factory=dict)  # As `read_answers`
    decimal: Decimal | None = None
    panel: str = ""  # Data of the panel, as `facts_of_option`
    power_factor: float | None = None  # Of circuits without one
    of_cabinet: bool = False  # Whether circuits without an id are named after their panel


@dataclass(frozen=True)
class TableRead:
    """Imported table: panel with its circuits, their addresses, open questions and errors."""

    panel: Panel
    locations: tuple[str, ...]
    columns: tuple[str, ...]  # Columns of the panel CSV that the table states
    headings: Headings
    problems: tuple[FacilityError, ...]
    notes: tuple[str, ...]
    power_factor: bool  # Whether loads have a stated power factor
    stated: Mapping[str, str]  # Cell or file of each datum of the panel, by key

    @property
    def circuits(self) -> tuple[Circuit, ...]:
        """The circuits, in the order of the file."""
        return self.panel.circuits


def is_table(grid: ReadCells, answers: TableAnswers | None = None) -> bool:
    """Return whether the sheet has the headings of a table of circuits of one panel."""
    try:
        return find_headings(grid, (answers or TableAnswers()).columns) is not None
    except FacilityError:
        return True  # What is wrong with it is reported where it is read


def read_table(
    grid: ReadCells, known: Sequence[Panel] = (), answers: TableAnswers | None = None
) -> TableRead:
    """Return the circuits of a table; open questions and unreadable rows are in its problems.

    grid: Cells of the sheet or file.
    known: Panels of the project: they state what the table does not, by tag, or by the name of the
    sheet or file.
    answers: What the user states in addition.

    Raises ``PANEL_CSV_COLUMN`` without headings, ``PANEL_CSV_HEADER`` for data of the panel that
    are missing or wrong, ``TABLE_ANSWER`` for an answer to no heading.
    """
    options = answers or TableAnswers()
    headings = find_headings(grid, options.columns)
    if headings is None:
        raise FacilityError("PANEL_CSV_COLUMN", grid.name, "no row of headings was found.", _NEEDED)
    lines = read_lines(grid, headings, options.decimal)
    entries, unread = entries_of(lines)
    panel, stated, notes = _panel(grid, lines, entries, known, options.panel)
    questions = [one.as_error() for one in (*headings.questions, *lines.questions)]
    watts = [one for one in headings.columns if one.unit in ("W", "kW")]
    if watts and "pf" not in headings.fields and options.power_factor is None:
        questions.append(_no_power_factor(watts[0].where, f"the loads are in {watts[0].unit}"))
    if not headings.sides[0].loads and not questions:
        raise FacilityError("PANEL_CSV_COLUMN", grid.name, "there is no load column.", _NEEDED)
    found = CircuitsRead()
    if not questions:
        tag = panel.tag if options.of_cabinet else ""
        found = read_circuits(lines, entries, panel, options.power_factor, tag)
    panel = replace(panel, circuits=tuple(found.circuits))
    locations = tuple(line.where for line in found.lines)
    problems = questions or [*unread, *found.problems, *_faults(lines, found)]
    if not problems and not options.of_cabinet:
        try:
            check_partners(panel.circuits, locations)
        except FacilityError as problem:
            problems = [problem]
    fields = [name for name in headings.fields if name not in LOAD_FIELDS]
    fields += ["va"] if headings.sides[0].loads else []
    fields += ["pf"] if options.power_factor is not None else []
    return TableRead(
        panel,
        locations,
        tuple(dict.fromkeys(fields)),
        lines.headings,
        tuple(problems),
        (*lines.notes, *notes, *found.notes, *_notes(lines, panel, found, problems)),
        not found.without,
        stated,
    )


def _faults(lines: TableLines, found: CircuitsRead) -> Iterator[FacilityError]:
    """Yield what is wrong with the table as a whole."""
    if lines.rest is not None:
        yield lines.rest
    for where in found.without if found.power_factors else ():
        yield _no_power_factor(where, "other circuits have one")


def _no_power_factor(where: str, why: str) -> FacilityError:
    hint = "Add --power-factor, e.g. 0.95, or a pf column."
    return FacilityError("PANEL_POWER_FACTOR", where, f"no power factor is stated; {why}.", hint)


def _notes(
    lines: TableLines, panel: Panel, found: CircuitsRead, problems: Sequence[FacilityError]
) -> Iterator[str]:
    """Yield what was compared, assumed, and not read."""
    if not problems:
        yield from _totals(lines, panel, found.lines)
    names = [name for name in lines.headings.unread if name]
    if names:
        listed = ", ".join(repr(name[:40]) for name in dict.fromkeys(names))
        yield f"columns not read: {listed}"
    if found.without and not found.power_factors:
        yield (
            "no power factor is stated; one value is assumed for all circuits (VA, line currents "
            "and balance do not depend on it); set it with --power-factor"
        )


def _panel(
    grid: ReadCells,
    lines: TableLines,
    entries: Sequence[NumberedRow],
    known: Sequence[Panel],
    option: str,
) -> tuple[Panel, dict[str, str], list[str]]:
    """Return the panel that option, cells above the table or the project describe, and where."""
    stated = facts_of_option(option) if option else {}
    above = facts_above(grid, lines.headings.row, stated)
    facts: Facts = {**above, **stated}
    by_tag = {panel.tag: panel for panel in known}
    tag = facts["panel"].text if "panel" in facts else Path(grid.name).stem
    notes = []
    if tag in by_tag:
        rated = {"bus", "main"} & set(facts)  # One rating of the file is not joined with another
        from_project = {
            key: fact
            for key, fact in _facts_of(by_tag[tag], grid.name).items()
            if key not in facts and not (rated and key in ("bus", "main"))
        }
        facts = {**from_project, **facts}
        shown = ("system", "poles", "tap-offs", "bus", "main")
        listed = [f"{key} {from_project[key].text}" for key in shown if key in from_project]
        notes += [f"not in the file, taken from the project: {', '.join(listed)}"] if listed else []
        of_project = _facts_of(by_tag[tag], grid.name)
        notes += [
            f"{key} {of_project[key].text} of the project is not in the file and is not used"
            for key in ("bus", "main")
            if rated and key in of_project and key not in facts
        ]
    for key in sorted(set(above) & set(stated)):
        if above[key].text != stated[key].text:
            notes.append(
                f"{key}: {above[key].text!r} in {above[key].where}; --panel takes precedence"
            )
    if "numbering" not in facts:
        numbering, note = numbering_of(lines, entries)
        facts["numbering"] = Fact(numbering, grid.name)
        notes += [note] if note else []
    if "poles" not in facts and "tap-offs" not in facts:
        numbering = "IEC" if facts["numbering"].text.upper() == "IEC" else "US"
        poles = highest_pole(entries, numbering)
        if poles is not None:
            facts["poles"] = Fact(str(poles), grid.name)
            notes.append(f"{poles} poles, from the positions listed")
    highest = max((pole for entry in entries for pole in entry.poles), default=0)
    found = panel_of_facts(facts, grid.name, highest)
    return found, {key: fact.where for key, fact in facts.items()}, notes


def _facts_of(panel: Panel, where: str) -> Facts:
    """Return the data of a panel of the project."""
    texts = {
        "panel": panel.tag,
        "system": panel.system,
        "tap-offs" if panel.is_busway else "poles": str(panel.poles),
        "bus": "" if panel.bus_a is None else f"{panel.bus_a:.12g} A",
        "main": "" if panel.main_a is None else f"{panel.main_a:.12g} A",
        "side": panel.side,
        "hall": panel.hall,
        "fed from": panel.fed_from,
        "listed 100": "yes" if panel.listed_100 else "no",
        "numbering": panel.numbering,
    }
    return {key: Fact(text, where) for key, text in texts.items() if text}


def _totals(lines: TableLines, panel: Panel, read: Sequence[Line]) -> list[str]:
    """Return a note for each total row that differs from the circuits, or that all agree."""
    compared, differing = [], []
    for total in lines.totals:
        sums = [_summed(total, panel, read, None), _summed(total, panel, read, total.side)]
        step = _ROUNDING * total.amount.step + _ROUNDING * sum(
            amount.step
            for line in lines.lines
            for amount in line.amounts.values()
            if amount.step > 1.0
        )
        compared.append(total.amount.where)
        if all(abs(total.amount.value - found) > step + 1e-6 * found for found in sums):
            phase = "" if total.phase is None else f"phase {PHASES[total.phase]}, "
            differing.append(
                f"{total.amount.where} {total.label[:40]!r}: {phase}{total.amount.value:,.0f} "
                f"{total.amount.kind}, but the circuits have {sums[0]:,.0f} {total.amount.kind}"
            )
    shown = " to ".join(dict.fromkeys((*compared[:1], *compared[-1:])))
    agree = [f"totals in the file agree with the circuits ({shown})"] if compared else []
    return differing or agree


def _summed(total: Total, panel: Panel, read: Sequence[Line], side: int | None) -> float:
    """Return the sum of the circuits covered by a total [VA, or W]."""
    amount = 0.0
    for circuit, line in zip(panel.circuits, read, strict=True):
        if side is not None and line.side != side:
            continue
        share = circuit.total_va().real / (abs(circuit.total_va()) or 1.0)
        factor = share if total.amount.kind == "W" else 1.0
        for phase, va in zip(panel.phases(circuit), circuit.pole_va(), strict=False):
            if total.phase is None or PHASES[total.phase] == phase:
                amount += factor * va
        if not panel.phases(circuit) and total.phase is None:
            amount += factor * sum(circuit.pole_va())
    return amount
