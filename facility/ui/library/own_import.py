"""Import of rows of a catalogue table as own equipment of the project."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from facility.catalogue.schema import TableSchema
from facility.core.errors import FacilityError
from facility.files.incoming.columns import (
    MappedColumn,
    TableField,
    TableMap,
    Vocabulary,
    map_table,
    plain,
)
from facility.files.incoming.text_table import plain_number, text_table
from facility.study.equipped import project_catalogue
from facility.ui.imports.view import (
    Given,
    ImportFound,
    ImportKind,
    Sources,
    show_import,
    source_columns,
)
from facility.ui.library.own_tables import Rows, heading_of, place_of, tables_with
from facility.ui.session import state


def show_own_import(
    of: TableSchema, title: str, own: Rows, enter: Callable[[Rows], FacilityError | None]
) -> None:
    """Show the import of rows of a table.

    own: Rows that the project has.
    enter: Changes them; returns why they are rejected.
    """
    words = _vocabulary(of)

    def table(sources: Sources, meant: Mapping[str, str]) -> TableMap:
        cells = text_table(sources[0].content, sources[0].name)
        found = map_table(cells, words, of.key_columns, meant)
        if found is None:
            labels = ", ".join(words.fields[name].label for name in of.key_columns)
            message, hint = f"no row has the headings {labels}.", "Name them as in the download."
            raise FacilityError("INVENTORY_COLUMNS", sources[0].name, message, hint)
        return found

    def begin(
        sources: Sources, given: Given
    ) -> tuple[list[MappedColumn], Callable[[], ImportFound]]:
        found = table(sources, {plain(heading): name for (_, heading), name in given.items()})
        rows = [_in_table(found, of, cells) for _, cells in found.rows()]
        used = [name for name in of.columns if any(row.get(name) for row in rows)]
        problems = [question.as_error() for question in found.questions]
        contents = ImportFound(
            problems or _problems(of, words, own, rows, found),
            [f"not read: {', '.join(found.unread)[:500]}"] if found.unread else [],
            {words.fields[name].label: [row.get(name, "") for row in rows] for name in used},
            f"{len(rows):,} row{'' if len(rows) == 1 else 's'} of {title}",
            "Add to own equipment",
            bool(rows),
            lambda: enter([*own, *rows]),
        )
        return source_columns(found.columns, found.questions), lambda: contents

    show_import(
        ImportKind(
            f"own-{of.name}",
            "A table with headings, e.g. of a manufacturer, becomes own equipment of this project.",
            "Table (CSV, TSV)",
            ("csv", "tsv", "txt"),
            1,
            words,
            ("",),
            begin,
        )
    )


def _in_table(found: TableMap, of: TableSchema, cells: Mapping[str, str]) -> Mapping[str, str]:
    return {
        name: plain_number(text, found.decimal) if of.columns[name].is_number else text
        for name, text in cells.items()
    }


def _problems(
    of: TableSchema, words: Vocabulary, own: Rows, rows: Rows, found: TableMap
) -> list[FacilityError]:
    """Return why the own tables with these rows are rejected, with the cell of the source."""
    project = state.session().project
    try:
        project_catalogue(
            project.with_({"equipment": tables_with(project, of, [*own, *rows]) or None})
        )
    except FacilityError as error:
        row, column = place_of(error) or (-1, "")
        numbers = [number for number, _ in found.rows()]
        is_new = len(own) <= row < len(own) + len(numbers)
        where = words.fields[column].label if column in words.fields else error.where
        where = found.location(numbers[row - len(own)], column) if is_new else where
        return [FacilityError(error.code, where, error.message, error.hint)]
    return []


def _vocabulary(of: TableSchema) -> Vocabulary:
    """Return the columns of a table, found by their names and by descriptions of only one."""
    fields, meant = dict[str, TableField](), dict[str, list[str]]()
    for one in of.columns.values():
        kind = "number" if one.is_number else "text"
        label = f"{heading_of(one)} ({one.unit})" if one.unit else heading_of(one)
        is_taken = any(label == other.label for other in fields.values())
        fields[one.name] = TableField(
            one.name, kind, f"{label}, {one.name}"[-80:] if is_taken else label
        )
        meant.setdefault(plain(label), []).append(one.name)
    by_heading = {heading: (names[0],) for heading, names in meant.items() if len(names) == 1}
    return Vocabulary(of.name, fields, by_heading | {plain(name): (name,) for name in fields}, {})
