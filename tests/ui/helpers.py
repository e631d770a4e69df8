"""The app in one process: Streamlit's AppTest, and the designs it must agree with."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import numpy as np
from pandas import DataFrame
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Element

from facility.files.project.file import apply_sets, default_project
from facility.model.inputs.document import Project
from facility.report.sheet.grid import TextTable
from facility.study.design.design import Design, design
from facility.ui.access import store
from facility.ui.grid.component import body_of
from facility.ui.grid.tables import table_grid
from facility.ui.session.edits import Session
from facility.ui.studies import ranges as ranges_page
from tests.tools.source_tree import PACKAGE

BLOCKS = "facility.blocks"
_SAID = ("error", "markdown")
_SERIALS = count(1)
MAIN = PACKAGE / "ui" / "main.py"
View = tuple[str, str]
"""A view of the app: its place, and its name in the URL."""
SUMMARY, POWER, OUTAGES, HALL, COOLING, PANELS, INPUTS = (
    ("design", view)
    for view in ("summary", "one-line", "outages", "hall", "cooling", "panels", "inputs")
)
YEAR, FAILURES, RIDE, LOAD, RANGES, COMPARE, SCENARIOS, SWEEP, METERS = (
    ("studies", view)
    for view in (
        "year", "failures", "ride-through", "job-load", "ranges", "cooling", "scenarios", "sweep",
        "meter-logs",
    )
)  # fmt: skip
NEW, IMPORT = ("start", "new"), ("start", "import")
CHECKS, ASSUMPTIONS = ("checks", "checks"), ("checks", "assumptions")
EXPORT = ("documents", "set")
PROJECTS, REVISIONS = ("library", "projects"), ("library", "revisions")
EQUIPMENT = ("library", "equipment")
PAGES = (
    SUMMARY, INPUTS, IMPORT, POWER, PANELS, COOLING, COMPARE, RIDE, LOAD, YEAR, FAILURES, METERS,
    RANGES, SWEEP, HALL, ASSUMPTIONS, CHECKS, EXPORT, SCENARIOS,
)  # fmt: skip

# Each AppTest looks through all installed packages for components anew: they stay what they are.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# The study that opens by itself varies what no source states, not a hundred inputs for 16 s.
ranges_page.SAMPLES, ranges_page._TOLERANCES = 2, {"tolerances.secondary": "10 %"}


def new_app() -> AppTest:
    """Return the app before its first page, with the sections and menus open that are read here."""
    at = AppTest.from_file(str(MAIN), default_timeout=180)
    for key in ("main-inputs", "downloads", "kept", "object-history"):
        at.session_state[key] = True
    return at


def opened() -> AppTest:
    """Return the app at the summary of the embedded project."""
    at = new_app()
    at.query_params["view"] = "summary"
    at.run()
    assert_sound(at)
    return at


def go(at: AppTest, view: View) -> AppTest:
    """Go to a view of the app."""
    place, at.query_params["view"] = view
    return at.switch_page(f"places/{place}.py").run()


def show_object(at: AppTest, id: str, view: str = "drawing") -> AppTest:
    """Show a view of an object in the workspace."""
    at.session_state["design-object"], at.session_state["design-view"] = id, view
    at.run()
    assert_sound(at)
    return at


def assert_sound(at: AppTest) -> None:
    assert not at.exception, [e.message for e in at.exception]


def errors(at: AppTest) -> list[str]:
    """Return the titles of the errors of the page, each with the code below it."""
    found: list[str] = []
    for one in at._tree:
        words = str(one.value) if isinstance(one, Element) and one.type in _SAID else ""
        if one.type == "error":
            found.append(words)
        elif one.type == "markdown" and words.startswith(":small[:gray[") and found:
            code = words.removeprefix(":small[:gray[").removesuffix("]]")
            if code.replace("_", "").isupper():
                found[-1] += f": {code}"
    return found


def session(at: AppTest) -> Session:
    found: Session = at.session_state["session"]
    return found


def box(at: AppTest, name: str) -> str:
    """Return the key of the input `name` of the project, as it is now."""
    records = at.session_state["boxes"]
    return f"{name}@{records.generation}.{records.editions[name]}"


def choose(at: AppTest, label: str, value: str | None) -> None:
    """Pick `value` in the select box called `label`; an Example is opened in Library."""
    if label == "Example":
        go(at, PROJECTS)
        press_title(at, "examples", str(value))
        go(at, SUMMARY)
        return
    at.selectbox(key=_key(at, at.selectbox, label)).set_value(value).run()
    assert_sound(at)


def type_in(at: AppTest, label: str, value: str) -> None:
    """Type `value` into the text input called `label`."""
    at.text_input(key=_key(at, at.text_input, label)).set_value(value).run()
    assert_sound(at)


def shown(at: AppTest, label: str) -> str | None:
    """Return what the input called `label` shows."""
    for widget in [*at.selectbox, *at.text_input]:
        if widget.label.startswith(label):
            value: str | None = widget.value
            return value
    raise AssertionError(f"no input {label!r}")


def _key(at: AppTest, widgets: object, label: str) -> str:
    keys = [w.key for w in widgets if w.label.startswith(label)]  # type: ignore[attr-defined]
    assert len(keys) == 1, (label, keys)
    key: str = keys[0]
    return key


def upload(at: AppTest, name: str, content: bytes) -> None:
    """Import a project file in Library; what is refused is said there."""
    go(at, PROJECTS)
    at.file_uploader[0].set_value((name, content, "application/yaml")).run()
    assert_sound(at)
    if not at.error:
        go(at, SUMMARY)
        assert_sound(at)


def metrics(at: AppTest) -> dict[str, str]:
    """Return the numbers of the page by title."""
    cells = [cell for grid in numbers(at) for cell in grid["cells"]]
    return {metric.label: metric.value for metric in at.metric} | {
        cell["label"]: value_of(cell) for cell in cells
    }


def value_of(cell: dict[str, Any]) -> str:
    """Return value and unit of a number."""
    return f"{cell['value']} {cell['unit']}".strip()


def numbers(at: AppTest) -> list[dict[str, Any]]:
    """Return the grids of numbers of the page, as the browser receives them."""
    return [data for _, data in _blocks(at) if data["mode"] == "numbers"]


def listed(at: AppTest, label: str) -> list[dict[str, Any]]:
    """Return the groups of a list of the page, as the browser receives them."""
    (groups,) = (data["groups"] for _, data in _blocks(at) if data.get("label") == label)
    found: list[dict[str, Any]] = groups
    return found


def lists(at: AppTest) -> list[str]:
    """Return the names of the lists of the page."""
    return [data["label"] for _, data in _blocks(at) if data["mode"] == "list"]


def _blocks(at: AppTest) -> list[tuple[str, dict[str, Any]]]:
    """Return id and data of the numbers and lists of the page."""
    drawn = [one.proto for one in at.get("bidi_component")]
    return [(one.id, json.loads(one.json)) for one in drawn if one.component_name == BLOCKS]


def pick(at: AppTest, row: str, label: str = "", event: str = "picked") -> None:
    """Select a row of a list `label`, or the number called `row`; "acted" presses its action."""
    for id, data in _blocks(at):
        rows = [one["id"] for group in data.get("groups", ()) for one in group["rows"]]
        if label and data.get("label") == label and (row in rows or label != "Inputs"):
            _tell(at, id, row, event)
            return
        labels = [cell["label"] for cell in data.get("cells", ()) if cell["why"]]
        if not label and row in labels:
            _tell(at, id, str(labels_of(data).index(row)), event)
            return
    raise AssertionError(f"no row {row!r}")


def inputs(at: AppTest) -> dict[str, dict[str, dict[str, str]]]:
    """Return the rows of inputs by field, by the origin under which they are listed."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    origin = ""
    for _, data in _blocks(at):
        for group in data["groups"] if data.get("label") == "Inputs" else ():
            origin = group["title"] or origin
            found.setdefault(origin, {}).update({row["id"]: row for row in group["rows"]})
    return found


def ask_canvas(at: AppTest, key: str) -> None:
    """Ask about a number above the drawing, by its key."""
    drawn = [one.proto for one in at.get("bidi_component")]
    (canvas,) = (one for one in drawn if one.component_name == "facility.canvas")
    _tell(at, canvas.id, key, "asked")


def labels_of(data: dict[str, Any]) -> list[str]:
    return [cell["label"] for cell in data["cells"]]


def _tell(at: AppTest, id: str, picked: str, event: str) -> None:
    """Report a selection, as the browser does."""
    states = at._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id = _make_trigger_id(id, "events")
    widget.json_trigger_value = json.dumps([{"event": event, "value": picked}])
    at._run(states)
    assert_sound(at)


def as_shown(table: TextTable) -> tuple[list[str], list[list[object]]]:
    """Return the headings and rows of a table as the grids of a page have them."""
    grid = table_grid(table)
    heads = [f"{one.head} ({one.unit})" if one.unit else one.head for one in grid.columns]
    return heads, [list(values) for values in zip(*body_columns(body_of(grid)), strict=True)]


def body_columns(body: str) -> list[list[object]]:
    """Return the values of a grid by columns, as the browser reads them."""
    found = []
    for values in json.loads(body)["cells"]:
        if isinstance(values, str):
            numbers = np.frombuffer(base64.b64decode(values), "<f8").tolist()
            values = [None if one != one else one for one in numbers]
        found.append(values)
    return found


@dataclass(frozen=True)
class Frame:
    """A grid of a page: its key, its values by heading, and what the browser receives."""

    id: str
    value: DataFrame
    data: dict[str, Any]

    def key(self, head: str) -> str:
        """Return the key of the column that has this heading."""
        key: str = self.data["columns"][list(self.value.columns).index(head)]["key"]
        return key

    def texts(self) -> list[tuple[str, ...]]:
        """Return the rows as they are displayed."""
        heads = list(self.value.columns)
        return [tuple(self.text(row, head) for head in heads) for row in range(len(self.value))]

    def text(self, row: int, head: str) -> str:
        """Return a number as it is displayed, without its unit."""
        at, value = list(self.value.columns).index(head), self.value[head][row]
        texts = json.loads(self.data["body"])["texts"].get(str(at))
        digits = self.data["columns"][at]["digits"]
        if texts:
            return str(texts[row])
        return str(value) if digits is None or value is None else f"{value:,.{digits}f}"


def show_tab(at: AppTest, title: str) -> AppTest:
    """Open the tab of a table."""
    for tabs in at.get("tab_container"):
        if any(tab.label == title for tab in tabs.children.values()):
            key = tabs.proto.id.partition("-tabs-")[2]
            at.session_state[f"tabs-{key}"] = title
            return at.run()
    raise AssertionError(title)


def frames(at: AppTest) -> list[Frame]:
    """Return the grids of a page in order, without trees."""
    found = []
    for one in at.get("bidi_component"):
        if one.proto.component_name != "facility.grid":
            continue
        data = json.loads(one.proto.json)
        if data["mode"] == "grid":
            names = [
                f"{c['head']} ({c['unit']})" if c["unit"] else c["head"] for c in data["columns"]
            ]
            names = [f"{name} " if name in names[:n] else name for n, name in enumerate(names)]
            columns = dict(zip(names, body_columns(data["body"]), strict=True))
            found.append(Frame(one.proto.id, DataFrame(columns, dtype=object), data))
    return found


def report_event(at: AppTest, grid: str, kind: str, **event: Any) -> None:
    """Report an event of the grid with the id `grid`, as the browser does."""
    states = at._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id = grid
    events = [{"n": next(_SERIALS), "kind": kind, **event}]
    widget.json_value = json.dumps({"outbox": {"client": "test", "events": events}})
    at._run(states)
    assert_sound(at)


def listed_ids(at: AppTest, name: str) -> list[str]:
    """Return the ids of the rows of a list."""
    ids: list[str] = json.loads(grid(at, name).data["body"])["ids"]
    return ids


def press_title(at: AppTest, name: str, id: str) -> None:
    """Press the title of a project in a list, which opens it."""
    assert id in listed_ids(at, name)
    report_event(at, grid(at, name).id, "why", id=id, key="Project")


def select_listed(at: AppTest, name: str, id: str) -> None:
    """Select a row of a list."""
    report_event(at, grid(at, name).id, "select", id=id)


def frame_rows(frame: DataFrame) -> list[list[object]]:
    """Return the rows of a frame of a page, with None where there is no number."""
    return [[None if cell != cell else cell for cell in row] for row in frame.values.tolist()]


def design_with(*sets: str, project: Project | None = None) -> Design:
    """Return the design that the library makes of the embedded project with `sets`."""
    return design(apply_sets(project or default_project(), list(sets)))


def megawatts(found: Design, key: str) -> str:
    return f"{float(found.results[key].si) / 1e6:.3g} MW"


def edit_cells(
    at: AppTest,
    name: str,
    edited_rows: Mapping[int, Mapping[str, object]] | None = None,
    added_rows: Sequence[Mapping[str, object]] = (),
) -> None:
    """Enter cells by line and column in the grid whose key begins with `name`, and add rows."""
    found = grid(at, name)
    ids = json.loads(found.data["body"])["ids"]
    cells = [
        [ids[line], key, _typed(value)]
        for line, row in (edited_rows or {}).items()
        for key, value in row.items()
    ]
    if cells:
        report_event(at, found.id, "edit", cells=cells)
    rows = [
        {"id": f"new-{next(_SERIALS)}", "cells": {key: _typed(one) for key, one in row.items()}}
        for row in added_rows
    ]
    if rows:
        report_event(at, found.id, "add", rows=rows)


def _typed(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def grid(at: AppTest, name: str) -> Frame:
    """Return the grid whose key begins with `name`."""
    (found,) = (one for one in frames(at) if f"-{name}" in one.id)
    return found


def press(at: AppTest, key: str) -> None:
    """Press the button with `key`."""
    at.button(key=key).click().run()
    assert_sound(at)


def run_until(at: AppTest, found: Callable[[AppTest], bool], most_s: float = 90.0) -> None:
    """Run the page again until a worker has made what it then shows."""
    ends = time.monotonic() + most_s
    while not found(at):
        assert time.monotonic() < ends, "a worker is not done"
        time.sleep(0.2)
        at.run()
    assert_sound(at)


def forget_store() -> None:
    """Have the next call open the store of this process again."""
    store._opened.cache_clear()
    store._marked.cache_clear()


def charts(at: AppTest) -> list[dict[str, Any]]:
    """Return what the browser is given of each chart."""
    given = [json.loads(one.proto.json) for one in at.get("bidi_component") if one.proto.json]
    return [one for one in given if "legend" in one and "shapes" in one]
