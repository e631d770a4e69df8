"""Conversion between a panel of the design and editable rows. This module has no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, cast

from facility.core.errors import FacilityError
from facility.model.inputs.document import Project
from facility.power.panels.board.model import Circuit, Panel, check_layout
from facility.study.as_built_panels import as_built_with_texts, with_panels

EDITABLE = ("position", "fixed", "together", "apart", "description")
"""Editable columns; the others are results of the design."""

_UNPLACED = 10_000


@dataclass(frozen=True)
class GridRow:
    """The editable data of one circuit, as entered; `id` is from `row_ids`."""

    id: str
    position: int | str | None  # A text if it is not a pole number
    fixed: bool
    together: str
    apart: str
    description: str


def grid_rows(panel: Panel) -> tuple[GridRow, ...]:
    """Return the circuits of `panel` in the order of their positions."""
    ordered = sorted(row_ids(panel).items(), key=lambda item: item[1].position or _UNPLACED)
    return tuple(
        GridRow(id, c.position, c.fixed, c.together, c.apart, c.description) for id, c in ordered
    )


def row_ids(panel: Panel) -> dict[str, Circuit]:
    """Return the circuits of `panel` by ids that do not change when a circuit is moved.

    The id of a rack circuit is rack and number; other circuits are numbered.
    """
    others = count(1)
    return {
        f"{c.rack} {c.ordinal + 1}" if c.rack else f" {c.class_code} {next(others)}": c
        for c in panel.circuits
    }


def edited_rows(
    rows: Sequence[GridRow], cells: Iterable[tuple[str, str, str]]
) -> tuple[GridRow, ...]:
    """Return `rows` with texts entered in cells: id of the row, column, and text."""
    after = {row.id: row for row in rows}
    for id, column, text in cells:
        if id in after and column in EDITABLE:
            after[id] = replace(after[id], **{column: _cell(column, text.strip())})
    return tuple(after.values())


def _cell(column: str, text: str) -> Any:
    if column == "position":
        is_number = text.removeprefix("-").isdecimal()
        return int(text) if is_number else text or None
    return text == "true" if column == "fixed" else text


def moved_rows(panel: Panel, rows: Sequence[GridRow], id: str, to: int) -> tuple[GridRow, ...]:
    """Return `rows` with a circuit moved to the pole number `to`.

    A circuit of as many poles that is already there changes places with it.
    """
    poles = {name: circuit.poles for name, circuit in row_ids(panel).items()}
    at = {row.id: row.position for row in rows}
    start, wanted = at[id], set(panel.layout.occupied(to, poles[id]))
    blocking = [
        row
        for row in rows
        if row.id != id
        and isinstance(row.position, int)
        and wanted & set(panel.layout.occupied(row.position, poles[row.id]))
    ]
    if len(blocking) == 1 and poles[blocking[0].id] == poles[id] and not blocking[0].fixed:
        to = cast(int, blocking[0].position)
        at[blocking[0].id] = start
    at[id] = to
    return tuple(replace(row, position=at[row.id]) for row in rows)


def rejected_cell(
    panel: Panel, rows: Sequence[GridRow], error: FacilityError
) -> tuple[str, str] | None:
    """Return id and column of the cell that an error of `with_rows` is about."""
    column = "position" if error.code.startswith("PANEL_") else "description"
    circuits = row_ids(panel)
    for row in rows:
        position = row.position if isinstance(row.position, int) else None
        circuit = replace(circuits[row.id], position=position) if row.id in circuits else None
        if error.where in (row.id, row.description) or (circuit and error.where == _where(circuit)):
            return row.id, column
    return None


def with_rows(project: Project, panel: Panel, rows: Iterable[GridRow]) -> Project:
    """Return `project` with `panel` specified by `rows`.

    project: Project of the design.
    panel: Panel as designed.
    rows: One row per circuit.

    Raises the errors of `check_layout` and of the ``panels`` section, by position and rack.
    """
    by_id = {row.id: row for row in rows}
    for row in by_id.values():
        if isinstance(row.position, str) or (row.position is not None and row.position < 1):
            raise FacilityError(
                "PANEL_POSITION",
                row.description or row.id,
                f"{row.position} is not a valid pole number.",
                f"Enter {panel.layout.label(1)} to {panel.layout.label(panel.poles)}.",
            )
    known = row_ids(panel)
    circuits = tuple(
        replace(
            c,
            position=cast("int | None", by_id[id].position),
            fixed=by_id[id].fixed,
            together=by_id[id].together,
            apart=by_id[id].apart,
        )
        for id, c in known.items()
    )
    edited = replace(panel, circuits=circuits)
    check_layout(edited, tuple(_where(circuit) for circuit in circuits))
    texts = {
        (panel.tag, c.rack, c.ordinal): by_id[id].description
        for id, c in known.items()
        if by_id[id].description != c.description
    }
    return with_panels(project, as_built_with_texts(project, [edited], texts))


def placed_project(project: Project, placed: Panel) -> Project:
    """Return `project` with a panel specified as in `placed`, with unchanged descriptions."""
    return with_panels(project, as_built_with_texts(project, [placed], {}))


def _where(circuit: Circuit) -> str:
    return f"{circuit.rack or circuit.class_code} (position {circuit.position or 'empty'})"
