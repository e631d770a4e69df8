"""Export: workbooks, drawings, lists and the project as files, and a workbook verified."""

from __future__ import annotations

import streamlit as st

from facility.ui import displays
from facility.ui.export.documents import Document, documents_of
from facility.ui.export.verify import show_verify
from facility.ui.session import state


def _offer(document: Document) -> None:
    """Show one file: what it holds, and its download or why there is none."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", gap=None):
            st.markdown(f"**{document.title}**")
            st.text(document.missing or document.holds)
        st.download_button(
            "Download",
            document.make,
            document.name,
            document.mime,
            key=f"export-{document.key}",
            on_click="ignore",
            icon=":material/download:",
            disabled=bool(document.missing),
            help=None if document.missing else document.name,
        )


def _page() -> None:
    design = state.current()
    displays.heading("Export", design)
    st.text(
        "Files are made when they are asked for, and carry the hash of the project as it stands: "
        f"{design.sha256[:12]}."
    )
    for group, documents in documents_of(design).items():
        st.markdown(f"##### {group}")
        for document in documents:
            _offer(document)
    st.markdown("##### Verify a workbook")
    show_verify()


_page()
