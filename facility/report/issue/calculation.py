"""The calculation package: purpose, codes, inputs, assumptions, method, results, checks, goal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from facility.catalogue import sources
from facility.core.check import Check, Outcome, Severity
from facility.core.equation import AnyEquation
from facility.core.ledger import OVERRIDDEN, Assumption
from facility.core.sources import Source
from facility.core.trace import Step
from facility.core.views import System, prose_in, show
from facility.model.inputs.document import as_typed
from facility.model.inputs.entries import text_of
from facility.report.book.record import counted_assumptions
from facility.report.issue.content import Block, Break, Paragraph, SheetContent, TableBlock
from facility.report.sheet.formula_text import formula_text
from facility.report.sheet.grid import TextTable
from facility.report.studies.failures import Failures
from facility.report.tables.choices import choice_rows, choice_table
from facility.report.tables.names import input_name, rule_title
from facility.report.tables.summary import summary_tables
from facility.report.tables.verdict import (
    DEFINITIONS,
    KEY_RESULTS,
    Finding,
    counts_text,
    findings,
    headline,
    not_evaluated,
    verdict_of,
)
from facility.study.design.design import Design
from facility.study.failures.study import failures

SERIES = 100
_MAX_INPUTS, _MAX_STATES, _MAX_EQUATIONS, _MAX_ASSUMPTIONS = 150, 4, 24, 20
_MAX_FAILED, _MAX_NEAR, _MAX_VIOLATIONS = 40, 16, 6
_SMALL_MARGIN, _LISTED_MARGIN, _LARGE_MARGIN = 0.1, 0.15, 10.0
_EQUATION_STEPS = 10
"""Steps upstream of a key figure whose equations are printed."""
_OPEN = "open"
_FAILURES = (Severity.VIOLATION, Severity.WARNING)
_PURPOSE = (
    "Loads, UPS, distribution, fault currents, heat rejection, energy and PUE of the facility, "
    "from the IT equipment to the utility and the ambient air. Acceptance: every check with the "
    "clause named. Coordination and arc-flash studies are by others."
)
_METHOD = (
    "The power chain is calculated from the IT equipment upstream to the utility, cooling from the "
    "heat of the hall to the ambient air; both are iterated until loads and losses agree. "
    "Equipment is sized for the design hour with the stated redundancy, then checked in each "
    "designed state and single outage by power flow. Listed are the equations of the key figures; "
    "the appendix has every step, and the command facility explain ID derives each figure."
)
_STATUS = (
    "{} Confirm an entry by its id under confirmed, or replace it by its input in the project "
    "file. The appendix lists all with basis and source."
)


def calculation_contents(design: Design, system: System) -> Iterator[SheetContent]:
    """Yield the calculation package."""
    equations = key_equations(design.full_trace)
    decisive = decisive_assumptions(design)
    numbers = reference_numbers(
        (
            *(one.checks[0].source for one in _failures(design.checks)),
            *(one.source for one in _near(design.checks)[:_MAX_NEAR]),
            *(one.source for one in equations),
            *(entry.source for entry, _ in decisive),
        )
    )
    blocks = (
        *_basis(design, system),
        Paragraph("3 Method", "heading"),
        Paragraph(_METHOD),
        TableBlock(_equation_table(equations, numbers), (0.35, 0.52, 0.13)),
        *_inputs(design),
        *_assumptions(design, system, numbers, decisive),
        Paragraph("5 Codes, standards and data", "heading"),
        Paragraph(f"Code of the project: {design.facility.criteria.code_edition}."),
        TableBlock(
            TextTable(
                "",
                ("No.", "Document cited", "Edition"),
                [(str(n), name, edition) for name, (n, edition) in numbers.items()],
            ),
            (0.1, 0.62, 0.28),
            dense=True,
        ),
        Paragraph("6 Results", "heading"),
        *(
            TableBlock(table, (0.4, 0.18, 0.42), ("start", "end", "start"), dense=True)
            for table in summary_tables(design.all_results, system)
        ),
        *_selected(design, system),
        Break(1),
        Paragraph("8 Outages", "heading"),
        *map(TableBlock, Failures(design, failures(design), _MAX_STATES).tables(system)),
        *_checks(design.checks, system),
    )
    yield SheetContent("G", SERIES, "Calculation package", blocks, columns=2)


def reference_numbers(cited: Iterable[Source]) -> Mapping[str, tuple[int, str]]:
    """Return number and editions of each document among the sources that are cited."""
    editions: dict[str, dict[str, None]] = {}
    read: dict[str, str] = {}
    for source in cited:
        if (entry := sources().get(source.id)) is not None:
            name = _document(entry.title)
            editions.setdefault(name, {})[source.edition] = None
            read.setdefault(name, entry.edition)
    names = sorted(editions, key=str.casefold)
    stated = {name: "; ".join(filter(None, editions[name])) or read[name] for name in names}
    return {name: (n, stated[name]) for n, name in enumerate(names, 1)}


def _document(title: str) -> str:
    """Return the name of a document in the title of a source, without part and explanation."""
    return title.partition(",")[0].partition(" (")[0]


def citation(source: Source) -> str:
    """Return a source as title, edition and clause, e.g. ``NFPA 70, 2023, 210.20(A)``."""
    entry = sources().get(source.id)
    name = source.id if entry is None else _document(entry.title)
    locator = "" if "[" in source.locator else source.locator
    text = ", ".join(part for part in (name, source.edition, locator) if part)
    return f"{text} [unverified]" if source.verified == "memory" else text


def _cited(source: Source, numbers: Mapping[str, tuple[int, str]]) -> str:
    """Return a source as the number of its document; a rule of the program by its name."""
    entry = sources().get(source.id)
    if entry is not None:
        return f"[{numbers[_document(entry.title)][0]}]"
    return "project" if source.id == "project" else source.id.replace("-", " ")


def key_equations(steps: Iterable[Step]) -> list[AnyEquation]:
    """Return the equations with a source that the key figures follow from, the nearest first."""
    of_id = {step.id: step for step in steps}
    layer, seen = list(KEY_RESULTS), set[str]()
    found: dict[str, AnyEquation] = {}
    for _ in range(_EQUATION_STEPS):
        upstream: list[str] = []
        for id in dict.fromkeys(layer):
            step = of_id.get(id)
            if step is None or id in seen:
                continue
            seen.add(id)
            if step.equation is not None and step.equation.source.id in sources():
                found[step.equation.name] = step.equation
            upstream += [origin for *_, origin in step.inputs if origin]
        layer = upstream
    return list(found.values())[:_MAX_EQUATIONS]


def decisive_assumptions(design: Design) -> list[tuple[Assumption, int]]:
    """Return assumptions that results derive from, and the number of those results.

    Overridden ones come first, then by number of results, unconfirmed before confirmed.
    """
    of_id = {step.id: step for step in design.full_trace}
    counts: Counter[str] = Counter()
    for result in design.all_results:
        seen, left = set[str](), [result]
        while left:
            id = left.pop()
            if id not in seen and id in of_id:
                seen.add(id)
                left += [origin for *_, origin in of_id[id].inputs if origin]
        counts.update(seen)
    found = [
        (one, counts[one.id]) for one in design.ledger if counts[one.id] or one.status == OVERRIDDEN
    ]
    found.sort(key=lambda one: (one[0].status != OVERRIDDEN, -one[1], one[0].status != _OPEN))
    return found[:_MAX_ASSUMPTIONS]


def _basis(design: Design, system: System) -> Iterator[Block]:
    checks = design.checks
    verdict = headline(checks)
    lines = [
        (line.title, "required" if line.required else "not stated", line.outcome, line.because)
        for line in verdict_of(checks)
    ]
    yield Paragraph("1 Purpose", "heading")
    yield Paragraph(_PURPOSE)
    yield Paragraph("2 Conclusion", "heading")
    yield Paragraph(f"{verdict[:1].upper()}{verdict[1:]}. Checks: {counts_text(checks)}.")
    failed = [one for one in findings(checks) if one.word == Severity.VIOLATION]
    for one in failed[:_MAX_VIOLATIONS]:
        yield Paragraph(f"{rule_title(one.rule)}. {one.text(system)}", "warning")
    if len(failed) > _MAX_VIOLATIONS:
        yield Paragraph(f"{len(failed) - _MAX_VIOLATIONS} more violations: section 9.", "warning")
    yield TableBlock(
        TextTable("", ("Property", "Goal", "Outcome", "Decided by"), lines, (DEFINITIONS,)),
        (0.28, 0.13, 0.14, 0.45),
    )


def _equation_table(
    equations: Iterable[AnyEquation], numbers: Mapping[str, tuple[int, str]]
) -> TextTable:
    rows = [
        (
            one.name.rpartition(".")[2].replace("_", " "),
            formula_text(one.statement),
            _cited(one.source, numbers),
        )
        for one in equations
    ]
    return TextTable("Equations of the key figures", ("Quantity", "Equation", "Source"), rows)


def _inputs(design: Design) -> Iterator[Block]:
    stated = list(_leaves(as_typed(design.project)))
    rows = [(input_name(path), path, value) for path, value in stated[:_MAX_INPUTS]]
    more = len(stated) - _MAX_INPUTS
    below = [f"{more:,} further inputs are in the project file."] if more > 0 else []
    below.append(f"Source: the project file, SHA-256 {design.sha256[:12]}.")
    yield Paragraph("4 Inputs", "heading")
    yield TableBlock(
        TextTable(
            "4.1 Inputs stated by the project",
            ("Input", "Field", "Value"),
            rows,
            below,
            keys=[{"Value": path} for _, path, _ in rows],
        ),
        (0.4, 0.34, 0.26),
    )


def _assumptions(
    design: Design,
    system: System,
    numbers: Mapping[str, tuple[int, str]],
    decisive: Sequence[tuple[Assumption, int]],
) -> Iterator[Block]:
    """Yield the assumptions that decide results, and the number of all by section."""
    ledger = list(design.ledger)
    yield Paragraph("4.2 Assumptions", "heading")
    yield Paragraph(_STATUS.format(counted_assumptions(ledger)))
    listed = [
        (
            input_name(one.id),
            one.text or show(one.value or 0.0, one.kind, system),
            {_OPEN: "no"}.get(one.status, one.status),
            str(count),
            _cited(one.source, numbers),
        )
        for one, count in decisive
    ]
    title = "Assumptions that most results derive from"
    heads = ("Assumption", "Value", "Confirmed", "Results", "Source")
    keys = [{"Value": one.id} for one, _ in decisive]
    widths = (0.36, 0.18, 0.14, 0.11, 0.21)
    yield TableBlock(TextTable(title, heads, listed, keys=keys), widths)
    groups: dict[str, Counter[str]] = {}
    for entry in ledger:
        groups.setdefault(entry.id.partition(".")[0], Counter())[entry.status] += 1
    counted = [
        (name, str(status.total()), str(status[_OPEN]), str(status.total() - status[_OPEN]))
        for name, status in groups.items()
    ]
    columns = ("Section", "Assumptions", "Not confirmed", "Confirmed or overridden")
    yield TableBlock(TextTable("All assumptions by section", columns, counted))


def _leaves(value: object, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield path and text of each stated value, without identification and own equipment."""
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


def _selected(design: Design, system: System) -> Iterator[Block]:
    yield Paragraph("7 Equipment selected by result", "heading")
    rows = [
        (row.subject, row.candidate.name.replace("_", " "))
        for row in choice_rows(design.choices)
        if row.chosen
    ]
    below = choice_table(design.choices, system).below if rows else ()
    yield TableBlock(TextTable("", ("Subject", "Selected"), rows, below), (0.3, 0.7))


def _checks(checks: Sequence[Check], system: System) -> Iterator[Block]:
    """Yield failed checks worst first, small margins, and the rest counted by rule or input.

    Failed checks are listed one by one where they are few, else the worst of each rule.
    """
    passed = [one for one in checks if one.outcome is Outcome.PASS]
    yield Paragraph("9 Checks", "heading")
    yield _failed(_failures(checks), system)
    yield _small_margins(_near(checks), system)
    yield Break(2)
    open_rows = [
        (
            _input_words(field),
            str(len(those)),
            "; ".join(sorted({rule_title(one.rule) for one in those})),
        )
        for field, those in not_evaluated(checks)
    ]
    yield TableBlock(
        TextTable("Not evaluated", ("Input that decides", "Checks", "Rules"), open_rows),
        (0.42, 0.1, 0.48),
        dense=True,
    )
    advice = [
        (rule_title(one.rule), f"{sum(check.count for check in one.checks):,}")
        for one in findings(checks)
        if one.word == Severity.ADVICE
    ]
    table = TextTable("Advice, by rule", ("Rule", "Checks"), advice)
    yield TableBlock(table, (0.85, 0.15), dense=True)
    yield from _passed(passed)


def _input_words(name: str) -> str:
    """Return the name of an input that decides: of a field its meaning, without exceptions."""
    if re.fullmatch(r"[a-z_]+(\.[a-z0-9_\[\]]+)+", name) is None:
        return name
    words = input_name(name.replace("[]", ".0"))
    short = words.partition(",")[0]
    return short if len(short.split()) > 2 else words


def _failed(by_rule: Sequence[Finding], system: System) -> TableBlock:
    apart = [Finding(one.word, one.rule, (check,)) for one in by_rule for check in one.checks]
    failed = apart if len(apart) <= _MAX_FAILED else by_rule
    others = [sum(check.count for check in one.checks) - 1 for one in failed]
    rows = [
        (
            one.word,
            rule_title(one.rule),
            one.text(system) + (f" ({more:,} more)" if more else ""),
            _margin(one.checks[0].margin),
            citation(one.checks[0].source),
            prose_in(one.checks[0].remedy, system),
        )
        for one, more in zip(failed, others, strict=True)
    ]
    heads = ("Severity", "Rule", "Finding", "Margin", "Clause", "Remedy")
    keys = [{"Margin": f"{one.rule}:margin", "Finding": one.rule} for one in failed]
    table = TextTable("Failed, worst first", heads, rows, keys=keys)
    return TableBlock(table, (0.08, 0.17, 0.31, 0.07, 0.15, 0.22))


def _margin(margin: float | None) -> str:
    if margin is None:
        return ""
    large = margin > _LARGE_MARGIN
    return f">{show(_LARGE_MARGIN, 'fraction', digits=0)}" if large else show(margin, "fraction")


def _failures(checks: Iterable[Check]) -> list[Finding]:
    return [one for one in findings(checks) if one.word in _FAILURES]


def _near(checks: Iterable[Check]) -> list[Check]:
    """Return the passed checks of small margin, the smallest first."""
    passed = (one for one in checks if one.outcome is Outcome.PASS)
    known = [(one.margin, n, one) for n, one in enumerate(passed) if one.margin is not None]
    return [one for margin, _, one in sorted(known) if margin < _SMALL_MARGIN]


def _small_margins(near: Sequence[Check], system: System) -> TableBlock:
    limit = show(_SMALL_MARGIN, "fraction", digits=0)
    rows = [
        (
            rule_title(one.rule),
            f"{one.about(1)}: {one.comparison(system)}".replace("<=", "≤").replace(">=", "≥"),
            _margin(one.margin),
            citation(one.source),
        )
        for one in near[:_MAX_NEAR]
    ]
    more = len(near) - _MAX_NEAR
    below = (f"{more:,} more with margins under {limit}: appendix.",) if more > 0 else ()
    keys = [
        {"Comparison": f"{one.rule}:{one.subject}", "Margin": f"{one.rule}:{one.subject}:margin"}
        for one in near[:_MAX_NEAR]
    ]
    heads = ("Rule", "Comparison", "Margin", "Clause")
    return TableBlock(
        TextTable(f"Passed, margin under {limit}", heads, rows, below, keys),
        (0.31, 0.34, 0.07, 0.28),
    )


def _passed(passed: Iterable[Check]) -> Iterator[Block]:
    """Yield the passed checks counted by rule, smallest margin first; large margins as words."""
    by_rule: dict[str, list[Check]] = {}
    for check in passed:
        by_rule.setdefault(check.rule, []).append(check)
    known: list[tuple[float, str, int]] = []
    others: list[str] = []
    for rule, those in by_rule.items():
        count = sum(one.count for one in those)
        margins = [one.margin for one in those if one.margin is not None]
        if margins:
            known.append((min(margins), rule, count))
        else:
            others.append(f"{rule_title(rule)} ({count:,})")
    known.sort()
    listed = [one for one in known if one[0] < _LISTED_MARGIN]
    ample = [f"{rule_title(rule)} ({count:,})" for _, rule, count in known[len(listed) :]]
    rows = [(rule_title(rule), f"{count:,}", _margin(margin)) for margin, rule, count in listed]
    keys = [{"Smallest margin": f"{rule}:margin"} for _, rule, _ in listed]
    limit = show(_LISTED_MARGIN, "fraction", digits=0)
    words = ((f"Margins of {limit} and more", ample), ("Comparing no numbers", sorted(others)))
    below = [f"{name}: {'; '.join(rules)}." for name, rules in words if rules]
    heads = ("Rule", "Checks", "Smallest margin")
    table = TextTable("Passed, by rule", heads, rows, below, keys=keys)
    yield TableBlock(table, (0.71, 0.11, 0.18), ("start", "end", "end"), dense=True)
