"""Elements shared by views: heading, key figures, tables and charts.

User text is displayed only where it is not interpreted as markup: `st.text`, `st.code`, dataframe
cells, options of a select box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from facility.core.errors import FacilityError
from facility.report.drawings.charts.kit.chart import Chart, ChartMark
from facility.report.sheet.grid import TextTable
from facility.report.why.cells import cell_of
from facility.report.why.known import Known
from facility.study.design.design import Design
from facility.ui import controls
from facility.ui.canvas.chart import show_chart
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Asked, Event, GridContents, Selected
from facility.ui.grid.tables import table_grid, values_grid
from facility.ui.session import state
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here, show_drawer

Colour = Literal["red", "orange", "blue", "green", "grey"]

ExplainCell = Callable[[int, str], navigation.WhyRequest | None]
"""The result to explain for a cell, by row and column heading."""


def heading(title: str, design: Design) -> None:
    """Show the title of a view, and the notes on the design."""
    st.subheader(title, anchor=False)
    for note in design.notes:
        st.info(note[:1].upper() + note[1:], icon=":material/info:")


def refused(title: str, error: FacilityError) -> None:
    """Show an error with its code, message and hint in a frame."""
    with st.container(border=True):
        controls.refused(title, error)


def table(
    found: TextTable,
    key: str,
    page: Known | None = None,
    chosen: Callable[[int], None] | None = None,
    selected: int | None = None,
) -> None:
    """Show a table, scrolling if it is long, and its footnotes.

    A numeric cell opens its explanation; `page` has the results that the page itself calculated.
    With `chosen`, a row is selected instead, and `chosen` receives its index.
    """
    if chosen is not None:
        grid = replace(table_grid(found), selects=True, one_line=True)
        grid = grid if selected is None else replace(grid, selected=str(selected))
        read_only(grid, key, chosen=chosen)
    elif found.keys or found.cells:
        _explained_table(found, key, page)
    else:
        _table(found, key)


@st.fragment
def _explained_table(found: TextTable, key: str, page: Known | None) -> None:
    def explain(row: int, head: str) -> navigation.WhyRequest | None:
        design = known_here()
        cell = cell_of(found, row, head, *([] if page is None else [page]), design)
        return cell and (cell.id, None if cell.known is design else cell.known)

    _table(found, key, explain)
    show_drawer()


@st.fragment
def explained_frame(
    label: str,
    columns: Mapping[str, Sequence[object] | NDArray[np.generic]],
    key: str,
    explain: ExplainCell,
) -> None:
    """Show sortable columns; `explain` returns the result that explains a cell."""
    read_only(values_grid(label, columns, state.unit_system(), why=True), key, explain)
    show_drawer()


def _table(found: TextTable, key: str, explain: ExplainCell | None = None) -> None:
    read_only(table_grid(found, why=explain is not None), key, explain)
    for line in found.below:
        st.text(line)


def read_only(
    grid: GridContents,
    key: str,
    explain: ExplainCell | None = None,
    chosen: Callable[[int], None] | None = None,
) -> None:
    """Show a grid to read.

    explain: Returns the result that explains a cell.
    chosen: Receives the index of a selected row.
    """

    def handle(event: Event) -> None:
        if explain is not None and isinstance(event, Asked) and event.id.isdecimal():
            found = explain(int(event.id), event.key)
            if found is not None:
                navigation.ask(*found)
        elif chosen is not None and isinstance(event, Selected) and event.id.isdecimal():
            chosen(int(event.id))

    show_grid(grid, key, handle)


def chart(found: Chart, key: str, alt: str) -> None:
    """Show a chart; `alt` is its text for screen readers."""
    show_chart(found, key, alt)


@st.fragment
def explained_chart(found: Chart, key: str, alt: str, page: navigation.Page = None) -> None:
    """Show a chart whose marks open the explanation of their key.

    `page` has the results that the page itself calculated; if it is a function of a name, the name
    follows the key. A mark without a key opens nothing.
    """

    def picked(mark: ChartMark | int) -> None:
        if isinstance(mark, ChartMark) and mark.key:
            id, *whose = mark.key
            navigation.ask(id, page(*whose[:1]) if callable(page) else page)

    show_chart(found, key, alt, picked)
    show_drawer()


def selectable_chart(
    found: Chart, key: str, alt: str, choose: Callable[[int], None], chosen: int | None = None
) -> None:
    """Show a chart whose marks and cells can be selected.

    choose: Receives the number that is the key of the mark, or the index of the cell.
    chosen: Index of the selected cell.
    """

    def picked(place: ChartMark | int) -> None:
        choose(int(place.key[0]) if isinstance(place, ChartMark) else place)

    show_chart(found, key, alt, picked, chosen)


def tabs(found: Iterable[TextTable], key: str, page: Known | None = None) -> None:
    """Show each table in a separate tab; `page` is as for `table`.

    The key has the number of tabs: otherwise the browser scrolls to the open tab when it changes.
    """
    listed = list(found)
    with st.container(key=f"tabs-{key}-{len(listed)}"):
        for number, tab in enumerate(st.tabs([one.title for one in listed])):
            with tab:
                table(listed[number], f"{key}-{number}", page)
