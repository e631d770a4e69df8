"""The verb of the projects that are kept in a database: library."""

from __future__ import annotations

import getpass
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facility.cli.guard import EXIT_FILE, verb
from facility.cli.options import AsJson, Force
from facility.core.errors import FacilityError

if TYPE_CHECKING:
    from facility.files.project.merge import Side
    from facility.files.store.opening import Store
    from facility.report.studies.protocol import Statement

StoreOption = Annotated[
    str | None,
    typer.Option("--store", help="Path or URL; else FACILITY_STORE, or the user's own file."),
]
Project = Annotated[str, typer.Argument(help="Id of the project, see facility library list.")]


class RoleName(StrEnum):
    """What somebody may do with a project."""

    owner = "owner"
    editor = "editor"
    reader = "reader"
    none = "none"


def opened(store: str | None, *, create: bool = True) -> Store:
    """Return the store that the option names, or the usual one; `create` it where it is missing."""
    from facility.files.store.opening import open_store, usual_store

    return open_store(store or usual_store(), create=create)


def user() -> str:
    """Return who sits at this command line, as the system says."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "command line"


def _show(told: Statement, json: bool) -> None:
    from facility.cli.views.study import show_study

    show_study(told, "si", json=json, checks=False)


@verb("library list")
def list_(
    search: Annotated[str, typer.Argument(help="Words in name, title, number or company.")] = "",
    archived: Annotated[bool, typer.Option("--archived", help="Those in the archive.")] = False,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """List the projects, the one edited last first."""
    from facility.cli.views import library as view

    with opened(store) as found:
        entries = found.library(user(), unrestricted=True).entries(search, archived=archived)
    _show(view.entries_told(entries, found.where), json)


@verb("library show")
def show(project: Project, store: StoreOption = None, json: AsJson = False) -> None:
    """Show a project with its revisions and who may see it."""
    from facility.cli.views import library as view

    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        entry, revisions = library.entry(project), library.revisions(project)
        roles, links = library.sharing.roles(project), library.links.all(project)
    _show(view.project_told(entry, revisions, roles, links), json)


@verb("library import")
def import_(
    file: Annotated[Path, typer.Argument(help="Project file to keep, YAML or JSON.")],
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Keep a project file, with the files it names, as a new project; print its id."""
    from facility.cli.views import library as view

    text, files = _read(file)
    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        _refuse_missing(text, set(files))
        made = library.create(text, f"imported from {file.name}"[:200])
        for name, content in files.items():
            library.files.save(made.id, name, content)
    _show(view.made_told(made), json)


@verb("library export")
def export(
    project: Project,
    out: Annotated[Path, typer.Argument(help="Project file to write.")],
    revision: Annotated[
        int | None, typer.Option("--revision", help="Number of a revision; else the last.")
    ] = None,
    store: StoreOption = None,
    force: Force = False,
) -> None:
    """Write a revision of a project as it was saved, with the files it names.

    Panels that version 0.5 kept beside the project are written beside it.
    """
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
    for name, content in {out.name: text.encode(), **panels}.items():
        write_bytes(out.parent / name, content, force=force)
    for name, content in files.items():
        write_bytes(out.parent / name, content, force=True)  # the name is of this content alone
    written = (out, *map(out.parent.joinpath, (*panels, *files)))
    sys.stderr.write("".join(f"wrote {one}\n" for one in written))


def _warn_unrecorded(store: Store) -> None:
    if store.record.unrecorded:
        sys.stderr.write("not recorded: the store is read-only, and its record with it\n")


def _read(file: Path) -> tuple[str, dict[str, bytes]]:
    """Return a project file that names its files by their content, and those beside it."""
    from facility.files.io.read_text import read_bytes, text_of
    from facility.files.project.companions import companion_files, with_files

    text = text_of(read_bytes(file), str(file))
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
    file: Annotated[Path, typer.Argument(help="Project file as changed.")],
    based_on: Annotated[
        int, typer.Option("--based-on", help="Number of the revision that was changed.")
    ],
    label: Annotated[str, typer.Option("--label", help="What changed, in words.")] = "",
    merge: Annotated[
        bool, typer.Option("--merge", help="Where somebody saved since: merge by field.")
    ] = False,
    mine: Annotated[
        list[str] | None, typer.Option("--mine", help="Field that both changed: as in the file.")
    ] = None,
    theirs: Annotated[
        list[str] | None, typer.Option("--theirs", help="Field that both changed: as saved since.")
    ] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Save a changed project file as a new revision of its project."""
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
    _show(view.saved_told(saved), json)


@verb("library changes")
def changes(
    project: Project,
    before: Annotated[int, typer.Argument(help="Number of a revision.")],
    after: Annotated[int | None, typer.Argument(help="Number of another; else the last.")] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """List the fields that one revision gives otherwise than another."""
    from facility.cli.views import library as view
    from facility.files.project.file import parse_project
    from facility.files.project.merge import differences

    with opened(store) as found:
        library = found.library(user(), unrestricted=True)
        one, other = (parse_project(library.text(project, n)) for n in (before, after))
        _warn_unrecorded(found)
    _show(view.changes_told(differences(one, other)), json)


@verb("library share")
def share(
    project: Project,
    who: Annotated[str, typer.Argument(help="As the app names who is signed in: mail address.")],
    role: Annotated[RoleName, typer.Argument(help="none takes the role away.")],
    store: StoreOption = None,
) -> None:
    """Give somebody a role in a project."""
    from facility.files.store.records import Role

    given = None if role is RoleName.none else Role(role.value)
    with opened(store) as found:
        found.library(user(), unrestricted=True).sharing.give(project, who, given)
    sys.stderr.write(f"{who}: {role.value}\n")


@verb("library link")
def link(
    project: Project,
    label: Annotated[str, typer.Option("--label", help="Whom or what it is for.")] = "",
    days: Annotated[
        int | None, typer.Option("--days", help="Days until it expires: 1 to 366, else 30.")
    ] = None,
    renew: Annotated[
        str | None, typer.Option("--renew", help="Id of a link: count its days from now.")
    ] = None,
    revoke: Annotated[
        str | None, typer.Option("--revoke", help="Id of a link, see facility library show.")
    ] = None,
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Make a link that reads a project, and print its token.

    Or change when a link expires (--renew), or revoke it (--revoke).
    """
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
        sys.stderr.write("renewed\n" if revoke is None else "revoked\n")
    _show(view.link_told(token), json)


@verb("library check")
def check(store: StoreOption = None, json: AsJson = False) -> None:
    """Check that nothing in the store was damaged or edited.

    Ends with exit code 6 where something is damaged, after all of it was looked at.
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
            f"problems: {len(found.problems):,}, see the table.",
            "Restore a backup into a new store.",
        )


@verb("library backup")
def backup(
    out: Annotated[Path, typer.Argument(help="File to write: .jsonl, or .sqlite for a copy.")],
    store: StoreOption = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Write the whole store into a file, while it is in use."""
    from facility.cli.views import library as view

    with opened(store) as found:
        count = found.backup(out, force=force, who=user())
    sys.stderr.write(f"wrote {out}\n")
    _show(view.count_told(count), json)


@verb("library restore-backup")
def restore_backup(
    file: Annotated[Path, typer.Argument(help="Backup in JSON lines.")],
    store: StoreOption = None,
    json: AsJson = False,
) -> None:
    """Make a new store from a backup."""
    from facility.cli.views import library as view
    from facility.files.store.opening import restore_store, usual_store

    where = store or usual_store()
    count = restore_store(where, file, user())
    sys.stderr.write(f"restored {file}\n")
    with opened(store) as found:
        sealed = found.record.verified("").sealed
    if sealed:
        sys.stderr.write(
            f"warning: the access record of the backup ({sealed:,} entries) does not verify with "
            "this key, or is damaged; it is kept as it is, and a new one begins after it\n"
        )
    _show(view.count_told(count), json)


@verb("library record")
def record(
    project: Annotated[str, typer.Argument(help="Id of a project; else the whole record.")] = "",
    last: Annotated[int, typer.Option("--last", min=1, help="Newest entries to list.")] = 100,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write all entries with their hashes (.jsonl).")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Verify and list an exported file instead.")
    ] = None,
    begin_again: Annotated[
        bool, typer.Option("--begin-again", help="Seal a damaged record; continue with this key.")
    ] = False,
    store: StoreOption = None,
    force: Force = False,
    json: AsJson = False,
) -> None:
    """Verify and list who opened, changed and shared projects."""
    from facility.cli.views.record import record_statement
    from facility.files.store.record.archive import read_archive, write_archive

    if file is not None:
        found = read_archive(file)
        entries = [one for one in found.entries if project in ("", one.project)]
        _show(record_statement(entries[-last:], found.count, found.sealed), json)
        return
    with opened(store, create=False) as kept:
        if begin_again:
            kept.record.begin_again(user())
        if out is not None:
            write_archive(kept.record, out, force=force)
            sys.stderr.write(f"wrote {out}\n")
        found = kept.record.verified(project or None)
    _show(record_statement(found.entries[-last:], found.count, found.sealed), json)
