"""Export page: workbooks, drawings, lists and the project as files; workbook verification."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.workbook.verify import VerifyReport
from facility.ui import displays
from facility.ui.controls import act, download
from facility.ui.documents.documents import Document, documents_of
from facility.ui.session import state
from facility.ui.work.ready import over

_REQUESTED, _DROPPED = "export-asked", "verify-dropped"
_MAX_UPLOAD_MB = 10


def _offer(document: Document, missing: str) -> None:
    """Show one file: its contents, and its download or the reason it is `missing`."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", gap=None):
            st.markdown(f"**{document.title}**")
            st.text(missing or document.holds)
            make, to_ask = _made(document)
        if to_ask is not None:
            act("Create file", "construction", f"make-{document.key}", to_ask)
        if make is None:
            return
        help = None if document.missing else document.name
        key, absent = f"export-{document.key}", bool(document.missing)
        download("Download file", document.name, make, key, disabled=absent, help=help)


def _made(document: Document) -> tuple[Callable[[], bytes] | None, Callable[[], None] | None]:
    """Return the function that returns a file, or the one that requests it.

    Both are None while a worker process creates the file.
    """
    if document.missing or not document.job:
        return document.make, None
    requested: set[tuple[str, str]] = st.session_state.setdefault(_REQUESTED, set())
    this = (state.text(), document.key)
    if this not in requested:
        return None, partial(requested.add, this)
    run = over(document.job, document.title, (document.key,), key=document.key)
    if run is not None and run.error is not None:
        st.error(f"File not created: {run.error.code}: {run.error.message}")
    if run is None or run.error is not None:
        return None, None
    return lambda: cast(bytes, run.result()), None


def _verify() -> None:
    """Show the upload of a workbook, and the verification of the last one."""
    st.text(
        "Upload a workbook written by facility. Its embedded project is recalculated, and every "
        "cell written by facility is compared with the current value."
    )
    st.file_uploader(
        "Workbook to verify",
        type=["xlsx"],
        key="verify-file",
        on_change=_dropped,
        max_upload_size=_MAX_UPLOAD_MB,
    )
    dropped = st.session_state.get(_DROPPED)
    if dropped is None:
        return
    name, content = dropped
    run = over("verify", name, (content,), text="", owner="verify", key="verify")
    if run is not None:
        _show_result(name, run.error or cast(VerifyReport | FacilityError, run.result()))


def _dropped() -> None:
    """Store the uploaded workbook as base64 text, the form in which a worker receives it."""
    file = st.session_state["verify-file"]
    if file is None:
        st.session_state.pop(_DROPPED, None)
        return
    st.session_state[_DROPPED] = (file.name, base64.b64encode(file.getvalue()).decode())


def _show_result(name: str, found: VerifyReport | FacilityError) -> None:
    with st.container(border=True):
        if isinstance(found, FacilityError):
            st.error(f"Workbook not verified: {found.code}", icon=":material/error:")
            st.text(f"{name}: {found}")
            return
        title = f"{name}: {found.project['name']}, project {found.project['sha256'][:12]}"
        if found.same:
            st.success("No differences", icon=":material/verified:")
            st.text(f"{title}. Every cell written by facility equals its current value.")
            return
        count = len(found.differences)
        st.warning(f"{count:,} cells differ", icon=":material/difference:")
        st.text(title)
        heads = {"sheet": "Sheet", "cell": "Cell", "file": "In the file", "computed": "Calculated"}
        st.dataframe(
            {head: [str(one[key]) for one in found.differences] for key, head in heads.items()},
            hide_index=True,
            key="verify-differences",
        )


def show_documents() -> None:
    """Show the documents of the project for download."""
    design = state.current()
    displays.heading("Export", design)
    st.text(
        "Files are created on request and contain the hash of the current project; an edit "
        f"cancels unfinished files. Project hash {design.sha256[:12]}."
    )
    first: dict[str, str] = {}
    for group, documents in documents_of(design).items():
        st.markdown(f"##### {group}")
        for document in documents:
            named = first.setdefault(document.missing, document.title)
            again = f"Not available, for the same reason as {named}."
            is_first = not document.missing or named == document.title
            _offer(document, document.missing if is_first else again)
    st.markdown("##### Verify a workbook")
    _verify()
