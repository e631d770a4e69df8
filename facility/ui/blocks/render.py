"""The renderer of blocks."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from facility.ui import displays
from facility.ui.blocks import component
from facility.ui.blocks.blocks import (
    Beside,
    Block,
    ChartBlock,
    ChartChoice,
    Controls,
    DisplayTable,
    NumberCell,
    Numbers,
    Tabs,
    TextBlock,
)
from facility.ui.controls import one_of
from facility.ui.why import navigation
from facility.ui.why.drawer import show_drawer

_BADGES = {"over": ":material/error:", "tight": ":material/warning:", "ok": ":material/check:"}


def show(blocks: Iterable[Block]) -> None:
    """Show blocks below each other."""
    for block in blocks:
        _show(block)


def _show(block: Block) -> None:
    match block:
        case Numbers():
            _numbers(block)
        case ChartBlock():
            _chart(block)
        case DisplayTable():
            displays.table(block.table, block.key, block.page, block.chosen, block.selected)
        case Tabs():
            displays.tabs(block.tables, block.key, block.page)
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


def _chart(block: ChartBlock) -> None:
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key=f"chart-of-{block.key}",
    ):
        st.markdown(f"**{block.title}**", width="content")
        if block.choice is not None:
            _choice(block.choice)
    if block.picked is not None:
        displays.selectable_chart(block.figure, block.key, block.alt, block.picked, block.chosen)
    elif block.explains:
        displays.explained_chart(block.figure, block.key, block.alt, block.page)
    else:
        displays.chart(block.figure, block.key, block.alt)
    if block.remark:
        st.text(block.remark)


def _choice(choice: ChartChoice) -> None:
    one_of(choice.label, choice.names, choice.key, choice.value, titled=False)


def _text(block: TextBlock) -> None:
    if not block.title:
        st.text(block.lines)
        return
    with st.container(border=True):
        colour = {"over": "red", "tight": "orange", "ok": "green"}.get(block.look, "grey")
        st.badge(block.title, color=colour, icon=_BADGES.get(block.look))  # type: ignore[arg-type]
        st.text(block.lines)
