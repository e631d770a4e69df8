"""Verification of an uploaded workbook by a worker."""

from __future__ import annotations

import base64
from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.workbook.verify import VerifyReport
from facility.ui.controls import refused
from facility.ui.grid.component import show_grid
from facility.ui.grid.tables import values_grid
from facility.ui.work.ready import over

_DROPPED = "verify-dropped"
_MAX_UPLOAD_MB = 10


def show_verification() -> None:
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
            refused("Workbook not verified", found)
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
        columns = {
            head: [str(one[key]) for one in found.differences] for key, head in heads.items()
        }
        show_grid(values_grid("Cells that differ", columns), "verify-differences")
