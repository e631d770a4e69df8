"""Projects and revisions of a store, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

from facility.core.errors import FacilityError
from facility.core.views import show, view_unit, view_value
from facility.files.project.merge import FieldChange
from facility.files.project.safe_yaml import yaml_text
from facility.files.store.check import StoreFindings
from facility.files.store.records import ProjectEntry, ReadingLink, Role, SavedRevision
from facility.model.inputs.change import Typed
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Statement
from facility.report.tables.summary import LABELS

_statement = partial(Statement, "library")
_KINDS = {"load.it": "active_power", "load.facility": "active_power"}


def project_list_statement(entries: Sequence[ProjectEntry], where: str) -> Statement:
    """Return the projects of the store at `where`."""
    heads = ("id", "name", "title", "IT load", LABELS["pue.annual"], "verdict", "saved", "by")
    rows = [
        (
            entry.id,
            entry.name,
            entry.title,
            *(_fact(entry.head, key) for key in ("load.it", "pue.annual", "verdict")),
            _minute(entry.head.saved_at),
            entry.head.who,
        )
        for entry in entries
    ]
    return _statement(
        {"projects.count": len(entries)},
        {"projects": list(map(_entry, entries))},
        table=TextTable(f"Projects in {where}", heads, rows) if rows else None,
        lines=() if rows else (f"no projects in {where}",),
    )


def project_statement(
    entry: ProjectEntry,
    revisions: Sequence[SavedRevision],
    roles: Mapping[str, Role],
    links: Sequence[ReadingLink],
) -> Statement:
    """Return a project with its revisions, roles and links."""
    archived = "" if entry.archived_at is None else f", archived {_minute(entry.archived_at)}"
    origin = "" if entry.origin is None else ", branched from {} revision {}".format(*entry.origin)
    facts = [
        f"{entry.id}, created {_minute(entry.created_at)} by {entry.created_by}{origin}{archived}",
        "roles: " + ", ".join(f"{who} ({role.value})" for who, role in roles.items()),
        *(
            f"link {link.id}: {link.label or 'read-only'}, {_minute(link.made_at)} "
            f"{link.made_by}, {_end(link)}"
            for link in links
        ),
    ]
    heads = (
        "revision",
        "saved",
        "by",
        "change",
        "name",
        "IT load",
        LABELS["pue.annual"],
        "verdict",
    )
    rows = [
        (
            str(revision.number),
            _minute(revision.saved_at),
            revision.who,
            revision.label,
            revision.name or "",
            *(_fact(revision, key) for key in ("load.it", "pue.annual", "verdict")),
        )
        for revision in revisions
    ]
    return _statement(
        objects={
            "projects": [_entry(entry)],
            "revisions": list(map(_revision, revisions)),
            "roles": [{"who": who, "role": role.value} for who, role in roles.items()],
            "links": list(map(_link, links)),
        },
        title=": ".join(filter(None, (entry.name, entry.title))) or "Unnamed project",
        facts=facts,
        table=TextTable("Revisions", heads, rows),
    )


def created_statement(entry: ProjectEntry) -> Statement:
    """Return a new project; the text is its id."""
    return _statement(objects={"projects": [_entry(entry)]}, lines=[entry.id])


def saved_statement(revision: SavedRevision) -> Statement:
    """Return a saved revision; the text is its number."""
    return _statement(objects={"revisions": [_revision(revision)]}, lines=[str(revision.number)])


def link_statement(token: str | None) -> Statement:
    """Return the token of a new link; None if a link was renewed or revoked."""
    results = {} if token is None else {"link": token}
    return _statement(results, lines=() if token is None else (token,))


def count_statement(projects: int) -> Statement:
    """Return the number of projects in a backup."""
    words = f"{projects} project{'' if projects == 1 else 's'}"
    return _statement({"projects.count": projects}, lines=[words])


def changes_statement(changes: Sequence[FieldChange]) -> Statement:
    """Return the fields that differ between two revisions."""
    rows = [(c.path, _typed(c.before), _typed(c.after)) for c in changes]
    return _statement(
        objects={"changes": [vars(change) for change in changes]},
        table=TextTable("Changes", ("field", "before", "after"), rows) if rows else None,
        lines=() if rows else ("no differences",),
    )


def check_statement(found: StoreFindings) -> Statement:
    """Return the number of rows checked in a store, and the problems found."""
    rows = [(one.table, one.project, one.row, one.message) for one in found.problems]
    read = ", ".join(f"{_words(table)} {n:,}" for table, n in found.counts.items())
    return _statement(
        {
            **{f"rows.{_words(table)}": n for table, n in found.counts.items()},
            "problems.count": len(rows),
        },
        table=TextTable("Problems", ("table", "project", "row", "problem"), rows) if rows else None,
        lines=[f"Rows checked in {found.where}: {read}.", f"Problems: {len(rows):,}."],
    )


def damages(found: StoreFindings) -> list[FacilityError]:
    """Return the problems found in a store, as errors."""
    hint = "Restore a backup into a new store."
    return [
        FacilityError(
            "STORE_DAMAGED", " ".join((one.table, one.project, one.row)).strip(), one.message, hint
        )
        for one in found.problems
    ]


def _words(table: str) -> str:
    return table.removeprefix("store_")


def _end(link: ReadingLink) -> str:
    expired = link.expires_at <= datetime.now(UTC)
    return f"{'expired' if expired else 'expires'} {_minute(link.expires_at)}"


def _link(link: ReadingLink) -> dict[str, object]:
    times = {name: getattr(link, name).isoformat() for name in ("made_at", "expires_at")}
    return {**vars(link), **times}


def _minute(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M UTC")


def _fact(revision: SavedRevision, key: str) -> str:
    value = revision.facts.get(key)
    if value is None:
        return ""
    return value if isinstance(value, str) else show(value, _KINDS.get(key, "ratio"), "si")


def _entry(entry: ProjectEntry) -> dict[str, object]:
    origin = None if entry.origin is None else {"id": entry.origin[0], "revision": entry.origin[1]}
    return {
        "id": entry.id,
        "name": entry.name,
        "title": entry.title,
        "created_at": entry.created_at.isoformat(),
        "created_by": entry.created_by,
        "archived_at": None if entry.archived_at is None else entry.archived_at.isoformat(),
        "origin": origin,
        **{f"head.{key}": value for key, value in _revision(entry.head).items()},
    }


def _revision(revision: SavedRevision) -> dict[str, object]:
    return {
        "number": revision.number,
        "saved_at": revision.saved_at.isoformat(),
        "who": revision.who,
        "label": revision.label,
        "name": revision.name,
        "sha256": revision.sha256,
        "bytes": revision.size,
        "facts": {key: _fact_json(key, value) for key, value in revision.facts.items()},
    }


def _fact_json(key: str, value: str | float) -> object:
    kind = _KINDS.get(key)
    if kind is None or isinstance(value, str):
        return value
    return {"value": view_value(value, kind), "unit": view_unit(kind)}


def _typed(value: Typed) -> str:
    """Return a value as YAML in one line; empty if it is not specified."""
    if value is None or isinstance(value, str):
        return value or ""
    return yaml_text(value, flow=True).strip()
