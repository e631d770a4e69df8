"""The workbook of a design, assembled from its sheets: neutral data, ready for a writer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from facility.core import __version__
from facility.core.check import Check, Outcome, Severity
from facility.core.sources import Source
from facility.core.views import prose_in
from facility.model.inputs.document import as_typed
from facility.power.panels.board.currents import panel_loads
from facility.power.panels.board.harmonics import rack_spectrum
from facility.report.book.cooling.sheets import COOLING_CONTENTS, cooling_sheets
from facility.report.book.cost import cost_sheet
from facility.report.book.cover import CoverFacts, KeyFigure, cover_sheet
from facility.report.book.distribution.isolation import isolation_sheets, summary_sheet
from facility.report.book.lists.book import list_sheets
from facility.report.book.lists.commissioning import commissioning_sheets, limits_sheet
from facility.report.book.live_checks import CheckCells
from facility.report.book.load_motion import load_sheet
from facility.report.book.log import PROJECT_SHEET, log_sheet, project_sheet
from facility.report.book.panels.balance import balance_sheet, panels_sheet
from facility.report.book.panels.live import ItInputs, cite_panel_inputs, cite_sccr, it_inputs
from facility.report.book.panels.loads import ScheduledPanel, loads_sheet
from facility.report.book.panels.places import PanelCells, PanelContext
from facility.report.book.panels.schedule import panel_sheet
from facility.report.book.panels.supply import panel_supplies
from facility.report.book.power.roll_up_to_pue import power_sheets
from facility.report.book.power.sheets import ELECTRICAL_CONTENTS, electrical_sheets
from facility.report.book.ranges import WORKBOOK_SAMPLES, ranges_sheets
from facility.report.book.record import assumptions_sheet, checks_sheet, choices_sheet
from facility.report.book.scenarios import scenarios_sheet
from facility.report.book.year import hour_sheets, year_sheet
from facility.report.sheet.entries import INPUTS_SHEET, Entries, InputCell, Reach, cell_name
from facility.report.sheet.lines import Cited
from facility.report.sheet.model import Book, Ref, Sheet, column_letter, quote_sheet
from facility.report.sheet.print_size import keep_readable
from facility.report.sheet.staleness import STALE, mark_stale, names_used, without_conversions
from facility.report.sheet.tables import (
    PageSetup,
    as_excel_table,
    basis_text,
    in_units,
    system_of_units,
)
from facility.report.tables.summary import LABELS
from facility.report.tables.verdict import verdict_of
from facility.study.annual.study import annual
from facility.study.commissioning.limits import operating_limits
from facility.study.commissioning.study import commissioning
from facility.study.design.design import Design
from facility.study.isolation.study import Isolation
from facility.study.ranges.study import ranges
from facility.study.scenarios import Scenarios

MAX_PANEL_SHEETS = 150
_CONTENTS = {
    INPUTS_SHEET: "Inputs that may be changed, with the field of the project each states",
    "Assumptions": "Default values in use, with basis, source and status",
    "Loads": "One row per circuit: VA per phase, normal and failover, P and Q, trip check",
    "UPS": "Modules and their shortlist, every system in every designed state, currents",
    **ELECTRICAL_CONTENTS,
    "Panels": "Index of the panel schedules, with their results and verdicts",
    "Roll-up": "From the GPU to the utility in live formulas; losses; generators",
    "Cooling": "Heat by location, electrical power by component, equipment, air and water",
    **COOLING_CONTENTS,
    "Dynamic load": "Training job load at rack, UPS, generators and utility; storage; sags",
    "PUE": "Design-hour PUE as a sum of parts; annual PUE is on sheet Year",
    "Year": "Monthly energy, PUE, water and carbon of the typical year",
    "Cost": "Tariff charges, monthly bills, cost of ownership",
    "Balance": "Imbalance before and after balancing, line currents in both states, per panel",
    "Choices": "Equipment selected by result, with alternatives: loss, installed power, cost",
    "Checks": "Every check with its margin, failed ones first",
    "Log": "Version, hashes, sources, sheet names",
}
FIXED_SHEETS = ("Cover", *_CONTENTS, PROJECT_SHEET)
_PROSE = _CONTENTS.keys() - {INPUTS_SHEET, "Loads", "Panels", "Balance", "Log"}
"""Sheets whose texts name quantities."""
_FIRST_DAY = (1980, 1, 1)
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)


def build_book(
    design: Design,
    names: Mapping[str, str],
    shown: Sequence[str] | None = None,
    workbooks: Mapping[str, str] | None = None,
) -> Book:
    """Return the workbook of `design`.

    design: The complete design.
    names: Sheet name of each panel tag, different from `FIXED_SHEETS`.
    shown: Tags of the panels with a sheet; default: the first `MAX_PANEL_SHEETS`.
    workbooks: File of the schedule of each panel, by tag; the workbook is then their index, without
    loads.
    """
    tags = [panel.tag for panel in design.panels.panels]
    selected = set(tags[:MAX_PANEL_SHEETS] if shown is None else shown)
    page_setup = _page_setup(design)
    entries = Entries(as_typed(design.project))
    inputs = it_inputs(design, entries)
    found = _schedules(design, names, tags, selected, page_setup, entries, inputs, not workbooks)
    power = power_sheets(design, page_setup, entries, inputs)
    year, of_year = year_sheet("Year", design, entries, page_setup)
    with in_units("si"):  # Prices are per unit as the project states them
        cost, of_cost = cost_sheet("Cost", design, page_setup, of_year, entries)
    choices = choices_sheet("Choices", design.choices, page_setup)
    scheduled = {panel.panel.tag: panel for panel in found.scheduled}
    cells = CheckCells(design, scheduled, found.at, found.sccr, entries)
    checks, of_checks = checks_sheet("Checks", design.checks, cells, page_setup)
    reach = {("Checks", row): one for row, one in of_checks.items()}
    reach |= {("Choices", row): Reach.LOAD for row, _ in choices.cells}
    body = [
        assumptions_sheet("Assumptions", design.ledger, page_setup),
        *(() if workbooks else (found.loads,)),
        power.ups,
        *electrical_sheets(design, page_setup),
        panels_sheet("Panels", found.scheduled, found.at, page_setup, workbooks),
        *found.panels,
        power.rollup,
        power.cooling,
        *cooling_sheets(design, page_setup),
        load_sheet("Dynamic load", design, entries, page_setup),
        power.pue,
        year,
        cost,
        balance_sheet("Balance", found.scheduled, found.at, page_setup),
        choices,
        checks,
        log_sheet(
            "Log", _log_facts(design), _sources(design), _renamed(names, selected), page_setup
        ),
    ]
    left_out = [] if workbooks else [tag for tag in tags if tag not in selected]
    figures = {**power.figures, **of_year, **of_cost}
    cover = _cover(design, figures, body, left_out, page_setup)
    results = {f"Result_{cell_name(key)}": str(cited) for key, cited in figures.items()}
    known = {**found.names, **results}
    if any(one.cost for choice in design.choices for one in choice.candidates):
        entries.widen("cost.", "site.tariff")  # The prices select equipment
    return _live_book(design, (cover, *body), known, entries, page_setup, reach)


def build_part(design: Design, names: Mapping[str, str], tags: Sequence[str]) -> Book:
    """Return the workbook of the panels `tags` only: inputs, loads, schedules, balance."""
    page_setup = _page_setup(design)
    entries = Entries(as_typed(design.project))
    inputs = it_inputs(design, entries)
    found = _schedules(design, names, tags, set(tags), page_setup, entries, inputs, True)
    body = (
        panels_sheet("Panels", found.scheduled, found.at, page_setup),
        found.loads,
        *found.panels,
        balance_sheet("Balance", found.scheduled, found.at, page_setup),
    )
    return _live_book(design, body, found.names, entries, page_setup, {})


def _live_book(
    design: Design,
    body: tuple[Sheet, ...],
    names: Mapping[str, str],
    entries: Entries,
    page_setup: PageSetup,
    reach: Mapping[tuple[str, int], Reach],
) -> Book:
    """Return the workbook with the sheet of the inputs, all else locked, and STALE where due."""
    inputs, of_inputs = entries.used(names_used(body)).sheet(page_setup)
    for sheet in body:
        sheet.protected = True
    without_conversions(body)
    for sheet in (one for one in body if one.name in _PROSE):
        for at, cell in sheet.cells.items() if system_of_units() == "ip" else ():
            if isinstance(cell.value, str) and not cell.formula:
                sheet.cells[at] = cell._replace(value=prose_in(cell.value, "ip"))
    mark_stale((*body, inputs), {**names, **of_inputs}, reach)
    return _book(design, (body[0], inputs, *body[1:], _project(design)), {**names, **of_inputs})


def build_lists(design: Design) -> Book:
    """Return the workbook of the flat lists: circuits, directories, labels, cables, racks."""
    sheets = (*list_sheets(design, _page_setup(design)), _project(design))
    return _book(design, sheets)


def build_commissioning(design: Design, levels: Sequence[int]) -> Book:
    """Return the workbook of the commissioning steps of some levels."""
    found = commissioning_sheets(commissioning(design, levels), _page_setup(design))
    return _book(design, (*found, _project(design)))


def build_limits(design: Design) -> Book:
    """Return the workbook of set points, limits and actions."""
    sheet = limits_sheet(operating_limits(design), _page_setup(design))
    return _book(design, (sheet, _project(design)))


def build_isolation(found: Sequence[Isolation], design: Design) -> Book:
    """Return the workbook of one isolation, or a row for each of several."""
    setup = _page_setup(design)
    if len(found) == 1:
        return _book(design, tuple(isolation_sheets(found[0], setup)))
    return _book(design, (summary_sheet(tuple(found), setup),))


def build_hours(design: Design) -> Book:
    """Return the workbook of the hours of the year, with the months summed from them.

    Raises ``WEATHER_SITE`` if the site has no hourly weather.
    """
    study = annual(design) if design.year is None else design.year
    sheets = (*hour_sheets(study, _page_setup(design)), _project(design))
    return _book(design, sheets)


def build_ranges(design: Design) -> Book:
    """Return the workbook of the ranges of the year, with quantiles live from its samples.

    Raises ``RANGE_NONE`` without ranges, and the errors of `ranges`.
    """
    study = ranges(design, WORKBOOK_SAMPLES)
    sheets = (*ranges_sheets(study, _page_setup(design)), _project(design))
    return _book(design, sheets)


def build_scenarios(found: Scenarios) -> Book:
    """Return the workbook of scenarios, with live differences."""
    sheet = scenarios_sheet(found, _page_setup(found.base))
    return _book(found.base, (sheet,))


@dataclass(frozen=True)
class _Schedules:
    """Panel schedules and the sheets they refer to."""

    scheduled: list[ScheduledPanel]
    loads: Sheet
    panels: list[Sheet]
    at: dict[str, PanelCells]
    sccr: Mapping[str, InputCell]

    @property
    def names(self) -> dict[str, str]:
        """Workbook names of the results of the panels."""
        found: dict[str, str] = {}
        for tag, at in self.at.items():
            found |= at.names(tag)
        return found


def _schedules(
    design: Design,
    names: Mapping[str, str],
    tags: Sequence[str],
    selected: set[str],
    page_setup: PageSetup,
    entries: Entries,
    inputs: ItInputs,
    loaded: bool,
) -> _Schedules:
    """Return the schedules of `selected`, with the loads of the panels `tags` if `loaded`."""
    listed = set(tags)
    scheduled = [
        ScheduledPanel(panel, panel_loads(panel), lost)
        for panel, lost in zip(design.panels.panels, design.panels.lost, strict=True)
        if panel.tag in listed
    ]
    cite_panel_inputs(design, entries)
    factor = design.facility.criteria.continuous_factor
    loads, load_cells = loads_sheet(
        "Loads", scheduled if loaded else [], factor, page_setup, inputs.racks
    )
    context = _context(design, page_setup, entries)
    panels: list[Sheet] = []
    at: dict[str, PanelCells] = {}
    for panel in scheduled:
        tag = panel.panel.tag
        if tag in selected:
            sheet, at[tag] = panel_sheet(names[tag], panel, load_cells, context)
            panels.append(sheet)
    return _Schedules(scheduled, loads, panels, at, context.sccr)


def _project(design: Design) -> Sheet:
    texts = {}
    for key, value in design.all_results.items():
        plain = value.as_json()
        number, unit = (plain["value"], plain["unit"]) if isinstance(plain, dict) else (plain, "")
        texts[key] = (json.dumps(number), unit)
    return project_sheet(json.dumps(as_typed(design.project), sort_keys=True, indent=1), texts)


def _page_setup(design: Design) -> PageSetup:
    identity = design.facility.identity
    project = " · ".join(part for part in (identity.number, identity.name) if part)
    latest = identity.revisions[-1][:2] if identity.revisions else ("not issued",)
    metric = design.facility.criteria.code != "NEC"
    return PageSetup(project, status_line(design), "Rev " + " · ".join(latest), metric)


def status_line(design: Design) -> str:
    """Return the project status, with a warning if not issued."""
    status = design.facility.identity.status
    issued = ("ISSUED FOR CONSTRUCTION", "AS BUILT")
    return status if status in issued else f"{status} · NOT FOR CONSTRUCTION".lstrip(" ·")


def _code(design: Design) -> str:
    return design.facility.criteria.code_edition


def _tool(design: Design) -> str:
    return (
        f"facility {__version__} · project {design.sha256[:12]} · "
        f"reference data {design.reference_sha256[:12]} · {_code(design)}"
    )


def _context(design: Design, page_setup: PageSetup, entries: Entries) -> PanelContext:
    identity, criteria = design.facility.identity, design.facility.criteria
    latest = identity.revisions[-1][:2] if identity.revisions else ()
    supplies = panel_supplies(design)
    spectrum = rack_spectrum(design.facility.power.transformer.it_harmonics)
    return PanelContext(
        code=_code(design),
        issue=" / ".join((*latest, identity.status)),
        frequency_hz=design.facility.site.frequency_hz,
        continuous_factor=criteria.continuous_factor,
        imbalance_limit=design.facility.power.panels.imbalance_limit,
        revisions=identity.revisions,
        checker=identity.checker,
        tool=_tool(design),
        page_setup=page_setup,
        supplies=supplies,
        sccr=cite_sccr(design, supplies, entries),
        triplen=(None if spectrum is None else spectrum.triplen / spectrum.rms),
        bus_a=_cited(entries, "panel_bus"),
        main_a=_cited(entries, "panel_main"),
    )


def _cited(entries: Entries, field: str) -> float | None:
    """Return the rating of all panels, if it is an input."""
    one = entries.entries.get(f"power.distribution.{field}")
    return None if one is None else one.si


def _cover(
    design: Design,
    figures: Mapping[str, Cited],
    body: Sequence[Sheet],
    left_out: Sequence[str],
    page_setup: PageSetup,
) -> Sheet:
    by_name = {sheet.name: sheet for sheet in body}
    checks = by_name["Checks"]
    facts = CoverFacts(
        identity=design.facility.identity,
        location=design.facility.site.year_location,
        code=_code(design),
        open_assumptions=sum(1 for _ in design.open_assumptions),
        verdicts=tuple(_verdicts(design.checks, checks)),
        verdict=verdict_of(design.checks),
        tool=_tool(design),
        notes=(*design.notes, *_left_out_note(left_out)),
    )
    index = [
        (name, Ref(quote_sheet(name), 1, 1), content)
        for name, content in _CONTENTS.items()
        if name in by_name or name == INPUTS_SHEET
    ]
    return cover_sheet("Cover", facts, _figures(design, figures), index, page_setup)


def _verdicts(found: Sequence[Check], checks: Sheet) -> Iterator[tuple[str, str, int]]:
    """Yield counts of failed checks by severity, then not evaluated and passed."""
    rows = {outcome: row for row, outcome in enumerate(Outcome, start=5)}
    for column, severity in enumerate(Severity, start=2):
        count = sum(c.failed and c.severity is severity for c in found)
        yield severity.value, str(Ref(checks.quoted, rows[Outcome.FAIL], column)), count
    others = [(Outcome.NOT_EVALUATED, "NOT EVALUATED"), (Outcome.PASS, "PASSED")]
    if any(check.outcome is Outcome.WAIVED for check in found):
        others.append((Outcome.WAIVED, "WAIVED"))
    for outcome, word in others:
        row, last = rows[outcome], column_letter(1 + len(Severity))
        first = Ref(checks.quoted, row, 2)
        cells = f'IF(ISNUMBER({first}),SUM({first}:${last}${row}),"{STALE}")'
        yield word, cells, sum(c.outcome is outcome for c in found)


def _left_out_note(left_out: Sequence[str]) -> tuple[str, ...]:
    if not left_out:
        return ()
    first, last = left_out[0], left_out[min(len(left_out), MAX_PANEL_SHEETS) - 1]
    return (
        f"{len(left_out)} panels have no sheet in this workbook: {left_out[0]} to "
        f"{left_out[-1]}. Their circuits are on the sheet Loads, their results on the sheet "
        f"Balance. To export their sheets: facility export xlsx --panels {first}..{last}, or "
        f"--split for one workbook per room and side.",
    )


def _figures(design: Design, known: Mapping[str, Cited]) -> list[KeyFigure]:
    figures = []
    year = "pue.annual" in known
    month = "one twelfth of the annual cost, see sheet Cost" if year else "estimate, see sheet PUE"
    for label, key, note in (
        ("", "load.gpu", "thermal design power"),
        ("", "load.server", basis_text(design.it.basis)),
        ("IT load", "load.it", "at the equipment inputs"),
        ("Facility load", "load.facility", "design hour"),
        ("", "pue.annual", "hourly simulation, see sheet Year"),
        ("PUE, design hour", "pue.design", design.results["pue.design"].basis),
        *(() if year else (("PUE, estimate", "pue.estimate", "mean weather, see sheet PUE"),)),
        ("", "energy.annual", "hourly simulation, see sheet Year"),
        ("", "cost.annual", "see sheet Cost"),
        ("", "cost.month_estimate", month),
        ("", "ups.loading_normal", "by kW, worst system"),
        ("", "ups.loading_failure", design.chain.chain.scheme.failure),
        ("", "utility.demand_kva", "design hour"),
        ("", "heat.room", "heat of the hall air"),
    ):
        cited = known.get(key)
        if cited is not None:
            figures.append(KeyFigure(label or LABELS[key], cited, note))
    return figures


def _log_facts(design: Design) -> dict[str, str]:
    return {
        "Tool": f"facility {__version__}",
        "Project SHA-256": design.sha256,
        "Reference data SHA-256": design.reference_sha256,
        "Project schema version": "1",
        "Code basis": _code(design),
        "Units": f"{system_of_units().upper()}; kW, kvar and kVA separate",
        "Imbalance": "maximum deviation from the mean / mean, phasor line currents",
        "Design loop": f"converged after {design.point.iterations} passes",
        "Formulas": "live; every formula cell includes the value computed by the engine",
        "To verify": "facility verify FILE recomputes this workbook from its embedded project",
    }


def _sources(design: Design) -> Iterator[Source]:
    yield from (step.source for step in design.full_trace)
    yield from (check.source for check in design.checks)
    yield from (assumption.source for assumption in design.ledger)


def _renamed(names: Mapping[str, str], selected: set[str]) -> list[tuple[str, str]]:
    return [(tag, name) for tag, name in names.items() if tag in selected and tag != name]


def _book(
    design: Design, sheets: tuple[Sheet, ...], names: Mapping[str, str] = MappingProxyType({})
) -> Book:
    identity = design.facility.identity
    for sheet in sheets:
        if sheet.name in FIXED_SHEETS:  # a panel has one page
            keep_readable(sheet)
            as_excel_table(sheet)
    return Book(
        sheets=sheets,
        names=dict(names),
        title=identity.title or identity.name,
        subject="Power and cooling design calculation",
        author=identity.originator,
        company=identity.company,
        keywords=f"{_code(design)}; {design.chain.chain.scheme.name}; {identity.status}",
        created=_created(design),
        properties={
            "tool_version": __version__,
            "input_sha256": design.sha256,
            "reference_sha256": design.reference_sha256,
            "code_edition": _code(design),
            "schema_version": "1",
        },
    )


def _created(design: Design) -> tuple[int, int, int]:
    """Return the date of the latest revision, or the earliest date of the zip format."""
    revisions = design.facility.identity.revisions
    found = _ISO_DATE.fullmatch(revisions[-1][1]) if revisions else None
    if found is None:
        return _FIRST_DAY
    year, month, day = (int(part) for part in found.groups())
    return max((year, month, day), _FIRST_DAY)
