"""A workbook that is dropped on the page, worked out again from the project that it embeds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.workbook.verify import VerifyReport, verify_workbook
from facility.ui.session import state

_MAX_UPLOAD_MB = 10
_KEPT = "verify-said"


def show_verify() -> None:
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
    said = st.session_state.get(_KEPT)
    if said is not None:
        name, found = said
        _said(name, found)


def _dropped() -> None:
    file = st.session_state["verify-file"]
    if file is None:
        st.session_state.pop(_KEPT, None)
        return
    st.session_state[_KEPT] = (file.name, verified(file.getvalue()))


def verified(content: bytes) -> VerifyReport | FacilityError:
    """Return how a workbook compares with its project designed anew, or why it is refused."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "workbook.xlsx"
        path.write_bytes(content)
        try:
            return verify_workbook(path, state.designed)
        except FacilityError as error:
            return error


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
