"""The project document: identification and all sections."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Unpack

from pydantic import (
    BeforeValidator,
    Field,
    ValidationError,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from facility.core.errors import FacilityError, refuse_other
from facility.core.sources import UNSTATED
from facility.core.table import html_table
from facility.model.inputs.change import as_text, put
from facility.model.inputs.cooling.section import CoolingSection
from facility.model.inputs.criteria import (
    MAX_CONFIRMED,
    MAX_OVERRIDES,
    ChecksSection,
    CriteriaSection,
    HouseSection,
    OverrideSection,
)
from facility.model.inputs.declare import Default, optional, required
from facility.model.inputs.it import ItSection
from facility.model.inputs.limits import limit_problems
from facility.model.inputs.money.cost import CostSection
from facility.model.inputs.panels import PanelsSection
from facility.model.inputs.power.section import PowerSection
from facility.model.inputs.problems import problems_of
from facility.model.inputs.ranges import (
    MAX_RANGES,
    Ranged,
    RangeSection,
    TolerancesSection,
    read_ranges,
)
from facility.model.inputs.scalars import Name, Section, TableLine, Text, beyond_limit, problem
from facility.model.inputs.site import SiteSection

if TYPE_CHECKING:
    from facility.model.inputs.changes import ProjectChanges

_MAX_PROBLEMS = 100
MAX_OWN_CHARACTERS = 300_000
"""Maximum size of own tables; a project file is limited to about three times that."""
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


Version = Annotated[
    Literal["1"],
    BeforeValidator(lambda value: "1" if value == 1 else value),
    WithJsonSchema({"enum": [1, "1"]}),
]


class Revision(Section):
    """One line of the revision record; the date is a project input."""

    rev: Name = required("Revision mark")
    date: Name = required("Revision date, as 2026-01-31")
    by: Text = required("Author")
    checked: Text | None = optional("Checker; a person other than the author")
    description: Text | None = optional("Description of the change")

    @field_validator("date")
    @classmethod
    def _is_a_date(cls, value: str) -> str:
        try:
            if _ISO_DATE.fullmatch(value):
                date.fromisoformat(value)
                return value
        except ValueError:
            pass
        raise problem("NOT_A_DATE", f"{value!r} is not a date.", "Enter it as 2026-01-31.")

    @model_validator(mode="after")
    def _checked_by_another(self) -> Revision:
        _refuse_same(self.by, self.checked, "by", "checked")
        return self


class DocumentSection(Section):
    """Identification of the calculation."""

    name: Text | None = optional(
        "Project name", Default("Unnamed project", "no name or title specified", UNSTATED)
    )
    number: Text | None = optional("Project number")
    title: Text | None = optional("Calculation title")
    status: (
        Literal[
            "PRELIMINARY", "FOR REVIEW", "ISSUED FOR PERMIT", "ISSUED FOR CONSTRUCTION", "AS BUILT"
        ]
        | None
    ) = optional("Calculation status", Default("PRELIMINARY", "no status specified", UNSTATED))
    company: Text | None = optional("Company")
    originator: Text | None = optional("Originator of the calculation")
    checker: Text | None = optional(
        "Checker of the calculation; a person other than the originator"
    )
    approver: Text | None = optional("Approver of the issue; a person other than the originator")
    revisions: tuple[Revision, ...] | None = optional("Revision record", max_count=1000)
    started_from: Name | None = optional("Example the project is based on")

    @model_validator(mode="after")
    def _consistent(self) -> DocumentSection:
        _refuse_same(self.originator, self.checker, "originator", "checker")
        _refuse_same(self.originator, self.approver, "originator", "approver")
        listed = [revision.rev for revision in self.revisions or ()]
        if len(set(listed)) != len(listed):
            raise problem(
                "DUPLICATE_REVISION",
                "two revisions have the same mark.",
                "Enter a different mark for each revision.",
                at="revisions",
            )
        return self


def _refuse_same(
    author: str | None, checker: str | None, author_field: str, checker_field: str
) -> None:
    if author and checker and author.casefold() == checker.casefold():
        raise problem(
            "SAME_CHECKER",
            f"{author_field} and {checker_field} are the same person.",
            "Enter a person other than the author.",
            at=checker_field,
        )


class OwnTableSection(Section):
    """Own rows of one catalogue table, as lines of its CSV file."""

    table: Name = required("Catalogue table, e.g. equipment/ups, or sources")
    rows: list[TableLine] = required("Heading and rows, comma-separated", max_count=2000)


class Project(Section):
    """Project inputs of the user; omitted fields are designed."""

    schema_version: Version = required("Format version")
    project: DocumentSection = Field(default_factory=DocumentSection.unstated)
    equipment: list[OwnTableSection] | None = optional(
        "Own equipment in addition to the catalogue; in a file, the name of a folder of CSV files",
        max_count=60,
    )
    site: SiteSection = Field(default_factory=SiteSection.unstated)
    criteria: CriteriaSection = Field(default_factory=CriteriaSection.unstated)
    it: ItSection = Field(default_factory=ItSection.unstated)
    power: PowerSection = Field(default_factory=PowerSection.unstated)
    panels: PanelsSection = Field(default_factory=PanelsSection.unstated)
    cooling: CoolingSection = Field(default_factory=CoolingSection.unstated)
    house: HouseSection = Field(default_factory=HouseSection.unstated)
    cost: CostSection | None = None
    checks: ChecksSection | None = None
    ranges: tuple[RangeSection, ...] | None = optional(
        "Varied inputs for the annual uncertainty study", max_count=MAX_RANGES
    )
    tolerances: TolerancesSection | None = None
    confirmed: tuple[Text, ...] | None = optional(
        "Ids of confirmed assumptions", max_count=MAX_CONFIRMED
    )
    overridden: tuple[OverrideSection, ...] | None = optional(
        "Assumptions replaced by project values, with reason", max_count=MAX_OVERRIDES
    )

    @model_validator(mode="before")
    @classmethod
    def _site_knows_the_folder(cls, data: object) -> object:
        """Create the site section, which stores the folder of the file, even if it is not typed."""
        return {"site": {}, **data} if isinstance(data, Mapping) else data

    @field_validator("equipment", mode="before")
    @classmethod
    def _is_not_a_folder(cls, value: object) -> object:
        """Reject the name of a folder where no file is read."""
        if isinstance(value, str) and value:
            raise problem(
                "EQUIPMENT_FOLDER",
                f"the folder {value[:60]!r} cannot be read from here.",
                "Load the project from its file next to the folder, or supply the tables.",
            )
        return value or None

    @field_validator("equipment")
    @classmethod
    def _tables_differ(cls, value: list[OwnTableSection] | None) -> list[OwnTableSection] | None:
        names = [one.table for one in value or ()]
        twice = next((name for name in names if names.count(name) > 1), "")
        if twice:
            raise problem(
                "DUPLICATE", f"{twice} is listed twice.", "Combine its rows in one table."
            )
        size = sum(len(line) for one in value or () for line in one.rows)
        if size > MAX_OWN_CHARACTERS:
            error = beyond_limit("", f"{size:,} characters of own tables", MAX_OWN_CHARACTERS)
            raise problem(error.code, error.message, error.hint)
        return value

    @field_validator(
        "project", "site", "criteria", "it", "power", "panels", "cooling", "house", mode="before"
    )
    @classmethod
    def _empty_section(cls, value: Any) -> Any:
        return {} if value is None else value

    @model_validator(mode="after")
    def _ranges_can_be_read(self) -> Project:
        try:
            self.spread  # noqa: B018 - reading validates them
        except FacilityError as error:
            raise problem(error.code, error.message, error.hint, at=error.where) from None
        return self

    @property
    def spread(self) -> tuple[Ranged, ...]:
        """Varied inputs with their distributions."""
        return read_ranges(self.ranges or (), type(self))

    @property
    def varies(self) -> bool:
        """Whether an input has a range, or assumptions have tolerances."""
        return bool(self.ranges) or self.tolerances is not None

    def __repr__(self) -> str:
        what = self.it.gpu_model or "stated devices"
        gpus = f"{self.it.gpus} " if self.it.gpus else ""
        return f"<Project {self.project.name or 'without a name'}: {gpus}{what}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """Return name and specified fields as a table, for notebooks."""
        rows = _specified("", as_typed(self))
        return f"<p>{escape(repr(self))}</p>{html_table(('field', 'value'), rows)}"

    def with_(
        self, changes: Mapping[str, object] | None = None, /, **values: Unpack[ProjectChanges]
    ) -> Project:
        """Return the project with fields changed, validated like a file; this project is unchanged.

        Parameters
        ----------
        changes : Mapping[str, object], optional
            Values by path: ``{"it.gpus": 512, "site.tariff": "0.07 USD/kWh"}``. A list entry
            is addressed by its index (``it.halls.0.racks.1.count``), the next one appends.
        **values : ProjectChanges
            The same, with two underscores for each dot: ``it__gpus=512``. Values are text as
            typed, numbers, quantities, mappings and lists of these; None clears the field, to be
            designed.

        Raises
        ------
        FacilityError
            ``SET_SYNTAX``, ``SET_INDEX``, ``INPUT_TYPE``, or what a file with this content
            would raise.

        Examples
        --------
        >>> import facility
        >>> few = {"schema_version": 1, "it": {"gpu_model": "H100 SXM5", "gpus": 64}}
        >>> facility.project(few).with_(it__gpus=128)
        <Project without a name: 128 H100 SXM5>
        """
        if changes is not None and not isinstance(changes, Mapping):
            refuse_other(changes, "Mapping", "changes", 'Enter {"it.gpus": 128}.')
        document = as_typed(self)
        named = {name.replace("__", "."): value for name, value in values.items()}
        for path, value in {**(changes or {}), **named}.items():
            put(document, path, as_text(value, path))
        return read_document(document, self.site.folder)


def read_document(data: Mapping[str, Any], folder: Path | None = None) -> Project:
    """Return the project in `data`.

    data: The document as nested mappings and lists of text.
    folder: Folder of relative file names.

    Raises the first problem found; the message states the number of further problems.
    """
    try:
        project = Project.model_validate(data, context={"folder": folder or Path()})
    except ValidationError as error:
        findings = error.errors(include_url=False)
        first = problems_of(findings, data, Project, limit=1)[0]
        more = len(findings) - 1
    else:
        beyond = list(limit_problems(project))
        if not beyond:
            return project
        first, more = beyond[0], len(beyond) - 1
    if more:
        plural = "s" if more > 1 else ""
        message = f"{first.message} ({more:,} more problem{plural} in the project.)"
        raise FacilityError(first.code, first.where, message, first.hint)
    raise first


def document_problems(data: Mapping[str, Any]) -> list[FacilityError]:
    """Return the problems of the document `data`, none for a valid one, at most a hundred."""
    try:
        return list(limit_problems(Project.model_validate(data)))[:_MAX_PROBLEMS]
    except ValidationError as error:
        return problems_of(error.errors(include_url=False), data, Project, _MAX_PROBLEMS)
    except FacilityError as error:
        return [error]


def as_typed(project: Project) -> dict[str, Any]:
    """Return the project as typed: nested mappings and lists of text, without defaults."""
    found = stated(project.model_dump(mode="json", exclude_unset=True, exclude_none=True))
    return dict(found) if isinstance(found, dict) else {}


def project_sha256(project: Project) -> str:
    """Return the SHA-256 of the project as typed.

    The hash is over canonical JSON, so the order of fields, comments and the file format do not
    change it.
    """
    return document_sha256(as_typed(project))


def document_sha256(document: Mapping[str, object]) -> str:
    """Return the SHA-256 of a document as typed, a project or not."""
    canonical = json.dumps(stated(dict(document)), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def _specified(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield path and text of every value of a document as typed."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _specified(f"{path}.{key}" if path else str(key), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _specified(f"{path}[{index}]", inner)
    else:
        yield path, str(value)


def stated(value: Any) -> Any:
    """Return a document without None values and empty sections."""
    if isinstance(value, dict):
        pairs = ((key, stated(item)) for key, item in value.items())
        return {key: item for key, item in pairs if item is not None and item != {}}
    if isinstance(value, list):
        return [stated(item) for item in value]
    return value
