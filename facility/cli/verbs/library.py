"""The verb library: projects stored in a database."""

from __future__ import annotations

import getpass
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import EXIT_FILE, verb
from facility.cli.options import AsJson, Force, stdin_bytes, stdin_file
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.files.project.merge import Side
    from facility.files.store.opening import Store
    from facility.report.studies.protocol import Statement

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store", metavar="STORE", help="Path or URL; default: FACILITY_STORE, or the user's file."
    ),
]
Project = Annotated[
    str, typer.Argument(metavar="ID", help="Id of the project; see facility library list.")
]


class RoleName(StrEnum):
    """Role of a user in a project."""

    owner = "owner"
    editor = "editor"
    reader = "reader"
    none = "none"


def opened(store: str | None, *, create: bool = True) -> Store:
    """Return the store of the option, or the default one; `create` it if it does not exist."""
    from facility.files.store.opening import open_store, usual_store

    return open_store(store or usual_store(), create=create)


def user() -> str:
    """Return the login name of the user."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "command line"


def _show(statement: Statement, json: bool) -> None:
    from facility.cli.views.study import show_study

    show_study(statement, "si", json=json, checks=False)


@verb("library list")
def list_(
    search: Annotated[
        str, typer.Argument(metavar="WORDS", help="Words in name, title, number or company.")
    ] = "",
    archived: Annotated[bool, typer.Option("--archived", help="List archived projects.")] = False,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """List the projects, last edited first."""
    from facility.cli.views import library as view

    with opened(store) as found:
        entries = found.library(user(), unrestricted=True).entries(search, archived=archived)
    _show(view.project_list_statement(entries, found.where), json)


@verb("library show")
def show(project: Project, store: StoreOption = None, json: AsJson = False) -> None:
    """List revisions, roles and links of a project."""
    from facility.cli.views import library as view

    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        entry, revisions = library.entry(project), library.revisions(project)
        roles, links = library.sharing.roles(project), library.links.all(project)
    _show(view.project_statement(entry, revisions, roles, links), json)


@verb("library import")
def import_(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Project file to store; - for standard input.")
    ],
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Store a project file as a new project; print its id."""
    from facility.cli.views import library as view

    text, files = _read(file)
    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        _refuse_missing(text, set(files))
        created = library.create(text, f"imported from {file.name}"[:200])
        for name, content in files.items():
            library.files.save(created.id, name, content)
    _show(view.created_statement(created), json)


@verb("library export")
def export(
    project: Project,
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="Project file to write; - for standard output.")
    ],
    revision: Annotated[
        int | None,
        typer.Option("--revision", metavar="N", help="Number of a revision; default: the latest."),
    ] = None,
    store: StoreOption = None,
    force: Force = False,
) -> None:
    """Write a revision of a project, with its referenced files.

    Panels that version 0.5 stored with the project are written as files, too.
    """
    from facility.cli.output import is_stream, message, write_file
    from facility.files.io.atomic import write_bytes
    from facility.files.panel_csv.document import panel_files
    from facility.files.project.companions import named
    from facility.files.project.file import parse_project

    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        text = library.text(project, revision)
        names = {*named(parse_project(text)).values()}
        files = {name: library.files.content(project, name) for name in names}
        panels = panel_files(one.text for one in library.panels.all(project) if one.text)
        _warn_unrecorded(found)
    if is_stream(out):
        write_file(out, text.encode(), force=force)
        if panels or files:
            message(f"not written: {', '.join((*panels, *files))}")
        return
    for name, content in {out.name: text.encode(), **panels}.items():
        write_bytes(out.parent / name, content, force=force)
    for name, content in files.items():
        write_bytes(out.parent / name, content, force=True)  # The name is a hash of the content.
    for one in (out, *map(out.parent.joinpath, (*panels, *files))):
        message(f"wrote {one}")


def _warn_unrecorded(store: Store) -> None:
    if store.record.unrecorded:
        sys.stderr.write("warning: access not recorded, because the store is read-only\n")


def _read(file: Path) -> tuple[str, dict[str, bytes]]:
    """Return a project text that names its files by their content, and these files."""
    from facility.cli.output import is_stream
    from facility.files.io.read_text import check_size, read_bytes, text_of
    from facility.files.project.companions import companion_files, with_files
    from facility.files.project.own_tables import inlined_from

    content = stdin_bytes() if is_stream(file) else read_bytes(file)
    check_size(content, str(file))
    text = text_of(content, str(file))
    folder = Path.cwd() if is_stream(file) else file.parent
    text = inlined_from(text, str(file), folder)
    return with_files(text, str(file), companion_files(text, file))


def _refuse_missing(text: str, known: set[str]) -> None:
    from facility.files.project.companions import named, not_given
    from facility.files.project.file import parse_project

    for path, name in named(parse_project(text)).items():
        if name not in known:
            raise not_given(path, name)


@verb("library save")
def save(
    project: Project,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Changed project file; - for standard input.")
    ],
    based_on: Annotated[
        int, typer.Option("--based-on", metavar="N", help="Number of the revision edited.")
    ],
    label: Annotated[
        str, typer.Option("--label", metavar="TEXT", help="Description of the change.")
    ] = "",
    merge: Annotated[
        bool, typer.Option("--merge", help="Merge with a later revision by field.")
    ] = False,
    mine: Annotated[
        list[str] | None,
        typer.Option("--mine", metavar="PATH", help="On a conflict, use the value in FILE."),
    ] = None,
    theirs: Annotated[
        list[str] | None,
        typer.Option("--theirs", metavar="PATH", help="On a conflict, use the saved value."),
    ] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Save a project file as a new revision."""
    from facility.cli.views import library as view
    from facility.files.store.library import StoreConflict, save_merged

    text, files = _read(file)
    sides: dict[str, Side] = dict.fromkeys(mine or (), "mine")
    sides |= dict.fromkeys(theirs or (), "theirs")
    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        for name, content in files.items():
            library.files.save(project, name, content)
        _refuse_missing(text, {*library.files.names(project)})
        try:
            saved = library.save(project, text, based_on=based_on, label=label)
        except StoreConflict as conflict:
            if not merge:
                raise
            saved = save_merged(library, conflict, text, sides)
    _show(view.saved_statement(saved), json)


@verb("library changes")
def changes(
    project: Project,
    before: Annotated[int, typer.Argument(metavar="BEFORE", help="Number of a revision.")],
    after: Annotated[
        int | None,
        typer.Argument(metavar="AFTER", help="Number of a later revision; default: the latest."),
    ] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """List the fields that differ between two revisions."""
    from facility.cli.views import library as view
    from facility.files.project.file import parse_project
    from facility.files.project.merge import differences

    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        one, other = (parse_project(library.text(project, n)) for n in (before, after))
        _warn_unrecorded(found)
    _show(view.changes_statement(differences(one, other)), json)


@verb("library share")
def share(
    project: Project,
    who: Annotated[
        str, typer.Argument(metavar="WHO", help="E-mail address with which the user signs in.")
    ],
    role: Annotated[RoleName, typer.Argument(help="Role; none removes it.")],
    store: StoreOption = None,
) -> None:
    """Assign a user a role in a project."""
    from facility.cli.output import message
    from facility.files.store.records import Role

    given = None if role is RoleName.none else Role(role.value)
    with opened(store) as found:
        found.library(user(), unrestricted=True).sharing.give(project, who, given)
    message(f"{who}: {role.value}")


@verb("library link")
def link(
    project: Project,
    label: Annotated[
        str, typer.Option("--label", metavar="TEXT", help="Recipient or purpose of the link.")
    ] = "",
    days: Annotated[
        int | None,
        typer.Option("--days", metavar="N", help="Days until expiry, 1 to 366; default: 30."),
    ] = None,
    renew: Annotated[
        str | None,
        typer.Option("--renew", metavar="LINK", help="Renew a link: expire --days from now."),
    ] = None,
    revoke: Annotated[
        str | None,
        typer.Option("--revoke", metavar="LINK", help="Revoke a link; see facility library show."),
    ] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Create a read-only link to a project; print its token.

    --renew changes when a link expires, --revoke ends it.
    """
    from facility.cli.output import message
    from facility.cli.views import library as view
    from facility.files.store.sharing import DAYS

    given = DAYS if days is None else days
    token = None
    with opened(store) as found:
        links = found.library(user(), unrestricted=True).links
        if revoke is not None:
            links.revoke(project, revoke)
        elif renew is not None:
            links.renew(project, renew, given)
        else:
            token = links.make(project, label, given)
    if token is None and not json:
        message("renewed" if revoke is None else "revoked")
    _show(view.link_statement(token), json)


@verb("library check")
def check(store: StoreOption = None, json: AsJson = False) -> None:
    """Check the store for damaged or edited records.

    The whole store is read; the exit code is 6 if a record is damaged.
    """
    from facility.cli.output import print_json, refusal
    from facility.cli.views import library as view

    with opened(store, create=False) as opened_store:
        found = opened_store.check()
    statement = view.check_statement(found)
    if not (json and found.problems):
        _show(statement, json)
    else:
        print_json(refusal("library", view.damages(found)) | {"results": statement.results})
        sys.exit(EXIT_FILE)
    if found.problems:
        raise FacilityError(
            "STORE_DAMAGED",
            found.where,
            f"problems: {len(found.problems):,}; see the table.",
            "Restore a backup into a new store.",
        )


@verb("library backup")
def backup(
    out: Annotated[
        Path, typer.Argument(metavar="FILE", help="File to write: .jsonl, or .sqlite for a copy.")
    ],
    store: StoreOption = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write the whole store to a file while it is in use."""
    from facility.cli.output import is_stream, message, output_file
    from facility.cli.views import library as view

    with opened(store) as found, output_file(out, ".jsonl") as target:
        count = found.backup(target, force=force, who=user())
    if not is_stream(out):
        message(f"wrote {out}")
    _show(view.count_statement(count), json)


@verb("library restore-backup")
def restore_backup(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Backup (.jsonl); - for standard input.")
    ],
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Create a new store from a backup."""
    from facility.cli.output import message
    from facility.cli.views import library as view
    from facility.files.store.opening import restore_store, usual_store

    where = store or usual_store()
    count = restore_store(where, stdin_file(file, ".jsonl"), user())
    message(f"restored {file}")
    with opened(store) as found:
        sealed = found.record.verified("").sealed
    if sealed:
        sys.stderr.write(
            f"warning: the access record of the backup ({sealed:,} entries) does not verify with "
            "this key, or is damaged; it is retained unchanged and a new record begins after it\n"
        )
    _show(view.count_statement(count), json)


@verb("library record")
def record(
    project: Annotated[
        str, typer.Argument(metavar="ID", help="Id of a project; default: the whole record.")
    ] = "",
    last: Annotated[
        int, typer.Option("--last", min=1, metavar="N", help="Number of newest entries to list.")
    ] = 100,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="Write all entries with their hashes (.jsonl)."
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Verify and list an exported file instead."),
    ] = None,
    begin_again: Annotated[
        bool, typer.Option("--begin-again", help="Seal a damaged record; continue with this key.")
    ] = False,
    store: StoreOption = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Verify and list access to projects: opened, saved, shared."""
    from facility.cli.output import is_stream, message, output_file
    from facility.cli.views.record import record_statement
    from facility.files.store.record.archive import read_archive, write_archive

    if file is not None:
        found = read_archive(file)
        entries = [one for one in found.entries if project in ("", one.project)]
        _show(record_statement(entries[-last:], found.count, found.sealed), json)
        return
    with opened(store, create=False) as opened_store:
        if begin_again:
            opened_store.record.begin_again(user())
        if out is not None:
            with output_file(out, ".jsonl") as target:
                write_archive(opened_store.record, target, force=force)
            if not is_stream(out):
                message(f"wrote {out}")
        found = opened_store.record.verified(project or None)
    _show(record_statement(found.entries[-last:], found.count, found.sealed), json)
