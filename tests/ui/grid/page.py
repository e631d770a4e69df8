"""A page with the grid and the tree, for the browser tests."""

import time

import streamlit as st

from facility.ui.grid.component import show_grid, show_tree
from facility.ui.grid.model import (
    Added,
    CellMark,
    Edited,
    Event,
    GridColumn,
    GridContents,
    Moved,
    Removed,
    RowValues,
    TreeItem,
)

LONG, WIDE = 50_000, 16
COLUMNS = (
    GridColumn("name", "Name", editable=True),
    GridColumn("power", "Power", "number", unit="kW", digits=1, editable=True),
    GridColumn("cooling", "Cooling", "choice", editable=True, options=("air", "hybrid", "liquid")),
    GridColumn("fixed", "Fixed", "flag", editable=True),
    GridColumn("loading", "Loading", "number", unit="%", digits=1),
)
state = st.session_state
rows = state.setdefault("rows", [[f"r{n}", f"Rack {n}", 10.0 + n, "air", False] for n in range(6)])
errors = state.setdefault("errors", {})


def handle(event: Event) -> None:
    time.sleep(float(st.query_params.get("slow", "0")))
    if isinstance(event, Edited):
        for cell in event.cells:
            put(*cell)
    elif isinstance(event, Added):
        for id, texts in event.rows:
            rows.append([id, "", None, "", False])
            for key, text in texts.items():
                put(id, key, text)
    elif isinstance(event, Removed):
        rows[:] = [row for row in rows if row[0] not in event.ids]
    elif isinstance(event, Moved):
        at = next(n for n, row in enumerate(rows) if row[0] == event.id)
        rows.insert(max(0, at + event.rows), rows.pop(at))


def put(id: str, key: str, text: str) -> None:
    row = next(row for row in rows if row[0] == id)
    errors.pop((id, key), None)
    if key == "power":
        try:
            row[2] = float(text.removesuffix("kW").replace(",", ".")) if text else None
        except ValueError:
            errors[id, key] = CellMark(error=f"{text} is not a power.", text=text)
    elif key == "fixed":
        row[4] = text == "true"
    else:
        row[1 if key == "name" else 3] = text


def children(id: str) -> list[TreeItem]:
    if not id:
        return [
            TreeItem("power", "Power", "power", branch=True, group=True),
            TreeItem("site", "Site"),
        ]
    return [TreeItem(f"ups{n}", f"UPS-{n}", figure=f"{n}.0", status="tight") for n in range(300)]


def choose(id: str) -> None:
    state["chosen"] = id


marks: dict[str, dict[str, CellMark]] = {row[0]: {} for row in rows}
for (id, key), mark in errors.items():
    if id in marks:
        marks[id][key] = mark
show_grid(
    GridContents(
        "Racks",
        COLUMNS,
        [RowValues(row[0], (*row[1:], row[2]), marks[row[0]]) for row in rows],
        adds=True,
        removes=True,
        moves=True,
    ),
    "racks",
    handle,
)
st.button("Run again")
st.text(f"Chosen: {state.get('chosen', 'none')}")
show_tree("Objects", children, "objects", choose, state.get("chosen", ""), "Filter objects")
if "long" in st.query_params:
    names = [
        GridColumn("name", "Name"),
        *(GridColumn(f"c{n}", f"Column {n}", "number") for n in range(1, WIDE)),
    ]
    listed = [RowValues(str(n), (f"Row {n}", *[n * 1.37] * (WIDE - 1))) for n in range(LONG)]
    show_grid(GridContents("Long", names, listed, sorts=True), "long")
