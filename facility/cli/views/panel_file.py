"""Panel files from users: answers from options, mapping, errors, and summary."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from facility.cli import output
from facility.cli.options import TableOptions
from facility.cli.views.study import show_study
from facility.core.errors import FacilityError
from facility.core.table import Value
from facility.files.circuit_table.headings import Headings
from facility.files.circuit_table.read import TableAnswers
from facility.files.circuit_table.summary import described, phase_va
from facility.files.import_panel.merge import shown_value
from facility.files.import_panel.read import PanelImport, only_panel
from facility.files.incoming.columns import plain, read_answers
from facility.files.incoming.profile import ImportProfile, profile_for, read_profile
from facility.files.incoming.text_table import Decimal
from facility.power.panels.board.model import Panel
from facility.report.studies.protocol import Object, Statement

SUFFIXES = (".csv", ".tsv", ".txt", ".tab", ".xlsx", ".xlsm", ".xls")
"""Files with a table of circuits; a project has others."""
KIND = "panel"
_SIGNS: dict[str, Decimal] = {".": ".", ",": ","}


def is_table_file(path: Path) -> bool:
    """Return whether a file has a table of circuits, by its name."""
    return path.suffix.lower() in SUFFIXES


def answers_of(options: TableOptions, panel: str | None) -> TableAnswers:
    """Return the answers from options, followed by the answers of a profile.

    Raises ``TABLE_ANSWER`` for a text of another form; ``PROFILE``.
    """
    saved = {} if options.profile is None else read_profile(options.profile, KIND).options
    sign = options.decimal or next(iter(saved.get("decimal", ())), None)
    if sign is not None and sign not in _SIGNS:
        hint = "Write --decimal . or --decimal ,"
        message = f"{sign[:20]!r} is not a decimal sign."
        raise FacilityError("TABLE_ANSWER", "--decimal", message, hint)
    columns = read_answers(saved.get("map", ())) | read_answers(options.maps or ())
    decimal = None if sign is None else _SIGNS[sign]
    return TableAnswers(columns, decimal, panel or "", options.power_factor)


def save_profile(
    path: Path, found: Sequence[PanelImport], answers: TableAnswers, *, force: bool
) -> None:
    """Write the answers as a profile for tables with these headings."""
    options: dict[str, list[str]] = {
        "map": [f"{heading}={meaning}" for heading, meaning in answers.columns.items()],
        "decimal": [answers.decimal] if answers.decimal else [],
    }
    profile = ImportProfile(KIND, _headings(found), options)
    output.write_file(path, profile.text().encode(), force=force)
    output.message(f"wrote {path}")


def offer_profile(path: Path, found: Sequence[PanelImport]) -> None:
    """Name the profile saved next to a file for the same headings, if questions are open."""
    is_open = any(problem.code == "TABLE_QUESTION" for problem in _problems(found))
    saved = profile_for(path.parent, KIND, _headings(found)) if is_open else None
    if saved is not None:
        output.message(f"answers for these headings: --profile {saved}")


def _headings(found: Sequence[PanelImport]) -> tuple[str, ...]:
    columns = [one for panel in found for one in panel.headings.columns]
    return tuple(sorted({plain(one.heading) for one in columns}))


def read_one(path: Path, sheet: str | None, answers: TableAnswers, *, json: bool) -> PanelImport:
    """Return the only panel of a file; exit with all problems, if any.

    Raises as `only_panel`.
    """
    found = only_panel(path, sheet, answers)
    if found.problems:
        offer_profile(path, [found])
        end_with_problems([found], "balance", json=json)
    return found


def end_with_problems(found: Sequence[PanelImport], name: str, *, json: bool) -> None:
    """Print mapping and problems, and exit."""
    if json:
        output.print_json(output.refusal(name, _problems(found)))
    else:
        print_mapping(found)
    print_problems(found)
    sys.exit(max(problem.exit_code for problem in _problems(found)))


def print_problems(found: Sequence[PanelImport]) -> None:
    """Print every problem as an error."""
    for problem in _problems(found):
        sys.stderr.write(f"error: {problem}\n")


def _problems(found: Sequence[PanelImport]) -> list[FacilityError]:
    return [problem for one in found for problem in one.problems]


def print_mapping(found: Sequence[PanelImport]) -> None:
    """Print the mapping of headings to fields where it is open."""
    for one in found:
        is_open = any(problem.code == "TABLE_QUESTION" for problem in one.problems)
        if is_open:
            heads = ("Heading", "Field", "Unit", "First cell")
            output.print_table(f"Headings of {one.sheet}", heads, mapping_rows(one.headings))


def mapping_rows(headings: Headings) -> list[tuple[str, str, str, str]]:
    """Return heading, field, unit and first cell of each column."""
    return [
        (one.heading[:30], one.field or "not read", one.unit, one.example[:24])
        for one in headings.columns
    ]


def circuit_objects(panel: Panel) -> list[Object]:
    """Return the circuits of a panel for JSON."""
    return [
        {
            "panel": panel.tag,
            "circuit": one.id,
            "description": one.description,
            "class": one.class_code,
            "poles": one.poles,
            "position": None if one.position is None else panel.layout.label(one.position),
            "phases": panel.phases(one),
            "breaker": one.breaker_a,
            "load": abs(one.total_va()) / 1e3,
        }
        for one in panel.circuits
    ]


def print_json(found: Sequence[PanelImport], written: Path | None, *, against: bool) -> None:
    """Print panels, differences and problems as JSON.

    against: Whether a project was entered to compare with.
    """
    problems = _problems(found)
    lists: dict[str, list[Object]] = {
        "differences": [
            {
                "panel": d.panel,
                "circuit": d.circuit,
                "field": d.field,
                "was": d.was,
                "is": d.now,
                "where": d.where,
                "kept": d.applicable,
            }
            for panel in found
            for d in panel.differences
        ],
        "circuits": [one for panel in found for one in circuit_objects(panel.panel)],
    }
    if problems:
        output.print_json(output.refusal("import", problems) | lists)
        return
    results = {
        "panels": len(found),
        "circuits": sum(len(panel.panel.circuits) for panel in found),
        "differences": len(lists["differences"]),
        "accepted": written is not None,
        **_loads(found),
    }
    warnings = [
        f"{panel.sheet}: {note}" for panel in found for note in _notes(panel, against=against)
    ]
    show_study(Statement("import", results, lists, warnings=warnings), "si", json=True)


def _notes(panel: PanelImport, *, against: bool) -> list[str]:
    notes = list(panel.notes)
    if not (panel.compared or against):
        notes.append("no project to compare with: every circuit is new; use --project")
    left = sum(not difference.applicable for difference in panel.differences)
    if left:
        notes.append(f"{left} header fields are listed only: a panel CSV has no column for them")
    return notes


def print_panels(found: Sequence[PanelImport], *, against: bool) -> None:
    """Print what was read of each panel, and its differences."""
    print_mapping(found)
    for panel in found:
        changed = panel.differences or panel.problems
        if len(found) > 1 and panel.compared and not changed:
            continue
        if any(problem.code == "TABLE_QUESTION" for problem in panel.problems):
            continue
        title = f"{panel.panel.tag} from {panel.sheet}: {len(panel.panel.circuits)} circuits"
        if not panel.problems:
            output.print_lines([f"{described(panel.panel)}."])
        rows = [
            (d.circuit or "(panel)", d.field, shown_value(d.was), shown_value(d.now), d.where)
            for d in panel.differences
        ]
        if rows:
            heads = ("Circuit", "Field", "Was", "Is", "Where")
            output.print_table(f"{title}, {len(rows)} differences", heads, rows)
        elif panel.compared or panel.problems:
            output.print_lines([f"{title}{', no differences' * panel.compared}"])
        output.print_lines(f"Note: {note}." for note in _notes(panel, against=against))
    output.print_lines([f"Panels read: {len(found)}."])


def _loads(found: Sequence[PanelImport]) -> Mapping[str, object]:
    """Return load and phases of the panel, where one was read."""
    if len(found) != 1:
        return {}
    panel = found[0].panel
    total = sum(sum(one.pole_va()) for one in panel.circuits)
    sums = phase_va(panel) if panel.placed else {}
    loads = {"load": total} | {f"load.{name.casefold()}": va for name, va in sums.items()}
    return {name: Value(va, "apparent_power").as_json() for name, va in loads.items()}
