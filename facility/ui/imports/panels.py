"""Import of panel schedules into the panels of the project.

A project stores positions, fixed flags, descriptions and spares of a panel. Loads, ratings and
racks follow from other sections; their differences are listed as not imported.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.circuit_table.headings import UNITS
from facility.files.circuit_table.read import TableAnswers
from facility.files.circuit_table.summary import described
from facility.files.import_panel.merge import shown_value
from facility.files.import_panel.read import PanelImport
from facility.files.incoming.columns import MappedColumn, plain, vocabulary
from facility.files.incoming.inventory.tables import PASTED
from facility.files.incoming.text_table import Decimal
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
from facility.ui.imports.view import (
    Given,
    ImportFound,
    ImportKind,
    Sources,
    show_import,
    source_columns,
)
from facility.ui.session import identity, opened, state
from facility.ui.session.panel_rows import grid_rows

_AUTOMATIC = "Detect automatically"
_SIGNS: dict[str, Decimal | None] = {_AUTOMATIC: None, "12.5 (point)": ".", "12,5 (comma)": ","}


def show_panel_import() -> None:
    """Show the import of panel schedules, and the panels that version 0.5 stored separately."""
    show_import(_PANELS)
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


def _begin(sources: Sources, given: Given) -> tuple[list[MappedColumn], Callable[[], ImportFound]]:
    """Show the fields for data missing in a table; return its columns, and the panel comparison."""
    left, middle, right = st.columns(3)
    data = left.text_input(
        "Panel data",
        key="panels-data",
        placeholder="RPP-1A; 208Y/120; 42; 225 A",
        help="Tag, system, poles and bus rating, if not in the file.",
        persist_state="session",
    )
    sign = middle.selectbox(
        "Decimal sign", list(_SIGNS), key="panels-sign", persist_state="session"
    )
    factor = right.number_input(
        "Power factor",
        min_value=0.01,
        max_value=1.0,
        value=None,
        step=0.01,
        key="panels-factor",
        help="Applies to circuits without a power factor.",
        persist_state="session",
    )
    design = state.current()

    meant = {plain(heading): meaning for (_, heading), meaning in given.items()}
    answers = TableAnswers(meant, _SIGNS[sign or _AUTOMATIC], data or "", factor)
    name, content = sources[0].name, sources[0].content
    if isinstance(content, str):
        name, content = f"{PASTED}.txt", content.encode("utf-8", "replace")
    found = _read(content, name, design.sha256, repr(answers), design, answers)
    heads = (one.headings for one in found)
    columns = [one for head in heads for one in source_columns(head.columns, head.questions)]
    return columns, lambda: _found(found, design, sources[0].name)


def _found(found: tuple[PanelImport, ...], design: Design, name: str) -> ImportFound:
    """Return the differences by cell, and which of them are imported."""
    problems = [problem for one in found for problem in one.problems]
    merged = ApplicablePanels((), ())
    try:
        merged = applicable_panels(found, design) if not problems else merged
    except FacilityError as error:
        problems = [error]
    listed = [difference for one in found for difference in one.differences]
    tags = ", ".join(panel.tag for panel in merged.panels)

    def accept() -> FacilityError | None:
        first = merged.panels[0]
        state.edit_panel(
            first.tag,
            grid_rows(first),
            lambda project: with_applicable(project, merged),
            f"{first.tag} from {name}"[:150],
        )
        draft = state.session().drafts.get(first.tag)
        return None if draft is None else draft.error

    return ImportFound(
        problems,
        [*(note for one in found for note in one.notes), *merged.notes],
        {
            "Panel": [d.panel for d in listed],
            "Circuit": [d.circuit or "(panel)" for d in listed],
            "Field": [d.field for d in listed],
            "Before": [shown_value(d.was) for d in listed],
            "After": [shown_value(d.now) for d in listed],
            "Location": [d.where for d in listed],
            "Imported": [
                "No, follows from other sections" if d in merged.left else "Yes" for d in listed
            ],
        },
        "; ".join(described(one.panel) for one in found if not one.problems),
        f"Import into {tags}" if tags else "Import panels",
        bool(tags) and bool(listed),
        accept,
    )


@st.cache_resource(max_entries=4, show_spinner="Reading …")
def _read(
    content: bytes, name: str, sha256: str, key: str, _design: Design, _answers: TableAnswers
) -> tuple[PanelImport, ...]:
    return read_panels(content, name, _design, _answers)


_PANELS = ImportKind(
    "panels",
    "A panel schedule from another program: one or two columns of circuits, loads by circuit or by "
    "phase, CSV, TSV or Excel. Every cell that differs from the design is listed before anything "
    "changes: positions, fixed flags, descriptions and spares are imported. To balance a panel "
    "without a project, use the command line: facility balance panel.csv.",
    "Panel schedule",
    ("xlsx", "csv", "tsv", "txt"),
    10,
    vocabulary("circuits"),
    ("", *dict.fromkeys(UNITS.values())),
    _begin,
    templates=("panel",),
)
