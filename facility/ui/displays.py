"""Elements shared by views: heading, key figures, tables and charts.

User text is displayed only where it is not interpreted as markup: `st.text`, `st.code`, dataframe
cells, options of a select box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import pyarrow as pa
import streamlit as st
from numpy.typing import NDArray
from streamlit.elements.lib.column_types import ColumnConfig

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.book.record import check_table
from facility.report.drawings.charts.kit.chart import Chart, ChartMark
from facility.report.sheet.grid import TextTable
from facility.report.studies.protocol import Study
from facility.report.why.cells import cell_of
from facility.report.why.known import Known
from facility.study.design.design import Design
from facility.ui import controls
from facility.ui.canvas.chart import show_chart
from facility.ui.columns import ShownColumn, cached_columns, shown_column
from facility.ui.why import navigation
from facility.ui.why.card import ask_button
from facility.ui.why.drawer import known_here, show_drawer

Colour = Literal["red", "orange", "blue", "green", "grey"]

_ROW_PX, _MAX_ROWS, _TALL_PX = 30, 60, 620
ExplainCell = Callable[[int, str], navigation.WhyRequest | None]
"""The result to explain for a cell, by row and column heading."""


def heading(title: str, design: Design) -> None:
    """Show the title of a view, and the notes on the design."""
    st.subheader(title, anchor=False)
    for note in design.notes:
        st.info(note[:1].upper() + note[1:], icon=":material/info:")


def metric(
    title: str,
    value: str,
    note: str,
    colour: Colour = "grey",
    why: str = "",
    page: Known | None = None,
) -> None:
    """Show a figure with a note below it; no argument may be user text.

    With a result key in `why`, the card opens the explanation of this result; `page` has the
    results that the page itself calculated, and a result missing there has no explanation.
    """
    if why and (page is None or why in page):
        _explained_metric(title, value, note, colour, why, page)
    else:
        st.metric(title, value, note, delta_color=colour, delta_arrow="off", border=True)


@st.fragment
def _explained_metric(
    title: str, value: str, note: str, colour: Colour, why: str, page: Known | None
) -> None:
    with st.container(key=f"why-card-{why}", gap=None):
        st.metric(title, value, note, delta_color=colour, delta_arrow="off", border=True)
        ask_button(title, why, why, page)


def refused(title: str, error: FacilityError) -> None:
    """Show an error with its code, message and hint in a frame."""
    with st.container(border=True):
        controls.refused(title, error)


def table(
    found: TextTable,
    key: str,
    page: Known | None = None,
    chosen: Callable[[int], None] | None = None,
) -> None:
    """Show a table, scrolling if it is long, and its footnotes.

    A numeric cell opens its explanation; `page` has the results that the page itself calculated.
    With `chosen`, a row is selected instead, and `chosen` receives its index.
    """
    if chosen is not None:
        _table(found, key, chosen=chosen)
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
    columns: Mapping[str, Sequence[object] | NDArray[np.generic]],
    key: str,
    explain: ExplainCell,
    config: Mapping[str, ColumnConfig] | None = None,
    height: Literal["content", "auto"] | int = "auto",
) -> None:
    """Show sortable columns; `explain` returns the result that explains a cell.

    config: Column formats; text columns without one are displayed as in a table.
    """
    config = config or {}
    shown = []
    for head, cells in columns.items():
        texts = [cell for cell in cells if isinstance(cell, str)]
        if head in config or len(texts) < len(cells):
            shown.append(ShownColumn(head, pa.array(cells), config.get(head)))
        else:
            shown.append(shown_column(head, texts))
    _frame(shown, list(columns), key, explain, height)
    show_drawer()


@st.fragment
def explained_choice(
    title: str,
    names: Sequence[str],
    key: str,
    explain: Callable[[int], navigation.WhyRequest | None],
) -> None:
    """Show a selection of the figures of an editable grid, whose cells cannot open explanations.

    names: Names of the figures; may be user text.
    explain: Returns the result to explain, by index of the name.
    """
    if names:
        st.selectbox(
            title,
            range(len(names)),
            index=None,
            key=navigation.fresh(key),
            format_func=lambda n: names[n],
            placeholder="Choose a figure of the grid",
            icon=":material/help:",
            on_change=lambda: navigation.choice(key, explain),
            width=420,
        )
        show_drawer()


def _table(
    found: TextTable,
    key: str,
    explain: ExplainCell | None = None,
    chosen: Callable[[int], None] | None = None,
) -> None:
    rows = found.rows if isinstance(found.rows, list) else list(found.rows)
    found = found if rows is found.rows else replace(found, rows=rows)
    height: Literal["content"] | int = "content" if len(rows) <= _MAX_ROWS else _TALL_PX
    dashes = any("-" in row for row in rows)
    _frame(cached_columns(found), found.heads, key, explain, height, "-" if dashes else "", chosen)
    for line in found.below:
        st.text(line)


def _frame(
    columns: Sequence[ShownColumn],
    heads: Sequence[str],
    key: str,
    explain: ExplainCell | None,
    height: Literal["content", "auto"] | int,
    missing: str = "",
    chosen: Callable[[int], None] | None = None,
) -> None:
    """Show columns as an Arrow table; conversion by pandas would take a fifth of the page time."""
    of_shown = dict(zip((column.head for column in columns), heads, strict=True))

    def choose() -> None:
        assert explain is not None
        navigation.cell(key, lambda row, head: explain(row, of_shown[head]))

    def choose_row() -> None:
        rows = st.session_state[key].selection.rows
        if rows and chosen is not None:
            chosen(int(rows[0]))

    st.dataframe(
        pa.table({column.head: column.cells for column in columns}),
        hide_index=True,
        height=height,
        row_height=_ROW_PX,
        key=key,
        on_select=choose_row if chosen else "ignore" if explain is None else choose,
        selection_mode="single-row" if chosen else "single-cell",
        column_config={one.head: one.config for one in columns if one.config is not None},
        placeholder=missing,
    )


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


def study_tabs(study: Study, key: str, system: System, page: Known | None = None) -> None:
    """Show the tables of a study and its checks, each in a tab; `page` as for `table`."""
    tabs([*study.tables(system), check_table(study.checks, system)], key, page)
