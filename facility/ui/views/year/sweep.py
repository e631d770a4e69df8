"""Sweep: many designs of one project, two results against each other, one to take over."""

from __future__ import annotations

import streamlit as st

from facility.ui import displays
from facility.ui.many import kept, shown
from facility.ui.many.form import form
from facility.ui.many.run import ManyRun
from facility.ui.session import state

_WHAT = (
    "Fields of this project with several values, one field a line. Each design is made whole, in "
    "processes of its own, while other pages are looked at. An edit of the project stops it; what "
    "was made is kept."
)
_LOOK_S = 1.0


@st.fragment(run_every=_LOOK_S)
def _running(run: ManyRun) -> None:
    """Show how far a run is until it is over."""
    if run.outcome is not None:
        st.rerun()
    done, whole = run.progress
    words = f"{done:,} of {whole:,} designs" if whole else "Waiting for its turn …"
    st.progress(min(1.0, done / whole) if whole else 0.0, words)
    st.button("Stop", on_click=run.stop, key="many-stop", icon=":material/stop:")


def _page() -> None:
    design = state.current()
    displays.heading("Sweep", design)
    st.text(_WHAT)
    form(design)
    run = kept.current()
    if run is not None and run.outcome is None:
        _running(run)
    elif run is not None and run.outcome is not None:
        shown.shown(run, run.outcome)


_page()
