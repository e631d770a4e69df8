"""A design as the doors show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import Check
from facility.core.ledger import Assumption
from facility.core.views import System
from facility.report.studies.protocol import Study, TextTable
from facility.report.tables.summary import summary_sections
from facility.report.tables.verdict import counts_text
from facility.study.design.design import Design


@dataclass(frozen=True)
class Designed(Study):
    """Every result of a design, by section."""

    design: Design
    verb = "design"

    @property
    def title(self) -> str:
        """Name of the design."""
        return self.design.title

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash."""
        return self.design.project_identity

    @property
    def results(self) -> Mapping[str, object]:
        """Results of the design and of its studies."""
        return self.design.all_results.as_json()

    @property
    def checks(self) -> Sequence[Check]:
        """Every check of every study."""
        return self.design.checks

    @property
    def assumptions(self) -> Iterator[Assumption]:
        """The ledger."""
        return iter(self.design.ledger)

    @property
    def warnings(self) -> Sequence[str]:
        """What must be said of the design."""
        return self.design.warnings

    def opening(self) -> Iterator[str]:
        """Return the notes."""
        return (f"Note: {note}." for note in self.design.notes)

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return the results by section."""
        for section in summary_sections(self.design.all_results, system):
            yield TextTable(section.title, ("Quantity", "Value", "Note"), section.rows)

    def closing(self, system: System) -> Iterator[str]:
        """Return how many checks and assumptions there are, and whose design it is."""
        design = self.design
        open_count = sum(a.status == "open" for a in design.ledger)
        yield f"Checks: {counts_text(design.checks)}."
        yield (
            f"Assumptions not confirmed: {open_count} (facility design --assumptions lists them)."
        )
        yield f"Project {design.sha256[:12]}. Design aid: the engineer of record is responsible."
