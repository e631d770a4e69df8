"""Comparison of two projects: inputs, results and checks that differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.table import Results
from facility.core.views import System
from facility.files.project.merge import FieldChange, differences, shown
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, Study, notices_of_project
from facility.report.tables.verdict import headline, key_figures
from facility.study.design.design import Design

_ABSENT = "none"
_SEVERE = ("VIOLATION", "WARNING", "ADVICE")


@dataclass(frozen=True)
class CheckChange:
    """Check with different outcomes in two designs; empty if one lacks it."""

    rule: str
    subject: str
    before: str  # Severity of what fails, else the outcome
    after: str


def check_changes(before: Design, after: Design) -> tuple[CheckChange, ...]:
    """Return the changed checks by rule and subject, failures in `after` first."""
    was, now = ({(c.rule, c.subject): c.word for c in one.checks} for one in (before, after))
    found = [
        CheckChange(*key, was.get(key, ""), now.get(key, ""))
        for key in {**was, **now}
        if was.get(key) != now.get(key)
    ]
    return tuple(sorted(found, key=lambda one: (one.after not in _SEVERE, one.rule)))


@dataclass(frozen=True)
class ProjectDifference(Study):
    """Differences of two projects and their designs: inputs, results, checks."""

    before: Design
    after: Design
    names: tuple[str, str]
    verb = "diff"

    @property
    def title(self) -> str:
        """Names of the two projects."""
        return f"{self.names[0]} against {self.names[1]}"

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash of the second one."""
        return self.after.project_identity

    @property
    def notices(self) -> Sequence[str]:
        """Stated editions and classes that are not covered, of both projects."""
        found = (notices_of_project(one.project) for one in (self.before, self.after))
        return list(dict.fromkeys(notice for those in found for notice in those))

    @property
    def inputs(self) -> tuple[FieldChange, ...]:
        """Input fields that differ."""
        return differences(self.before.project, self.after.project)

    @property
    def results(self) -> Mapping[str, object]:
        """Number of differences."""
        was, now = (_all(one).as_json() for one in (self.before, self.after))
        return {
            "diff.inputs": len(self.inputs),
            "diff.results": sum(was.get(key) != now.get(key) for key in {**was, **now}),
            "diff.checks": len(check_changes(self.before, self.after)),
        }

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the differences, with the values before and after."""
        was, now = (_all(one).as_json() for one in (self.before, self.after))
        return {
            "inputs": [
                {"path": one.path, "before": one.before, "after": one.after} for one in self.inputs
            ],
            "differences": [
                {"key": key, "before": was.get(key), "after": now.get(key)}
                for key in {**was, **now}
                if was.get(key) != now.get(key)
            ],
            "judged": [
                {"rule": c.rule, "subject": c.subject, "before": c.before, "after": c.after}
                for c in check_changes(self.before, self.after)
            ],
        }

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return inputs, key figures, results and checks."""
        yield input_table(self.inputs, self.names)
        yield figure_table(self.before, self.after, self.names, system)
        yield result_table(self.before, self.after, self.names, system)
        rows = [
            (one.rule, one.subject, one.before or _ABSENT, one.after or _ABSENT)
            for one in check_changes(self.before, self.after)
        ]
        yield TextTable(f"Checks that differ ({len(rows)})", ("rule", "of", *self.names), rows)

    def closing(self, system: System) -> Iterator[str]:
        """Return both verdicts."""
        for name, design in zip(self.names, (self.before, self.after), strict=True):
            yield f"{name}: {headline(design.checks)}"


def input_table(found: tuple[FieldChange, ...], names: tuple[str, str]) -> TextTable:
    """Return the inputs that differ."""
    rows = [(one.path, shown(one.before), shown(one.after)) for one in found]
    return TextTable("Inputs", ("input", *names), rows)


def figure_table(
    before: Design, after: Design, names: tuple[str, str], system: System
) -> TextTable:
    """Return the key figures, including equal ones."""
    was, now = (dict(key_figures(_all(one), system)) for one in (before, after))
    rows = [
        (
            label,
            was.get(label, _ABSENT),
            now.get(label, _ABSENT),
            "" if was.get(label) == now.get(label) else "changed",
        )
        for label in {**was, **now}
    ]
    return TextTable("Key figures", ("figure", *names, ""), rows)


def result_table(
    before: Design, after: Design, names: tuple[str, str], system: System
) -> TextTable:
    """Return every result whose displayed value differs."""
    was, now = (
        {key: value.shown(system) for key, value in _all(one).items()} for one in (before, after)
    )
    rows = [
        (key, was.get(key, _ABSENT), now.get(key, _ABSENT))
        for key in {**was, **now}
        if was.get(key) != now.get(key)
    ]
    return TextTable(f"Results that differ ({len(rows)})", ("result", *names), rows)


def _all(design: Design) -> Results:
    year = {} if design.year is None else design.year.results
    return design.results | year
