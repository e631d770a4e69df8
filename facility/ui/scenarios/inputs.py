"""Grid of inputs that a study changes: each picked by its meaning, with its texts next to it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from secrets import token_hex

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.kinds import KINDS
from facility.core.views import view_unit
from facility.model.inputs.declare import leaves
from facility.model.inputs.document import Project
from facility.model.inputs.entries import field_at
from facility.report.book.scenarios import BASE
from facility.report.tables.names import input_name
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import (
    Asked,
    CellMark,
    Event,
    GridColumn,
    GridContents,
    RowValues,
    edited_rows,
)
from facility.ui.session import state
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here

InputRow = tuple[str, ...]
"""A changed field: its path, and its text in each column."""
Mark = Callable[[str, str, str], CellMark]
"""Returns the mark of a cell, from the path, its text, and the value of the project."""
_PATH = "path"
_BARE = re.compile(r"[\d.,\s/+-]*\d", re.ASCII)
MAX_ROWS, MAX_TEXT = 60, 200


def show_inputs(
    label: str,
    key: str,
    contents: Callable[[], tuple[Sequence[str], Sequence[InputRow]]],
    stated: Callable[[str], str],
    mark: Mark,
    take: Callable[[list[InputRow]], None],
    *,
    editable: bool = True,
) -> None:
    """Show inputs, the value that each has in the project, and its text in each column.

    contents: Returns the headings of the texts, and the rows, as they are now.
    stated: Returns the value of the project at a path.
    take: Receives the rows after an edit; a row without a field or text can be among them.
    """
    heads, rows = contents()
    keys = [f"value-{head}" for head in heads]
    columns = [
        GridColumn(_PATH, "Input", "choice", editable=editable, options=tuple(paths()), free=True),
        GridColumn(BASE, BASE, width=150),
        *(
            GridColumn(name, head, "choice", editable=editable, free=True)
            for name, head in zip(keys, heads, strict=True)
        ),
    ]
    listed, titles, known = [], {path: name for name, path in paths().items()}, known_here()
    for id, (path, *texts) in zip(_ids(key, len(rows)), rows, strict=True):
        now = stated(path) if path else ""
        marks = {BASE: CellMark(dim=True, why=path in known)}
        marks |= {name: mark(path, text, now) for name, text in zip(keys, texts, strict=True)}
        listed.append(RowValues(id, (titles.get(path, path), now, *texts), marks))

    def handle(event: Event) -> None:
        heads, rows = contents()  # another callback of this run may have changed them
        names = (_PATH, *(f"value-{head}" for head in heads))
        named = (dict(zip(names, row, strict=True)) for row in rows)
        before = dict(zip(_ids(key, len(rows)), named, strict=True))
        if isinstance(event, Asked) and event.id in before:
            navigation.ask(before[event.id][_PATH])
            return
        after = dict(list(edited_rows(before, event, names).items())[:MAX_ROWS])
        st.session_state[f"{key}-ids"] = list(after)
        texts = ([row.get(name, "")[:MAX_TEXT] for name in names] for row in after.values())
        take([(paths().get(path, path), *entered) for path, *entered in texts])

    name = f"{key}-{''.join(heads)}"
    grid = GridContents(label, columns, listed, name, adds=editable, removes=editable)
    show_grid(grid, key, handle)


def _ids(key: str, count: int) -> list[str]:
    """Return the row ids, stable while other rows are added and removed."""
    ids: list[str] = st.session_state.get(f"{key}-ids", [])
    if len(ids) != count:
        ids = st.session_state[f"{key}-ids"] = [token_hex(4) for _ in range(count)]
    return ids


def with_unit(path: str, text: str) -> str:
    """Return numbers, listed or as a range, with the unit of their input if none is typed."""
    field = field_at(path)
    if field is None or field.type is None or not _BARE.fullmatch(text):
        return text
    kind = field.type.kind_of(state.current().facility.site.currency or "USD")
    unit = view_unit(kind, state.unit_system()) if kind in KINDS else ""
    parts = [text] if ".." in text else text.split(",")
    return ", ".join(f"{part.strip()} {unit}".strip() for part in parts)


def problem(read: Callable[[], object]) -> str:
    """Return why an entry is rejected; empty if it is not."""
    try:
        read()
    except FacilityError as error:
        return error.explanation
    return ""


@cache
def paths() -> Mapping[str, str]:
    """Return the path of each input that a study can change, by its name."""
    found = [entry.path for entry in leaves(Project) if "[]" not in entry.path]
    shared, named = Counter(map(input_name, found)), {}
    for path in found:
        name, sections = input_name(path), path.rpartition(".")[0]
        words = sections.replace("_", " ").replace(".", ", ")
        named[path] = f"{name} ({words})" if shared[name] > 1 else name
    return {name: path for path, name in sorted(named.items(), key=lambda one: one[1])}
