"""The calculation package: purpose, codes, inputs, assumptions, method, results, checks, goal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from facility.catalogue import sources
from facility.core.check import Check, Outcome, Severity
from facility.core.sources import Source
from facility.core.trace import Step
from facility.core.views import System, prose_in, show
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import field_at, text_of
from facility.report.book.record import counted_assumptions
from facility.report.issue.content import Block, Break, Paragraph, SheetContent, TableBlock
from facility.report.sheet.formula_text import formula_text
from facility.report.sheet.grid import TextTable
from facility.report.studies.failures import Failures
from facility.report.tables.choices import choice_rows, choice_table
from facility.report.tables.names import rule_title
from facility.report.tables.summary import summary_tables
from facility.report.tables.verdict import (
    DEFINITIONS,
    counts_text,
    findings,
    headline,
    not_evaluated,
    verdict_of,
)
from facility.study.design.design import Design
from facility.study.failures.study import failures

SERIES = 100
_MAX_CLAUSES, _MAX_INPUTS, _MAX_STATES = 6, 250, 6
_SMALL_MARGIN, _LARGE_MARGIN, _MAX_VIOLATIONS = 0.25, 10.0, 6
_PURPOSE = (
    "Loads, UPS, distribution, fault currents, heat rejection, energy and PUE of the facility, "
    "from the IT equipment to the utility and the ambient air. Acceptance: every check with the "
    "clause named. Coordination and arc-flash studies are by others."
)
_METHOD = (
    "The power chain is calculated from the IT equipment upstream to the utility, cooling from the "
    "heat of the hall to the ambient air; both are iterated until loads and losses agree. "
    "Equipment is sized for the design hour with the stated redundancy, then checked in each "
    "designed state and single outage by power flow. The command facility explain ID derives each "
    "figure. Formulas that follow from definitions are not listed."
)
_STATUS = (
    "Numbers in brackets refer to the references. {} Basis and full source of each are in the "
    "appendix. Confirm an entry by its id under confirmed, or "
    "replace it by its input in the project file."
)
_STATUS_WORDS = {"open": "not confirmed"}


def calculation_contents(design: Design, system: System) -> Iterator[SheetContent]:
    """Yield the calculation package."""
    numbers = reference_numbers(design)
    blocks = (
        *_basis(design, system, numbers),
        *_inputs(design, system, numbers),
        Break(2),
        Paragraph("6 Results", "heading"),
        *(
            TableBlock(table, (0.4, 0.18, 0.42), ("start", "end", "start"))
            for table in summary_tables(design.all_results, system)
        ),
        Break(1),
        *_states(design, system),
        *_findings(design.checks, system),
        *_passed(design.checks, system, numbers),
    )
    yield SheetContent("G", SERIES, "Calculation package", blocks, columns=2)


def reference_numbers(design: Design) -> Mapping[str, int]:
    """Return the number of each document that checks, formulas and defaults refer to."""
    names = {
        entry.title.partition(",")[0]
        for source in _used(design)
        if (entry := sources().get(source.id)) is not None
    }
    return {name: n for n, name in enumerate(sorted(names, key=str.casefold), 1)}


def _used(design: Design) -> Iterator[Source]:
    yield from (check.source for check in design.checks)
    yield from (step.equation.source for step in design.full_trace if step.equation)
    yield from (one.source for one in design.ledger)


def citation(source: Source) -> str:
    """Return a source as title, edition and clause, e.g. ``NFPA 70, 2023, 210.20(A)``."""
    entry = sources().get(source.id)
    name = source.id if entry is None else entry.title.partition(",")[0]
    locator = "" if "[" in source.locator else source.locator
    text = ", ".join(part for part in (name, source.edition, locator) if part)
    return f"{text} [unverified]" if source.verified == "memory" else text


def _cited(source: Source, numbers: Mapping[str, int]) -> str:
    """Return a source as the number of its document; a rule of the program by its name."""
    entry = sources().get(source.id)
    if entry is not None:
        return f"[{numbers[entry.title.partition(',')[0]]}]"
    return "project" if source.id == "project" else source.id.replace("-", " ")


def _basis(design: Design, system: System, numbers: Mapping[str, int]) -> Iterator[Block]:
    checks = design.checks
    verdict, defaults = headline(checks), counted_assumptions(list(design.ledger))
    lines = [
        (line.title, "required" if line.required else "not stated", line.outcome, line.because)
        for line in verdict_of(checks)
    ]
    yield Paragraph("1 Purpose", "heading")
    yield Paragraph(_PURPOSE)
    yield Paragraph("2 Conclusion", "heading")
    yield Paragraph(f"{verdict[:1].upper()}{verdict[1:]}.")
    yield Paragraph(f"Checks: {counts_text(checks)}. {defaults}")
    failed = [one for one in findings(checks) if one.word == Severity.VIOLATION]
    for one in failed[:_MAX_VIOLATIONS]:
        yield Paragraph(f"{rule_title(one.rule)}. {one.text(system)}", "warning")
    if len(failed) > _MAX_VIOLATIONS:
        yield Paragraph(f"{len(failed) - _MAX_VIOLATIONS} more violations: section 8.", "warning")
    yield TableBlock(
        TextTable("", ("Property", "Goal", "Outcome", "Decided by"), lines, (DEFINITIONS,)),
        (0.28, 0.13, 0.14, 0.45),
    )
    yield Paragraph("3 Method", "heading")
    yield Paragraph(_METHOD)
    yield TableBlock(_equations(design.full_trace, numbers), (0.35, 0.52, 0.13))
    yield Paragraph("4 Codes, standards and data", "heading")
    yield TableBlock(_references(design, numbers), (0.07, 0.36, 0.15, 0.42))


def _references(design: Design, numbers: Mapping[str, int]) -> TextTable:
    """Return the documents used, with editions and clauses."""
    editions: dict[str, dict[str, None]] = {name: {} for name in numbers}
    clauses: dict[str, dict[str, None]] = {name: {} for name in numbers}
    for source in _used(design):
        entry = sources().get(source.id)
        if entry is not None:
            name = entry.title.partition(",")[0]
            editions[name][source.edition or entry.edition] = None
            if source.locator and "[" not in source.locator:
                clauses[name][source.locator] = None
    rows = []
    for name, number in numbers.items():
        named, more = list(clauses[name])[:_MAX_CLAUSES], len(clauses[name]) - _MAX_CLAUSES
        text = "; ".join((*named, f"and {more} more") if more > 0 else named)
        rows.append((str(number), name, "; ".join(filter(None, editions[name])), text))
    return TextTable("", ("No.", "Document", "Edition", "Clauses used"), rows)


def _equations(steps: Iterable[Step], numbers: Mapping[str, int]) -> TextTable:
    """Return the equations applied that have a source, each once."""
    found = {step.equation.name: step.equation for step in steps if step.equation}
    rows = [
        (
            one.name.rpartition(".")[2].replace("_", " "),
            formula_text(one.statement),
            _cited(one.source, numbers),
        )
        for one in found.values()
        if one.source.id in sources()
    ]
    return TextTable("Equations applied", ("Quantity", "Equation", "Source"), rows)


def _inputs(design: Design, system: System, numbers: Mapping[str, int]) -> Iterator[Block]:
    stated = list(_leaves(as_typed(design.project)))
    rows = [
        (path, field.declared.meaning if (field := field_at(path)) else "", value)
        for path, value in stated[:_MAX_INPUTS]
    ]
    more = len(stated) - _MAX_INPUTS
    below = [f"{more:,} further inputs are in the project file."] if more > 0 else []
    yield Paragraph("5 Inputs", "heading")
    yield TableBlock(
        TextTable(
            "5.1 Inputs stated by the project",
            ("Field", "Meaning", "Value"),
            rows,
            below,
            keys=[{"Value": path} for path, *_ in rows],
        ),
        (0.34, 0.4, 0.26),
    )
    ledger = list(design.ledger)
    yield Paragraph("5.2 Assumptions", "heading")
    yield Paragraph(_STATUS.format(counted_assumptions(ledger)))
    yield Break(3)
    for status in sorted({one.status for one in ledger}, reverse=True):
        rows = [
            (
                one.id,
                one.text or show(one.value or 0.0, one.kind, system),
                _cited(one.source, numbers),
            )
            for one in ledger
            if one.status == status
        ]
        keys = [{"Value": row[0]} for row in rows]
        title = f"Default values, {_STATUS_WORDS.get(status, status)}"
        yield TableBlock(
            TextTable(title, ("Id", "Value", "Source"), rows, keys=keys), (0.5, 0.27, 0.23)
        )


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and text of each stated value, identification and own equipment left out."""
    if path in ("project", "equipment", "schema_version"):
        return
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _leaves(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(one, Mapping) for one in value):
        for n, inner in enumerate(value):
            yield from _leaves(inner, f"{path}.{n}")
    elif value is not None:
        yield path, text_of(value)


def _states(design: Design, system: System) -> Iterator[Block]:
    yield Paragraph("7 Selections and outages", "heading")
    if design.choices:
        rows = [
            (row.subject, row.candidate.name.replace("_", " "))
            for row in choice_rows(design.choices)
            if row.chosen
        ]
        below = choice_table(design.choices, system).below
        table = TextTable("Equipment selected by result", ("Subject", "Selected"), rows, below)
        yield TableBlock(table, (0.3, 0.7))
    for table in Failures(design, failures(design), _MAX_STATES).tables(system):
        yield TableBlock(table)


def _findings(checks: Sequence[Check], system: System) -> Iterator[Block]:
    """Yield findings worst first, then unevaluated checks by the input that decides them."""
    yield Paragraph("8 Checks", "heading")
    failed = [one for one in findings(checks) if one.word in tuple(Severity)]
    more = [sum(check.count for check in one.checks) - 1 for one in failed]
    rows = [
        (
            one.word,
            rule_title(one.rule),
            one.text(system) + (f" ({others:,} more)" if others else ""),
            _margin(one.checks[0]),
            citation(one.checks[0].source),
            prose_in(one.checks[0].remedy, system),
        )
        for one, others in zip(failed, more, strict=True)
    ]
    heads = ("Severity", "Rule", "Worst finding", "Margin", "Clause", "Remedy")
    keys = [{"Margin": f"{one.rule}:margin", "Worst finding": one.rule} for one in failed]
    yield TableBlock(
        TextTable("Findings, worst first", heads, rows, keys=keys),
        (0.08, 0.17, 0.31, 0.07, 0.15, 0.22),
    )
    open_rows = [
        (field, str(len(those)), "; ".join(sorted({rule_title(one.rule) for one in those})))
        for field, those in not_evaluated(checks)
    ]
    yield TableBlock(
        TextTable("Not evaluated", ("Input that decides", "Checks", "Rules"), open_rows),
        (0.24, 0.07, 0.69),
    )


def _margin(check: Check) -> str:
    if check.margin is None:
        return ""
    large = check.margin > _LARGE_MARGIN
    return (
        f">{show(_LARGE_MARGIN, 'fraction', digits=0)}" if large else show(check.margin, "fraction")
    )


def _passed(checks: Iterable[Check], system: System, numbers: Mapping[str, int]) -> Iterator[Block]:
    """Yield each rule that only passed, smallest margin first; small margins with their numbers."""
    by_rule: dict[str, list[Check]] = {}
    for check in checks:
        by_rule.setdefault(check.rule, []).append(check)
    found: list[tuple[float, str, Check]] = []
    for rule, those in by_rule.items():
        passed = [one for one in those if one.outcome is Outcome.PASS]
        if passed and not any(one.failed for one in those):
            known = [(one.margin, one) for one in passed if one.margin is not None]
            none = math.inf, passed[0]
            margin, least = min(known, key=lambda one: one[0], default=none)
            found.append((margin, rule, least))
    found.sort(key=lambda one: one[:2])
    near = [one for one in found if one[0] < _SMALL_MARGIN]
    rows = [
        (
            rule_title(rule),
            f"{check.about(1)}: {check.comparison(system)}".replace("<=", "≤").replace(">=", "≥"),
            _margin(check),
            citation(check.source),
        )
        for _, rule, check in near
    ]
    keys = [{"Smallest margin": rule, "Margin": f"{rule}:margin"} for _, rule, _ in near]
    title = f"Passed, margin under {show(_SMALL_MARGIN, 'fraction', digits=0)}"
    heads = ("Rule", "Smallest margin", "Margin", "Clause")
    yield TableBlock(TextTable(title, heads, rows, keys=keys), (0.31, 0.34, 0.07, 0.28))
    far = [
        (rule_title(rule), _margin(check), _cited(check.source, numbers))
        for _, rule, check in found[len(near) :]
    ]
    far_keys = [{"Margin": f"{rule}:margin"} for _, rule, _ in found[len(near) :]]
    yield Break(2)
    below = ("No margin: the rule compares no numbers, or a limit of zero.",)
    table = TextTable(
        "Passed, larger margins", ("Rule", "Margin", "Source"), far, below, keys=far_keys
    )
    yield TableBlock(table, (0.66, 0.13, 0.21), ("start", "end", "start"))
