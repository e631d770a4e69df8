"""The projects saved last, and the ways to other projects."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.ui.addresses import Place
from facility.ui.controls import refused
from facility.ui.library import listed, shelf
from facility.ui.session import state

_LAST = 4
_LINKS: dict[str, tuple[Place, str]] = {
    "All in Library": ("library", "projects"),
    "Examples": ("library", "projects"),
    "Open a file": ("library", "projects"),
    "Import into the open project": ("start", "import"),
}


def show() -> None:
    """Show the most recent projects, and the links to the library."""
    st.divider()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Recent projects", anchor=False, width="stretch")
        for title, place in _LINKS.items():
            if st.button(title, type="tertiary", key=f"recent-{title}"):
                state.go_to(*place)
    try:
        entries = shelf.library().entries(limit=_LAST)
    except FacilityError as error:
        refused("Projects not read", error)
        return
    if not entries:
        st.text("No projects yet. Create one above, or start from an example.")
        return
    listed.show_entries(entries, "recent")
