"""Sidebar of the place Design: object tree, main inputs, downloads."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.files.io.file_names import safe_file_name
from facility.report.drawings.live.moments import LiveState
from facility.report.objects.objects import COOLING, IT, POWER, SITE
from facility.report.objects.tree import ObjectTree
from facility.ui.controls import download
from facility.ui.downloads.project_file import project_file
from facility.ui.grid.component import show_tree
from facility.ui.grid.model import Status, TreeItem
from facility.ui.inspector.box import show_boxes
from facility.ui.inspector.notices import QUICK
from facility.ui.objects import known, selection
from facility.ui.session import opened, state
from facility.ui.work.ready import generated_file

_ICONS = {SITE: "site", POWER: "power", IT: "it", COOLING: "cooling"}
_STATUS: dict[str, Status] = {"ok": "", "tight": "tight", "over": "over", "off": "", "": ""}


def show_sidebar(live: LiveState | None, selected: str) -> None:
    """Show tree, main inputs and downloads, with the figures of the displayed state."""
    objects = known.objects()
    tree = ObjectTree(objects, live, state.unit_system())

    def below(id: str) -> Sequence[TreeItem]:
        return [
            TreeItem(
                row.id,
                row.words,
                _ICONS.get(row.id, ""),
                row.figure,
                _STATUS[row.look],
                bool(row.children),
            )
            for row in tree.children(id)
        ]

    with st.sidebar:
        show_tree(
            "Objects of the design",
            below,
            "objects",
            lambda id: selection.select(id, objects[id].kind),
            selected,
            "Filter objects",
            (POWER, IT, COOLING, *objects.path(selected)),
            subject=opened.current(),
        )
        with st.expander(
            "Main inputs", icon=":material/tune:", key="main-inputs", on_change="rerun"
        ) as inputs:
            if inputs.open:
                show_boxes((title, path) for path, title in QUICK.items())
        with st.expander(
            "Downloads", icon=":material/download:", key="downloads", on_change="rerun"
        ) as downloads:
            if downloads.open:
                _downloads()


def _downloads() -> None:
    design = state.current()
    name = safe_file_name(design.facility.identity.name)
    generated_file(
        "Download workbook (.xlsx)", f"{name}.xlsx", "file", ("whole",), "workbook", width="stretch"
    )
    file = project_file(design.project, name)
    download(file.title, file.name, file.make, "project-file", width="stretch")
