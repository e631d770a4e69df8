"""Projects and revisions of a store, as tables and as JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime

from facility.cli.output import envelope, print_json, print_lines, print_table
from facility.core.views import show, view_unit, view_value
from facility.files.project.differences import FieldChange
from facility.files.project.yaml_text import yaml_text
from facility.files.store.records import ProjectEntry, ReadingLink, Role, SavedRevision
from facility.model.inputs.change import Typed

_KINDS = {"load.it": "active_power", "load.facility": "active_power"}


def print_entries(entries: Sequence[ProjectEntry], where: str, *, json: bool) -> None:
    """Print the projects of the store at `where`."""
    if json:
        results = {"projects.count": len(entries)}
        print_json(envelope("library", results=results, projects=list(map(_entry, entries))))
        return
    heads = ("id", "name", "title", "IT load", "PUE of the year", "buildable", "saved", "by")
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
    if rows:
        print_table(f"Projects in {where}", heads, rows)
    else:
        print_lines([f"no projects in {where}"])


def print_project(
    entry: ProjectEntry,
    revisions: Sequence[SavedRevision],
    shared: tuple[Mapping[str, Role], Sequence[ReadingLink]],
    *,
    json: bool,
) -> None:
    """Print one project, its revisions and who may see it: `shared` are roles and links."""
    roles, links = shared
    if json:
        people = [{"who": who, "role": role.value} for who, role in roles.items()]
        listed = [_revision(revision) for revision in revisions]
        urls = [{**vars(link), "made_at": link.made_at.isoformat()} for link in links]
        one = [_entry(entry)]
        print_json(envelope("library", projects=one, revisions=listed, roles=people, links=urls))
        return
    archived = "" if entry.archived_at is None else f", archived {_minute(entry.archived_at)}"
    origin = "" if entry.origin is None else ", branched from {} revision {}".format(*entry.origin)
    lines = [
        f"{entry.name or 'Unnamed project'}{': ' if entry.title else ''}{entry.title}",
        f"{entry.id}, made {_minute(entry.created_at)} by {entry.created_by}{origin}{archived}",
        "roles: " + ", ".join(f"{who} ({role.value})" for who, role in roles.items()),
        *(
            f"link {link.id}: {link.label or 'for reading'}, {_minute(link.made_at)} {link.made_by}"
            for link in links
        ),
        "",
    ]
    print_lines(lines)
    heads = ("revision", "saved", "by", "what", "name", "IT load", "PUE of the year", "buildable")
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
    print_table("Revisions", heads, rows)


def print_made(entry: ProjectEntry, *, json: bool) -> None:
    """Print the id of a project that was made."""
    if json:
        print_json(envelope("library", projects=[_entry(entry)]))
    else:
        print_lines([entry.id])


def print_saved(revision: SavedRevision, *, json: bool) -> None:
    """Print the number of a revision that was saved."""
    if json:
        print_json(envelope("library", revisions=[_revision(revision)]))
    else:
        print_lines([str(revision.number)])


def print_link(token: str | None, *, json: bool) -> None:
    """Print the token of a link that was made; None where one was revoked."""
    if json:
        print_json(envelope("library", results={} if token is None else {"link": token}))
    elif token is None:
        sys.stderr.write("revoked\n")
    else:
        print_lines([token])


def print_count(projects: int, done: str, *, json: bool) -> None:
    """Print how many projects a backup holds, and what was done."""
    sys.stderr.write(f"{done}\n")
    if json:
        print_json(envelope("library", results={"projects.count": projects}))
    else:
        print_lines([f"{projects} project{'' if projects == 1 else 's'}"])


def print_changes(changes: Sequence[FieldChange], *, json: bool) -> None:
    """Print the fields that differ between two revisions."""
    if json:
        print_json(envelope("library", changes=[vars(change) for change in changes]))
    elif changes:
        rows = [(c.path, _typed(c.before), _typed(c.after)) for c in changes]
        print_table("Changes", ("field", "before", "after"), rows)
    else:
        print_lines(["the same"])


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
    """Return a value as a project file has it, in one line; empty where it is left open."""
    if value is None or isinstance(value, str):
        return value or ""
    return yaml_text(value, flow=True).strip()
