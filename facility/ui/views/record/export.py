"""Export: workbooks, drawings, lists and the project as files, and a workbook verified."""

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
from facility.ui.export.documents import Document, documents_of
from facility.ui.session import state
from facility.ui.work.ready import over

_ASKED, _DROPPED = "export-asked", "verify-dropped"
_MAX_UPLOAD_MB = 10


def _offer(document: Document, missing: str) -> None:
    """Show one file: what it holds, and its download or why it is `missing`."""
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch", gap=None):
            st.markdown(f"**{document.title}**")
            st.text(missing or document.holds)
            make, to_ask = _made(document)
        if to_ask is not None:
            act("Make it", "construction", f"make-{document.key}", to_ask)
        if make is None:
            return
        help = None if document.missing else document.name
        key, absent = f"export-{document.key}", bool(document.missing)
        download("Download", document.name, make, key, disabled=absent, help=help)


def _made(document: Document) -> tuple[Callable[[], bytes] | None, Callable[[], None] | None]:
    """Return what gives a file, or what asks for it; neither while it is made beside the page."""
    if document.missing or not document.job:
        return document.make, None
    asked: set[tuple[str, str]] = st.session_state.setdefault(_ASKED, set())
    this = (state.text(), document.key)
    if this not in asked:
        return None, partial(asked.add, this)
    run = over(document.job, document.title, (document.key,), key=document.key)
    if run is not None and run.error is not None:
        st.error(f"Not made: {run.error.code}: {run.error.message}")
    if run is None or run.error is not None:
        return None, None
    return lambda: cast(bytes, run.result()), None


def _verify() -> None:
    """Show where to drop a workbook, and what came of the last one."""
    st.text(
        "A workbook that facility wrote is worked out again from the project inside it: every cell "
        "that facility wrote is held against its value now."
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
    run = over("verify", name, (content,), text="", place="verify", key="verify")
    if run is not None:
        _said(name, run.error or cast(VerifyReport | FacilityError, run.result()))


def _dropped() -> None:
    """Keep what was dropped as text, as a worker is told it."""
    file = st.session_state["verify-file"]
    if file is None:
        st.session_state.pop(_DROPPED, None)
        return
    st.session_state[_DROPPED] = (file.name, base64.b64encode(file.getvalue()).decode())


def _said(name: str, found: VerifyReport | FacilityError) -> None:
    with st.container(border=True):
        if isinstance(found, FacilityError):
            st.error(f"Not verified: {found.code}", icon=":material/error:")
            st.text(f"{name}: {found}")
            return
        title = f"{name}: {found.project['name']}, project {found.project['sha256'][:12]}"
        if found.same:
            st.success("Same", icon=":material/verified:")
            st.text(f"{title}. Every cell that facility wrote holds what it computes now.")
            return
        count = len(found.differences)
        st.warning(f"{count:,} cells differ", icon=":material/difference:")
        st.text(title)
        heads = ("sheet", "cell", "file", "computed")
        st.dataframe(
            {head: [str(one[head]) for one in found.differences] for head in heads},
            hide_index=True,
            key="verify-differences",
        )


def _page() -> None:
    design = state.current()
    displays.heading("Export", design)
    st.text(
        "Files are made when they are asked for, and carry the hash of the project as it stands; "
        "an edit ends what is still being made. "
        f"Project {design.sha256[:12]}."
    )
    first: dict[str, str] = {}
    for group, documents in documents_of(design).items():
        st.markdown(f"##### {group}")
        for document in documents:
            said = first.setdefault(document.missing, document.title)
            again = f"Not to be had, for the reason given at {said}."
            is_first = not document.missing or said == document.title
            _offer(document, document.missing if is_first else again)
    st.markdown("##### Verify a workbook")
    _verify()


_page()
