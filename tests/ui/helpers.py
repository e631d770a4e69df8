"""The app in one process: Streamlit's AppTest, and the designs it must agree with."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from pandas import DataFrame
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.testing.v1 import AppTest

from facility.files.project.file import apply_sets, default_project
from facility.model.inputs.document import Project
from facility.report.sheet.grid import TextTable
from facility.study.design.design import Design, design
from facility.ui.access import store
from facility.ui.columns import shown_columns
from facility.ui.session.edits import Session
from tests.tools.source_tree import PACKAGE

BLOCKS = "facility.blocks"
MAIN = PACKAGE / "ui" / "main.py"
View = tuple[str, str]
"""A view of the app: its place, and its name in the URL."""
SUMMARY, POWER, HALL, COOLING, PANELS, INPUTS = (
    ("design", view) for view in ("summary", "one-line", "hall", "cooling", "panels", "inputs")
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


def opened() -> AppTest:
    """Return the app after its first paint."""
    at = AppTest.from_file(str(MAIN), default_timeout=180)
    at.run()
    assert_sound(at)
    return at


def go(at: AppTest, view: View) -> AppTest:
    """Go to a view of the app."""
    place, at.query_params["view"] = view
    return at.switch_page(f"places/{place}.py").run()


def assert_sound(at: AppTest) -> None:
    assert not at.exception, [e.message for e in at.exception]


def session(at: AppTest) -> Session:
    found: Session = at.session_state["session"]
    return found


def box(at: AppTest, name: str) -> str:
    """Return the key of the input `name` of the project, as it is now."""
    generation = session(at).generation
    edition, _ = at.session_state[f"shown by {name}@{generation}"]
    return f"{name}@{generation}.{edition}"


def choose(at: AppTest, label: str, value: str | None) -> None:
    """Pick `value` in the select box called `label`; an Example is opened on page Projects."""
    if label == "Example":
        go(at, PROJECTS)
        press(at, f"example-{value}")
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
    """Import a project file on page Projects; what is refused is said there."""
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


def _blocks(at: AppTest) -> list[tuple[str, dict[str, Any]]]:
    """Return id and data of the numbers and lists of the page."""
    drawn = [one.proto for one in at.get("bidi_component")]
    return [(one.id, json.loads(one.json)) for one in drawn if one.component_name == BLOCKS]


def pick(at: AppTest, row: str, label: str = "") -> None:
    """Select a row of the list `label`, or the number called `row`."""
    for id, data in _blocks(at):
        if label and data.get("label") == label:
            _tell(at, id, row)
            return
        labels = [cell["label"] for cell in data.get("cells", ()) if cell["why"]]
        if not label and row in labels:
            _tell(at, id, str(labels_of(data).index(row)))
            return
    raise AssertionError(f"no row {row!r}")


def labels_of(data: dict[str, Any]) -> list[str]:
    return [cell["label"] for cell in data["cells"]]


def _tell(at: AppTest, id: str, picked: str) -> None:
    """Report a selection, as the browser does."""
    states = at._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id = _make_trigger_id(id, "events")
    widget.json_trigger_value = json.dumps([{"event": "picked", "value": picked}])
    at._run(states)
    assert_sound(at)


def as_shown(table: TextTable) -> tuple[list[str], list[list[object]]]:
    """Return the headings and rows of a table as the frames of a page have them."""
    columns = shown_columns(table)
    cells = (column.cells.to_pylist() for column in columns)
    return [column.head for column in columns], [list(row) for row in zip(*cells, strict=True)]


def frame_rows(frame: DataFrame) -> list[list[object]]:
    """Return the rows of a frame of a page, with None where there is no number."""
    return [[None if cell != cell else cell for cell in row] for row in frame.values.tolist()]


def design_with(*sets: str, project: Project | None = None) -> Design:
    """Return the design that the library makes of the embedded project with `sets`."""
    return design(apply_sets(project or default_project(), list(sets)))


def megawatts(found: Design, key: str) -> str:
    return f"{float(found.results[key].si) / 1e6:.3g} MW"


def edit_cells(at: AppTest, name: str, **delta: Any) -> None:
    """Edit the grid whose key begins with `name`, as the browser reports it.

    Setting session_state would not call the grid's on_change; its message does.
    """
    (grid,) = (g for g in at.data_editor if name in g.proto.id)
    states = at._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id = grid.proto.id
    nothing: dict[str, Any] = {"edited_rows": {}, "added_rows": [], "deleted_rows": []}
    widget.string_value = json.dumps(nothing | delta)
    at._run(states)
    assert_sound(at)


def grid(at: AppTest, name: str) -> Any:
    """Return the rows that the grid whose key begins with `name` is given."""
    (found,) = (g for g in at.data_editor if name in g.proto.id)
    return found.value


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
