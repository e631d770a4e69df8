"""An edited schedule that comes back into its panel of the design: compared, then taken in.

What a project can hold of a panel is its positions, fixed marks, descriptions and spares; loads,
ratings and racks follow from its other sections, and are shown as left behind.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.import_panel.merge import shown_value
from facility.files.import_panel.read import PanelImport, import_panel
from facility.files.io.file_names import safe_file_name
from facility.files.panel_apply import Held, held_of
from facility.files.panel_csv.document import write_panel_csv
from facility.model.inputs.document import Project
from facility.study.as_built_panels import as_built_with_texts, with_panels
from facility.study.design.design import Design
from facility.ui import controls
from facility.ui.panels.intake import MAX_UPLOAD_MB
from facility.ui.session import state
from facility.ui.session.own_panel import own_panel
from facility.ui.session.panel_rows import grid_rows

_FILE, _SAID = "returned-file", "returned-said"
_ROW_PX = 27
_WHAT = (
    "A workbook written here, or the circuits of a panel as CSV, edited elsewhere: every cell that "
    "differs from the design is shown before anything changes."
)


def show_comeback(design: Design) -> None:
    """Show where a schedule comes back, what it changes, and the button that takes it in."""
    st.text(_WHAT)
    _source(design)
    said = st.session_state.pop(_SAID, None)
    if said is not None:
        st.success(said, icon=":material/check:")
    brought = st.session_state.get(_FILE)
    if brought is None:
        return
    name, content = brought
    try:
        with st.spinner("Reading …"):
            found = _read(content, name, design.sha256, design)
        held = held_of(found, design) if not any(one.problems for one in found) else None
    except FacilityError as error:
        st.error(f"Not read: {error.code}", icon=":material/error:")
        st.text(f"{name}: {error}")
        return
    _preview(name, found, held)


def _source(design: Design) -> None:
    """Show the upload, or what was brought; the own panel is brought by a button."""
    brought = st.session_state.get(_FILE)
    if brought is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Compared with the design: {brought[0]}")
            st.button("Put it away", on_click=_away, key="returned-away", icon=":material/close:")
        return
    st.file_uploader(
        "Open an edited schedule",
        type=["xlsx", "csv"],
        key="returned-upload",
        on_change=_brought,
        max_upload_size=MAX_UPLOAD_MB,
    )
    tags = {panel.tag for panel in design.panels.panels}
    for name, entry in state.session().own_panels.entries.items():
        own = own_panel(entry.accepted)
        if not own.placed or own.tag not in tags:
            continue
        text = write_panel_csv(own).encode()
        title, file = f"Compare with your own panel {own.tag}", f"own panel {own.tag}.csv"
        controls.edit(title, "compare_arrows", f"returned-{name}", _keep, file, text)


def _brought() -> None:
    file = st.session_state["returned-upload"]
    if file is not None:
        _keep(file.name, file.getvalue())


def _keep(name: str, content: bytes) -> None:
    st.session_state[_FILE] = (name, content)


def _away() -> None:
    st.session_state.pop(_FILE, None)


@st.cache_resource(max_entries=4, show_spinner=False)
def _read(content: bytes, name: str, sha256: str, _design: Design) -> tuple[PanelImport, ...]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{safe_file_name(Path(name).stem)}{Path(name).suffix.lower()}"
        path.write_bytes(content)
        return import_panel(path, against=_design)


def _preview(name: str, found: tuple[PanelImport, ...], held: Held | None) -> None:
    """Show what differs, cell by cell, and what comes back of it."""
    if problems := [problem for one in found for problem in one.problems]:
        controls.problems(problems, "returned-problems")
    for note in (*(note for one in found for note in one.notes), *(held.notes if held else ())):
        st.text(f"Note: {note}.")
    differences = [difference for one in found for difference in one.differences]
    if not differences:
        st.text(f"{len(found)} panels read, no difference from the design.")
        return
    left = held.left if held is not None else ()
    st.dataframe(
        {
            "panel": [d.panel for d in differences],
            "circuit": [d.circuit or "(panel)" for d in differences],
            "field": [d.field for d in differences],
            "was": [shown_value(d.was) for d in differences],
            "is": [shown_value(d.now) for d in differences],
            "where": [d.where for d in differences],
            "comes back": [
                "follows from other sections" if d in left else "yes" for d in differences
            ],
        },
        hide_index=True,
        row_height=_ROW_PX,
        key="returned-differences",
    )
    if held is not None:
        _button(held, name)


def _button(held: Held, name: str) -> None:
    tags = ", ".join(panel.tag for panel in held.panels)
    title = f"Take it into {tags}" if tags else "Nothing to take in"
    help, ready = "Positions, fixed marks, descriptions and spares; can be undone.", bool(tags)
    controls.edit(title, "check", "returned-take", _taken, held, name, ready=ready, help=help)


def _taken(held: Held, name: str) -> None:
    """Make the panels those of the project; what is refused waits in the cells of the first."""
    first = held.panels[0]

    def change(project: Project) -> Project:
        return with_panels(project, as_built_with_texts(project, held.panels, held.texts))

    before = state.session().project
    state.edit_panel(first.tag, grid_rows(first), change, f"{first.tag} from a file")
    if state.session().project is not before:
        tags = ", ".join(panel.tag for panel in held.panels)
        st.session_state[_SAID] = f"{tags} taken in from {safe_file_name(name)}."
        _away()
