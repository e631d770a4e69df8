"""Presentation of a design."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from facility.core.check import Check, counted
from facility.core.ledger import Assumption
from facility.core.views import System
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, OfDesign
from facility.report.tables.choices import choice_objects, choice_table
from facility.report.tables.summary import summary_tables
from facility.report.tables.verdict import (
    DEFINITIONS,
    counts_text,
    headline,
    not_evaluated,
    verdict_of,
)
from facility.study.fixes.propose import Fix


@dataclass(frozen=True)
class DesignShown(OfDesign):
    """Every result of a design, by section."""

    verb = "design"

    @property
    def results(self) -> Mapping[str, object]:
        """Results of the design and of its studies."""
        return self.design.all_results.as_json()

    @property
    def checks(self) -> Sequence[Check]:
        """Every check of every study."""
        return self.design.checks

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the verdict, unevaluated checks by deciding input, and the choices."""
        lines = verdict_of(self.checks)
        groups = not_evaluated(self.checks)
        return {
            "verdict": [asdict(line) for line in lines],
            "not_evaluated": [
                {"input": name, "checks": len(those), "rules": sorted({c.rule for c in those})}
                for name, those in groups
            ],
            "choices": choice_objects(self.design.choices),
        }

    @property
    def notices(self) -> Sequence[str]:
        """None: the opening has all notes of the design."""
        return ()

    def opening(self) -> Iterator[str]:
        """Return the verdict and the notes."""
        yield f"Verdict: {headline(self.checks)}."
        yield from (f"  {line.text}" for line in verdict_of(self.checks))
        yield f"  {DEFINITIONS}"
        yield from (f"Note: {note}." for note in self.design.notes)

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the results by section, and the choices with their alternatives."""
        yield from summary_tables(self.design.all_results, system)
        if self.design.choices:
            yield choice_table(self.design.choices, system)

    def closing(self, system: System) -> Iterator[str]:
        """Return counts of checks and assumptions, and the responsibility note."""
        design = self.design
        open_count = sum(a.status == "open" for a in design.ledger)
        yield f"Checks: {counts_text(design.checks)}."
        yield (
            f"Assumptions not confirmed: {open_count} (facility design --assumptions lists them)."
        )
        yield f"Project {design.sha256[:12]}. Design aid: the engineer of record is responsible."


@dataclass(frozen=True)
class ChecksShown(DesignShown):
    """The verdict of every study, and, on request, the changes that clear failed checks."""

    verb = "check"
    fixes: Sequence[Fix] | None = None

    @property
    def results(self) -> Mapping[str, object]:
        """Number of checks by outcome."""
        return {f"checks.{word.lower()}": n for word, n in counted(self.checks).items()}

    @property
    def assumptions(self) -> Sequence[Assumption]:
        """None: assumptions are listed with the design."""
        return ()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return verdict and deciding inputs, and the changes where they are requested."""
        fixes = {} if self.fixes is None else {"fixes": [fix.as_json() for fix in self.fixes]}
        verdict = {name: rows for name, rows in super().lists().items() if name != "choices"}
        return {**verdict, **fixes}
