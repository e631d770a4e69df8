"""The renderer of blocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from facility.report.drawings.charts.kit.chart import ChartMark
from facility.report.sheet.grid import TextTable
from facility.report.why.cells import cell_of
from facility.study.design.design import Design
from facility.ui.blocks import component
from facility.ui.blocks.blocks import (
    COLOURS,
    Beside,
    Block,
    ChartBlock,
    Controls,
    DisplayTable,
    ExplainCell,
    Look,
    NumberCell,
    Numbers,
    Tabs,
    TextBlock,
)
from facility.ui.canvas.chart import show_chart
from facility.ui.controls import one_of
from facility.ui.grid.component import show_grid
from facility.ui.grid.model import Asked, Event, Selected
from facility.ui.grid.tables import table_grid
from facility.ui.why import navigation
from facility.ui.why.drawer import known_here, show_drawer

_BADGES = {"over": ":material/error:", "tight": ":material/warning:", "ok": ":material/check:"}


def show(blocks: Iterable[Block]) -> None:
    """Show blocks below each other."""
    for block in blocks:
        _show(block)


def heading(title: str, design: Design, status: str = "", look: Look = "") -> None:
    """Show the title of a view with its status, and the notes on the design."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.subheader(title, anchor=False, width="content")
        if status:
            st.badge(status, color=COLOURS[look])
    for note in design.notes:
        st.info(note[:1].upper() + note[1:], icon=":material/info:")


def _show(block: Block) -> None:
    match block:
        case Numbers():
            _numbers(block)
        case ChartBlock():
            _chart(block)
        case DisplayTable():
            _table(block)
        case Tabs():
            _tabs(block)
        case TextBlock():
            _text(block)
        case Beside():
            for column, one in zip(
                st.columns(len(block.blocks), gap="medium"), block.blocks, strict=True
            ):
                with column:
                    _show(one)
        case Controls():
            block.draw()


@st.fragment
def _numbers(block: Numbers) -> None:
    def explain(cell: NumberCell) -> None:
        navigation.ask(cell.why, block.page)

    listed = [
        cell
        if block.page is None or cell.why in block.page
        else NumberCell(cell.label, cell.value, cell.unit, cell.note, cell.look)
        for cell in block.cells
    ]
    component.show_cells(listed, block.key, explain)
    show_drawer()


def _table(block: DisplayTable) -> None:
    table, explain = block.table, block.explain
    names_results = isinstance(table, TextTable) and bool(table.keys or table.cells)
    if block.chosen is None and (explain is not None or names_results):
        _explained_table(block)
    else:
        _grid(block, None)


@st.fragment
def _explained_table(block: DisplayTable) -> None:
    def explain(row: int, head: str) -> navigation.WhyRequest | None:
        design, table = known_here(), block.table
        if not isinstance(table, TextTable):
            return None
        pages = [] if block.page is None else [block.page]
        cell = cell_of(table, row, head, *pages, design)
        return cell and (cell.id, None if cell.known is design else cell.known)

    _grid(block, block.explain or explain)
    show_drawer()


def _grid(block: DisplayTable, explain: ExplainCell | None) -> None:
    table, chosen = block.table, block.chosen
    grid = table_grid(table, why=explain is not None) if isinstance(table, TextTable) else table
    if chosen is not None:
        selected = "" if block.selected is None else str(block.selected)
        grid = replace(grid, selects=True, one_line=True, selected=selected)

    def handle(event: Event) -> None:
        if explain is not None and isinstance(event, Asked) and event.id.isdecimal():
            found = explain(int(event.id), event.key)
            if found is not None:
                navigation.ask(*found)
        elif chosen is not None and isinstance(event, Selected) and event.id.isdecimal():
            chosen(int(event.id))

    show_grid(grid, block.key, handle)
    for line in table.below if isinstance(table, TextTable) else ():
        st.text(line)


@st.fragment
def _tabs(block: Tabs) -> None:
    """Show the table of the open tab.

    The key has the number of tabs: otherwise the browser scrolls to the open tab when it changes.
    """
    titles, key = [one.title for one in block.tables], f"tabs-{block.key}-{len(block.tables)}"
    for number, tab in enumerate(st.tabs(titles, key=key, on_change="rerun")):
        with tab:
            if tab.open:
                _table(DisplayTable(block.tables[number], f"{block.key}-{number}", block.page))


def _chart(block: ChartBlock) -> None:
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key=f"chart-of-{block.key}",
    ):
        st.markdown(f"**{block.title}**", width="content")
        choice = block.choice
        if choice is not None:
            one_of(choice.label, choice.names, choice.key, choice.value, titled=False)
    picked = block.picked
    if picked is not None:

        def choose(mark: ChartMark | int) -> None:
            picked(int(mark.key[0]) if isinstance(mark, ChartMark) else mark)

        show_chart(block.figure, block.key, block.alt, choose, block.chosen)
    elif block.explains:
        _explained_chart(block)
    else:
        show_chart(block.figure, block.key, block.alt)
    if block.remark:
        st.text(block.remark)


@st.fragment
def _explained_chart(block: ChartBlock) -> None:
    def picked(mark: ChartMark | int) -> None:
        if isinstance(mark, ChartMark) and mark.key:
            id, *whose = mark.key
            page = block.page
            navigation.ask(id, page(*whose[:1]) if callable(page) else page)

    show_chart(block.figure, block.key, block.alt, picked)
    show_drawer()


def _text(block: TextBlock) -> None:
    if not block.title:
        st.text(block.lines)
        return
    with st.container(border=True):
        st.badge(block.title, color=COLOURS[block.look], icon=_BADGES.get(block.look))
        st.text(block.lines)
