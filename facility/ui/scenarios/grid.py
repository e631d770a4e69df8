"""The grid of what scenarios change: a field a row, a scenario a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from facility.files.project.file import parse_project
from facility.report.scenarios.tables import BASE, DESIGNED, text_at
from facility.ui.panels.grid_mount import Mount, mounted
from facility.ui.scenarios import board
from facility.ui.work.scenario_board import Row, ScenarioBoard

_PATH = "Input"
_Rows = tuple[Row, ...]


def show_grid(now: ScenarioBoard) -> None:
    """Show what each scenario changes; an edit changes the scenarios."""
    name = f"scenario-inputs-{''.join(now.names)}"
    mount = mounted(name, now.rows, lambda one: _applied(one, now) == now.rows)
    base = parse_project(now.text, "project")
    heads = (_PATH, *now.names)
    rows = _shown(mount, heads)
    cells = {head: [row[n] for row in rows] for n, head in enumerate(heads)}
    shown = {
        _PATH: cells.pop(_PATH),
        BASE: [text_at(base, row[0]) if row[0] else "" for row in rows],
    }

    def edited() -> None:
        board.set_rows(now.names, _applied(mount, now))

    st.data_editor(
        {**shown, **cells},
        num_rows="dynamic",
        hide_index=True,
        width="stretch",
        disabled=[BASE],
        key=mount.key,
        on_change=edited,
        column_config={
            _PATH: st.column_config.TextColumn(
                width="medium",
                max_chars=board.MAX_TEXT,
                help="Path of a field, e.g. it.gpus, power.redundancy, site.tariff",
            ),
            **{
                one: st.column_config.TextColumn(
                    max_chars=board.MAX_TEXT,
                    help=f"As in the project file; empty: as in the project; {DESIGNED}: left open",
                )
                for one in now.names
            },
        },
    )


def _shown(mount: Mount[_Rows], heads: Sequence[str]) -> _Rows:
    """Return the rows that the grid was given: an empty one where there is none."""
    return mount.base or (("",) * len(heads),)


def _applied(mount: Mount[_Rows], now: ScenarioBoard) -> _Rows:
    """Return the rows of the grid with its edits; the same where there are none."""
    heads = (_PATH, *now.names)
    delta = mount.delta
    rows = [list(row) for row in _shown(mount, heads)]
    for place, cells in delta.get("edited_rows", {}).items():
        _write(rows[int(place)], cells, heads)
    gone = {int(place) for place in delta.get("deleted_rows", ())}
    kept = [row for place, row in enumerate(rows) if place not in gone]
    for cells in delta.get("added_rows", ()):
        row = [""] * len(heads)
        _write(row, cells, heads)
        kept.append(row)
    return tuple(tuple(cell.strip() for cell in row) for row in kept if any(row))


def _write(row: list[str], cells: Mapping[str, object], heads: Sequence[str]) -> None:
    for head, value in cells.items():
        if head in heads:
            row[heads.index(head)] = "" if value is None else str(value)
