"""Conversion between a panel of the design and editable rows. This module has no widgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

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
    position: int | None
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
    rows: Sequence[GridRow], changes: Mapping[int, Mapping[str, Any]]
) -> tuple[GridRow, ...]:
    """Return `rows` with cells changed.

    rows: Initial rows of the grid.
    changes: New values by row index, then by column; None is an empty cell.
    """
    after = list(rows)
    for number, cells in changes.items():
        known = {name: _cell(name, cells[name]) for name in EDITABLE if name in cells}
        after[int(number)] = replace(after[int(number)], **known)
    return tuple(after)


def _cell(name: str, value: Any) -> Any:
    if name == "position":
        return None if value is None else int(value)
    if name == "fixed":
        return bool(value)
    return "" if value is None else str(value).strip()


def shown_columns(panel: Panel, rows: Sequence[GridRow], state: int) -> dict[str, list[Any]]:
    """Return the columns of the grid for `rows`: editable columns and design results.

    panel: Panel as designed.
    rows: One row per circuit of it.
    state: Index of the state whose load is displayed.
    """
    by_id = row_ids(panel)
    circuits = [by_id[row.id] for row in rows]
    placed = [replace(c, position=row.position) for c, row in zip(circuits, rows, strict=True)]
    return {
        "position": [row.position for row in rows],
        "phases": [_phases(panel, circuit) for circuit in placed],
        "fixed": [row.fixed for row in rows],
        "rack": [circuit.rack or circuit.class_code for circuit in circuits],
        "description": [row.description for row in rows],
        "poles": [circuit.poles for circuit in circuits],
        "VA": [f"{abs(circuit.total_va(state)):,.0f}" for circuit in circuits],
        "pf": [_power_factor(circuit, state) for circuit in circuits],
        "trip A": ["" if c.breaker_a is None else f"{c.breaker_a:g}" for c in circuits],
        "together": [row.together for row in rows],
        "apart": [row.apart for row in rows],
    }


def _phases(panel: Panel, circuit: Circuit) -> str:
    start = circuit.position
    if start is None or not panel.layout.may_start(start, circuit.poles, panel.poles):
        return ""
    return "-".join(panel.phases(circuit))


def _power_factor(circuit: Circuit, state: int) -> str:
    total = circuit.total_va(state)
    return f"{total.real / abs(total):.3f}" if abs(total) > 0.0 else ""


def with_rows(project: Project, panel: Panel, rows: Iterable[GridRow]) -> Project:
    """Return `project` with `panel` specified by `rows`.

    project: Project of the design.
    panel: Panel as designed.
    rows: One row per circuit.

    Raises the errors of `check_layout` and of the ``panels`` section, by position and rack.
    """
    by_id = {row.id: row for row in rows}
    for row in by_id.values():
        if row.position is not None and row.position < 1:
            raise FacilityError(
                "PANEL_POSITION",
                row.description or row.id,
                f"{row.position} is not a valid pole number.",
                f"Enter a pole number from 1 to {panel.poles}.",
            )
    known = row_ids(panel)
    circuits = tuple(
        replace(
            c,
            position=by_id[id].position,
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
