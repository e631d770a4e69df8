"""Scenarios of a project as the doors show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from facility.core.check import counted
from facility.core.table import Results, Value
from facility.core.views import System
from facility.report.book import scenarios as tables
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Object, Study
from facility.report.tables.verdict import buildable
from facility.study.scenarios import Scenarios


@dataclass(frozen=True)
class InScenarios(Study):
    """A project beside itself with inputs changed, all studies of each run."""

    found: Scenarios
    verb = "compare"

    @property
    def title(self) -> str:
        """Name of the project."""
        return self.found.base.title

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash of the project that is changed."""
        return self.found.base.project_identity

    @property
    def results(self) -> Mapping[str, object]:
        """Results of the project, and of the scenarios by their numbers from 1."""
        values: dict[str, Value] = {}
        for figure in self.found.figures:
            for place, si in enumerate((figure.base, *figure.values)):
                if si is not None:
                    key = f"scenario.{place}.{figure.key}" if place else figure.key
                    values[key] = Value(si, figure.kind)
        return Results(values).as_json()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the scenarios: what each changes, and what came of it."""
        return {
            "scenarios": [
                {
                    "id": one.name,
                    "changes": dict(one.changes),
                    "sha256": None if one.design is None else one.design.sha256,
                    "violations": None
                    if one.design is None
                    else counted(one.design.checks)["VIOLATION"],
                    "error": None if one.error is None else one.error.as_dict(),
                }
                for one in self.found.scenarios
            ]
        }

    def tables(self, system: System) -> Iterator[TextTable]:
        """Return inputs, results and verdicts."""
        found = self.found
        yield tables.inputs_table(found).text(tables.input_rows(found), system)
        yield tables.figures_table(found).text(found.figures, system)
        yield tables.verdict_table(found, self.verdicts)

    @property
    def verdicts(self) -> list[str]:
        """The verdict on the project and on each scenario, from all their studies."""
        return [
            buildable(self.found.base.checks),
            *(
                tables.refusal(one) if one.design is None else buildable(one.design.checks)
                for one in self.found.scenarios
            ),
        ]
