"""Common interface of all study presentations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from facility.core.check import Check
from facility.core.ledger import Assumption
from facility.core.table import Results
from facility.core.views import System
from facility.model.inputs.document import Project, project_sha256
from facility.report.sheet.grid import TextTable
from facility.study.resolve.standards import stated_uncovered, uncovered_notices

if TYPE_CHECKING:
    from facility.study.design.design import Design

Object = dict[str, object]
"""JSON object."""


class Study(Protocol):
    """Content that a command prints or writes as JSON; absent parts are empty."""

    @property
    def verb(self) -> str:
        """Verb that names its JSON schema."""
        ...

    @property
    def title(self) -> str:
        """Subject of the study."""
        return ""

    @property
    def project(self) -> Mapping[str, str] | None:
        """Name and hash of its project; None without a project."""
        return None

    @property
    def results(self) -> Mapping[str, object]:
        """Results by dotted key, as in the JSON output."""
        ...

    @property
    def checks(self) -> Sequence[Check]:
        """Its checks."""
        return ()

    @property
    def assumptions(self) -> Iterable[Assumption]:
        """Default values in use."""
        return ()

    @property
    def warnings(self) -> Sequence[str]:
        """Caveats of the numbers."""
        return self.notices

    @property
    def notices(self) -> Sequence[str]:
        """Stated editions and classes that are not covered, printed before the tables."""
        return ()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the top-level lists of its JSON, by name."""
        return {}

    def opening(self) -> Iterable[str]:
        """Return the lines between title and tables."""
        return ()

    def tables(self, system: System) -> Iterable[TextTable]:
        """Return its tables, in the units of `system`."""
        ...

    def closing(self, system: System) -> Iterable[str]:
        """Return the lines at its end."""
        return ()


@dataclass(frozen=True)
class OfDesign(Study):
    """Study of a design, with name, hash, ledger and warnings from the design."""

    design: Design

    @property
    def title(self) -> str:
        """Name of the design."""
        return self.design.title

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash."""
        return self.design.project_identity

    @property
    def assumptions(self) -> Iterable[Assumption]:
        """Ledger of the design."""
        return self.design.ledger

    @property
    def warnings(self) -> Sequence[str]:
        """Warnings of the design, and limits of the study."""
        return [*self.design.warnings, *self.left_out]

    @property
    def notices(self) -> Sequence[str]:
        """Stated editions and classes that are not covered."""
        return notices_of_project(self.design.project)

    @property
    def left_out(self) -> Sequence[str]:
        """Limits of the study model."""
        return ()

    def closing(self, system: System) -> Iterable[str]:
        """Return the limits of the study."""
        return self.left_out


def notices_of_project(project: Project) -> list[str]:
    """Return the notices on stated editions and classes that are not covered."""
    return uncovered_notices(stated_uncovered(project.criteria))


def identity_of(project: Project) -> Mapping[str, str]:
    """Return name and hash of a project as a JSON object."""
    stated = project.project
    name = stated.name or stated.title or "Unnamed project"
    return {"name": name, "sha256": project_sha256(project)}


@dataclass(frozen=True)
class OfProject(Study):
    """Study with many designs of a project."""

    of: Project

    @property
    def subject(self) -> str:
        """Aspect of the project studied."""
        return ""

    @property
    def title(self) -> str:
        """Name of the project, and the aspect studied."""
        return f"{self.project['name']}: {self.subject}"

    @property
    def project(self) -> Mapping[str, str]:
        """Name and hash."""
        return identity_of(self.of)

    @property
    def notices(self) -> Sequence[str]:
        """Stated editions and classes that are not covered."""
        return notices_of_project(self.of)


@dataclass(frozen=True)
class Statement:
    """Output of a command without a study, in study form."""

    verb: str
    results: Mapping[str, object] = field(default_factory=dict)
    objects: Mapping[str, Sequence[Object]] = field(default_factory=dict)
    table: TextTable | None = None
    lines: Sequence[str] = ()  # Below the table, or in place of one
    title: str = ""
    facts: Sequence[str] = ()  # Lines below the title
    project: Mapping[str, str] | None = None
    checks: Sequence[Check] = ()
    assumptions: Sequence[Assumption] = ()
    warnings: Sequence[str] = ()
    notices: Sequence[str] = ()

    def lists(self) -> Mapping[str, Sequence[Object]]:
        """Return the objects."""
        return self.objects

    def opening(self) -> Sequence[str]:
        """Return the lines below the title."""
        return self.facts

    def tables(self, system: System) -> Iterable[TextTable]:
        """Return the table, if any."""
        return () if self.table is None else (self.table,)

    def closing(self, system: System) -> Sequence[str]:
        """Return the lines."""
        return self.lines


class Found(Protocol):
    """Findings of a design study."""

    @property
    def results(self) -> Results:
        """Figures by key."""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Checks."""


@dataclass(frozen=True)
class StudyReport(OfDesign):
    """Presentation of a design study with separate figures and checks."""

    study: Found

    @property
    def results(self) -> Mapping[str, object]:
        """Its figures."""
        return self.study.results.as_json()

    @property
    def checks(self) -> Sequence[Check]:
        """Its checks."""
        return self.design.with_waivers(self.study.checks)
