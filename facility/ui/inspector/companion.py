"""A file that a field names: shown, brought by the visitor, checked before it is taken."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.project.companions import COMPANIONS, check_size, kept_name
from facility.ui.memory import spool
from facility.ui.session import opened, state

_MAX_UPLOAD_MB = 10
_REFUSED = "companion-refused"


def show(path: str, stated: str | None) -> None:
    """Show the file of the field at `path`, and where to bring another."""
    one = COMPANIONS[path]
    st.text(f"File: {stated}" if stated else "No file is given.")
    key = f"companion {path}@{state.session().generation}"
    st.file_uploader(
        f"Bring {one.what}",
        type=[ending.removeprefix(".") for ending in one.endings],
        key=key,
        on_change=state.of_this(lambda: _brought(path, key)),
        max_upload_size=_MAX_UPLOAD_MB,
        disabled=opened.reads_only(),
    )
    refused: tuple[str, str, FacilityError] | None = st.session_state.get(_REFUSED)
    if refused is not None and refused[0] == key:
        with st.container(border=True):
            st.error(f"Not taken: {refused[2].code}", icon=":material/error:")
            st.text(f"{refused[1]}\n{refused[2]}")


def _brought(path: str, key: str) -> None:
    file = st.session_state[key]
    st.session_state.pop(_REFUSED, None)
    if file is None:
        return
    error = take(path, file.name, file.getvalue())
    if error is not None:
        st.session_state[_REFUSED] = (key, file.name, error)


def take(path: str, name: str, content: bytes) -> FacilityError | None:
    """Make a file that of a field, or return why it is refused."""
    try:
        check_size(name, content)
        kept = kept_name(name, content)
        COMPANIONS[path].read(spool.put(kept, content))
    except FacilityError as error:
        return error
    return state.enter_all({path: kept}, f"{path}: {name}"[:150])
