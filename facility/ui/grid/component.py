"""The grid in the page: what the browser receives, and the events that it reports.

The browser repeats every event until its serial number is acknowledged, and each is handled once.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from secrets import token_hex
from typing import Any

import numpy as np
import streamlit as st

from facility.ui.browser import component
from facility.ui.grid.model import (
    Added,
    Asked,
    Edited,
    Event,
    Folded,
    GridContents,
    Moved,
    Removed,
    Selected,
    Sought,
    TreeItem,
    Value,
)

_HTML = "<div data-grid></div>"
_MAX_TEXT, _MAX_ROWS = 2_000, 100_000
_TREE_COLUMN = {"key": "words", "head": "", "kind": "text", "options": [], "editable": False}
_MAX_FOUND = 200
_MIN_PACKED = 500
_NUMBERS = {float, int, type(None)}


def show_grid(grid: GridContents, key: str, handle: Callable[[Event], None] | None = None) -> None:
    """Show a grid; `handle` receives each event once, before the page runs again."""
    _show(
        key,
        handle,
        {
            "mode": "grid",
            "name": grid.name or key,
            "label": grid.label,
            "columns": [{**vars(one), "options": list(one.options)} for one in grid.columns],
            "body": body_of(grid),
            "adds": grid.adds,
            "removes": grid.removes,
            "moves": grid.moves,
            "sorts": grid.sorts,
            "selects": grid.selects,
            "selected": grid.selected,
            "oneLine": grid.one_line,
            "height": grid.height,
        },
    )


def body_of(grid: GridContents) -> str:
    """Return the rows as JSON, by columns: an unchanged text is not read again by the browser."""
    at = {column.key: n for n, column in enumerate(grid.columns)}
    rows = grid.rows
    columns = list(zip(*(row.values for row in rows), strict=True)) or [()] * len(at)
    return json.dumps(
        {
            "ids": [row.id for row in rows],
            "cells": [_packed(values) for values in columns],
            "texts": {at[name]: list(texts) for name, texts in grid.texts.items()},
            "marks": {
                n: {at[name]: mark.sent() for name, mark in row.marks.items()}
                for n, row in enumerate(rows)
                if row.marks
            },
        },
        separators=(",", ":"),
    )


def _packed(values: Sequence[Value]) -> Sequence[Value] | str:
    """Return the values of a column, many numbers as the bytes of an array in base 64.

    Writing numbers as digits would take most of the time of a long table.
    """
    if len(values) < _MIN_PACKED or not set(map(type, values)) <= _NUMBERS:
        return values
    return base64.b64encode(np.array(values, "<f8").tobytes()).decode()


def show_tree(
    label: str,
    children: Callable[[str], Sequence[TreeItem]],
    key: str,
    select: Callable[[str], None],
    selected: str = "",
    find: str = "",
    opened: Sequence[str] = (),
    subject: object = None,
) -> None:
    """Show a tree in which one row is selected.

    label: Name of the tree for screen readers.
    children: Returns the rows below the row with this id; "" is the root. Only rows in view are
        asked for, except in a search.
    key: Key of the component.
    select: Receives the id of a selected row; the page then runs again.
    selected: Id of the selected row.
    find: Placeholder of the search box; empty: no search.
    opened: Ids of the branches that are open initially, and when another row is selected by the
        page.
    subject: What the tree is of; with another one the search is cleared.
    """
    _tree(label, children, key, select, selected, find, tuple(opened), subject)


@st.fragment
def _tree(
    label: str,
    children: Callable[[str], Sequence[TreeItem]],
    key: str,
    select: Callable[[str], None],
    selected: str,
    find: str,
    opened: tuple[str, ...],
    subject: object,
) -> None:
    state = st.session_state.setdefault(f"tree-{key}", {"open": set(opened), "words": ""})
    if state.get("shown") != selected:
        state["open"].update(opened)
        state["shown"] = selected
    if state.get("subject") is not subject:
        state |= {"subject": subject, "words": ""}

    def handle(event: Event) -> None:
        if isinstance(event, Folded):
            (state["open"].add if event.is_open else state["open"].discard)(event.id)
        elif isinstance(event, Sought):
            state["words"] = event.text
        elif isinstance(event, Selected):
            state["selected"] = event.id
            select(event.id)

    words = state["words"].casefold()
    lines = list(_found(children, words) if words else _unfolded(children, state["open"]))
    body = json.dumps(
        {
            "ids": [item.id for _, item, _ in lines],
            "cells": [[item.words for _, item, _ in lines]],
            "depths": [depth for depth, _, _ in lines],
            "icons": [item.icon for _, item, _ in lines],
            "states": [fold for _, _, fold in lines],
            "figures": [item.figure for _, item, _ in lines],
            "status": [item.status for _, item, _ in lines],
            "heads": [item.group for _, item, _ in lines],
        },
        separators=(",", ":"),
    )
    _show(
        key,
        handle,
        {
            "mode": "tree",
            "name": key,
            "label": label,
            "columns": [_TREE_COLUMN],
            "body": body,
            "selected": selected,
            "finds": find,
            "words": state["words"],
        },
    )
    if state.pop("selected", ""):
        st.rerun()


_Line = tuple[int, TreeItem, str]


def _unfolded(
    children: Callable[[str], Sequence[TreeItem]], opened: set[str], id: str = "", depth: int = 0
) -> Iterator[_Line]:
    """Yield the rows in view: depth, row, and whether it is "open" or "shut"."""
    for item in children(id):
        is_open = item.branch and item.id in opened
        yield depth, item, "open" if is_open else "shut" if item.branch else ""
        if is_open:
            yield from _unfolded(children, opened, item.id, depth + 1)


def _found(
    children: Callable[[str], Sequence[TreeItem]], words: str, id: str = "", depth: int = 0
) -> list[_Line]:
    """Return the rows that contain `words`, below the branches that lead to them."""
    found: list[_Line] = []
    for item in children(id):
        below = _found(children, words, item.id, depth + 1) if item.branch else []
        if below:
            found += [(depth, item, "open"), *below]
        elif words in item.words.casefold():
            found.append((depth, item, ""))
        if len(found) >= _MAX_FOUND:
            break
    return found[:_MAX_FOUND]


def _show(key: str, handle: Callable[[Event], None] | None, data: Mapping[str, object]) -> None:
    state = st.session_state.setdefault(f"grid-{key}", {"session": token_hex(4), "seen": {}})

    def reported() -> None:
        client, events = new_events(st.session_state[key].get("outbox"), state["seen"])
        for serial, event in events:
            if handle is not None and event is not None:
                handle(event)
            state["seen"] = {client: serial}  # last: an interrupted event is handled again

    # The browser view that reported last, with the serial number of its last event
    client, serial = next(iter(state["seen"].items()), ("", 0))
    component("facility.grid", _HTML, css="grid.css", js="grid.js")(
        key=key,
        data={**data, "ack": {"client": client, "serial": serial}, "session": state["session"]},
        on_outbox_change=reported,
    )


def new_events(outbox: Any, seen: Mapping[str, int]) -> tuple[str, list[tuple[int, Event | None]]]:
    """Return the view that reported, and its new events with their serial numbers.

    outbox: As reported by the browser. What is not well-formed is None, or ignored.
    seen: Serial number of the last event that was handled, by view.
    """
    if not isinstance(outbox, Mapping) or not isinstance(outbox.get("events"), list):
        return "", []
    client = str(outbox.get("client", ""))[:40]
    last = seen.get(client, 0)
    listed = [one for one in outbox["events"] if isinstance(one, Mapping)]
    numbered = [(one["n"], one) for one in listed if isinstance(one.get("n"), int)]
    return client, [(n, _event(one)) for n, one in numbered if n > last]


def _event(one: Mapping[str, Any]) -> Event | None:
    """Return an event of the browser; None if it is not well-formed."""
    try:
        match one["kind"]:
            case "edit":
                return Edited([(_text(a), _text(b), _text(c)) for a, b, c in one["cells"]])
            case "add":
                return Added(
                    [
                        (_text(row["id"]), {_text(k): _text(v) for k, v in row["cells"].items()})
                        for row in one["rows"][:_MAX_ROWS]
                    ]
                )
            case "remove":
                return Removed([_text(id) for id in one["ids"]])
            case "move":
                rows, columns = int(one["rows"]), int(one["columns"])
                return Moved(_text(one["id"]), _text(one["key"]), rows, columns)
            case "why":
                return Asked(_text(one["id"]), _text(one["key"]))
            case "select":
                return Selected(_text(one["id"]))
            case "open" | "shut":
                return Folded(_text(one["id"]), one["kind"] == "open")
            case "find":
                return Sought(_text(one["text"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return None


def _text(value: object) -> str:
    return str(value)[:_MAX_TEXT]
