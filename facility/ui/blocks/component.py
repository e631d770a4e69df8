"""Numbers and lists in the page: the browser draws them, and reports what is selected.

Script and style are package files, and text is only set as text, so that it can never become markup
of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import streamlit as st

from facility.ui.blocks.blocks import Look, NumberCell
from facility.ui.browser import component

_NAME = "facility.blocks"
_HTML = "<div data-blocks></div>"


@dataclass(frozen=True)
class ListRow:
    """A row of a list: title and text at the left, value and remark at the right."""

    id: str
    title: str
    text: str = ""
    value: str = ""
    limit: str = ""  # Next to the value, less prominent
    remark: str = ""
    look: Look = ""
    icon: str = ""
    action: str = ""  # Words of the button at its right


@dataclass(frozen=True)
class ListGroup:
    """Rows with one heading; without a title they have none."""

    title: str
    rows: Sequence[ListRow]
    remark: str = ""
    look: Look = ""


def show_cells(
    cells: Sequence[NumberCell], key: str, explain: Callable[[NumberCell], None]
) -> None:
    """Show numbers in a grid; `explain` receives a selected one that has an explanation."""

    def picked(found: str) -> None:
        if found.isdecimal() and int(found) < len(cells) and cells[int(found)].why:
            explain(cells[int(found)])

    _show(key, {"mode": "numbers", "cells": [asdict(one) for one in cells]}, picked)


def show_list(
    groups: Sequence[ListGroup],
    key: str,
    label: str,
    select: Callable[[str], None],
    selected: str = "",
    act: Callable[[str], None] | None = None,
) -> None:
    """Show a list of groups.

    select: Receives the id of a selected row.
    act: Receives the id of a row whose action is pressed.
    """
    ids = {row.id for group in groups for row in group.rows}
    acting = {row.id for group in groups for row in group.rows if row.action}

    def picked(found: str) -> None:
        if found in ids:
            select(found)

    def acted(found: str) -> None:
        if act is not None and found in acting:
            act(found)

    sent = [asdict(one) for one in groups]
    data = {"mode": "list", "label": label, "groups": sent, "selected": selected}
    _show(key, data, picked, acted)


def _show(
    key: str,
    data: object,
    picked: Callable[[str], None],
    acted: Callable[[str], None] = lambda _: None,
) -> None:
    def receiver(name: str, notify: Callable[[str], None]) -> Callable[[], None]:
        def receive() -> None:
            found = st.session_state[key].get(name)
            if isinstance(found, str):
                notify(found)

        return receive

    component(_NAME, _HTML, css="blocks.css", js="blocks.js")(
        key=key,
        data=data,
        on_picked_change=receiver("picked", picked),
        on_acted_change=receiver("acted", acted),
    )
