"""The object tree in the sidebar."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.report.drawings.live.moments import LiveState
from facility.report.objects.objects import COOLING, IT, POWER, SITE
from facility.report.objects.tree import ObjectTree
from facility.ui.grid.component import show_tree
from facility.ui.grid.model import Status, TreeItem
from facility.ui.objects import known, selection
from facility.ui.session import state

_ICONS = {SITE: "site", POWER: "power", IT: "it", COOLING: "cooling"}
_STATUS: dict[str, Status] = {"ok": "", "tight": "tight", "over": "over", "off": "", "": ""}


def show_objects(live: LiveState | None, selected: str) -> None:
    """Show the tree; figures are those of the displayed state."""
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

    opened = (POWER, IT, COOLING, *objects.path(selected))
    with st.sidebar:
        show_tree(
            "Objects of the design",
            below,
            "objects",
            lambda id: selection.select(id, objects[id].kind),
            selected,
            "Filter objects",
            opened,
        )
