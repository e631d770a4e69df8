"""Import of edited schedules into the panels of the project, with a preview of the differences.

A project stores positions, fixed flags, descriptions and spares of a panel. Loads, ratings and
racks follow from other sections; their differences are listed as not imported.
"""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.circuit_table.summary import described
from facility.files.import_panel.merge import shown_value
from facility.files.import_panel.read import PanelImport
from facility.files.incoming.templates import template_text
from facility.files.io.file_names import safe_file_name
from facility.files.io.zipped import zipped
from facility.files.panel_apply import (
    ApplicablePanels,
    applicable_panels,
    read_panels,
    with_applicable,
)
from facility.files.panel_csv.document import panel_files
from facility.study.design.design import Design
from facility.ui import controls
from facility.ui.grid.component import show_grid
from facility.ui.grid.tables import values_grid
from facility.ui.panels.table_answers import forget_answers, show_answers, stated_answers
from facility.ui.session import identity, opened, state
from facility.ui.session.panel_rows import grid_rows

_MAX_UPLOAD_MB = 10
_FILE, _MESSAGE = "import-file", "import-said"
_PASTED = "import-cells"
_WHAT = (
    "Upload a panel schedule from another program: one or two "
    "columns of circuits, loads by circuit or by phase, CSV, TSV or Excel. Every cell that differs "
    "from the design is listed before anything changes. To balance a panel without a project, use "
    "the command line: facility balance panel.csv."
)


def show_import(design: Design) -> None:
    """Show the upload of a schedule, its differences, and the button that imports it."""
    st.text(_WHAT)
    _source()
    message = st.session_state.pop(_MESSAGE, None)
    if message is not None:
        st.success(message, icon=":material/check:")
    imported = st.session_state.get(_FILE)
    if imported is None:
        _stored_panels()
        return
    name, content = imported
    found: tuple[PanelImport, ...] = ()
    try:
        with st.spinner("Reading …"):
            found = _read(content, name, design.sha256, repr(stated_answers()), design)
    except FacilityError as error:
        controls.refused("File not read", error)
        st.text(f"File: {name}")
        show_answers(found, error)
        return
    show_answers(found, None)
    merged = None
    try:
        if not any(one.problems for one in found):
            merged = applicable_panels(found, design)
    except FacilityError as error:
        st.warning("Read, but cannot be stored in the project", icon=":material/info:")
        st.text(str(error))
    _preview(name, found, merged)


def _source() -> None:
    """Show the upload, or the name of the uploaded file."""
    imported = st.session_state.get(_FILE)
    if imported is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Differences between the design and {imported[0]}")
            st.button("Close file", on_click=_close, key="import-close", icon=":material/close:")
        return
    st.file_uploader(
        "Panel schedule",
        type=["xlsx", "csv", "tsv", "txt"],
        key="import-upload",
        on_change=_uploaded,
        max_upload_size=_MAX_UPLOAD_MB,
    )
    with st.expander("Paste cells"):
        st.text_area("Spreadsheet cells, including headings", key=_PASTED, height=160)
        controls.act("Read cells", "table", "import-paste", _pasted)
    text = template_text("panel")
    controls.download("Download template (.csv)", "panel.csv", text, "import-template")


def _uploaded() -> None:
    file = st.session_state["import-upload"]
    if file is not None:
        st.session_state[_FILE] = (file.name, file.getvalue())


def _pasted() -> None:
    text = str(st.session_state.get(_PASTED) or "")
    if text.strip():
        st.session_state[_FILE] = ("pasted.txt", text.encode("utf-8", "replace"))


def _close() -> None:
    st.session_state.pop(_FILE, None)
    forget_answers()


def _stored_panels() -> None:
    """Offer the panels that version 0.5 stored separately from the project in the library."""
    project = opened.current().id
    found = opened.library(identity.who()).panels.all(project) if project else []
    if not found:
        return
    st.text(
        f"Version 0.5 stored {len(found)} panels separately from this project. Download them, then "
        "import the panels that belong to the project."
    )
    files = panel_files(one.text for one in found if one.text)
    controls.download("Download panels (.zip)", "panels.zip", lambda: zipped(files), "kept-beside")


@st.cache_resource(max_entries=4, show_spinner=False)
def _read(
    content: bytes, name: str, sha256: str, answers: str, _design: Design
) -> tuple[PanelImport, ...]:
    return read_panels(content, name, _design, stated_answers())


def _preview(name: str, found: tuple[PanelImport, ...], merged: ApplicablePanels | None) -> None:
    """Show the differences by cell, and which of them are imported."""
    if problems := [problem for one in found for problem in one.problems]:
        controls.problems(problems, "import-problems")
    for note in (*(note for one in found for note in one.notes), *(merged.notes if merged else ())):
        st.text(f"Note: {note}.")
    differences = [difference for one in found for difference in one.differences]
    for one in found:
        if not one.problems:
            st.text(f"{described(one.panel)}.")
    if not differences:
        if all(one.compared for one in found):
            st.text(f"{len(found)} panels read; no differences from the design.")
        return
    left = merged.left if merged is not None else ()
    show_grid(
        values_grid(
            "Differences of the imported panels",
            {
                "Panel": [d.panel for d in differences],
                "Circuit": [d.circuit or "(panel)" for d in differences],
                "Field": [d.field for d in differences],
                "Before": [shown_value(d.was) for d in differences],
                "After": [shown_value(d.now) for d in differences],
                "Location": [d.where for d in differences],
                "Imported": [
                    "No, follows from other sections" if d in left else "Yes" for d in differences
                ],
            },
        ),
        "import-differences",
    )
    if merged is not None:
        tags = ", ".join(panel.tag for panel in merged.panels)
        title = f"Import into {tags}" if tags else "Nothing to import"
        help = "Imports positions, fixed flags, descriptions and spares; Undo reverts it."
        ready = bool(tags)
        controls.edit(title, "check", "import-take", _taken, merged, name, ready=ready, help=help)


def _taken(merged: ApplicablePanels, name: str) -> None:
    """Apply the imported panels; a rejected entry stays in the cells of the first panel."""
    first, before = merged.panels[0], state.session().project
    state.edit_panel(
        first.tag,
        grid_rows(first),
        lambda project: with_applicable(project, merged),
        f"{first.tag} from a file",
    )
    if state.session().project is not before:
        tags = ", ".join(panel.tag for panel in merged.panels)
        st.session_state[_MESSAGE] = f"{tags} imported from {safe_file_name(name)}."
        _close()
