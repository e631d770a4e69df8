"""Sweep page: many designs of one project, two results plotted, one to apply."""

from __future__ import annotations

import streamlit as st

from facility.ui import displays
from facility.ui.many import shown, sweep_state
from facility.ui.many.form import form
from facility.ui.many.run import ManyRun
from facility.ui.session import state

_WHAT = (
    "Enter fields of this project with several values, one field per line. Every combination is "
    "designed completely in separate processes; you can use other pages meanwhile. An edit of the "
    "project stops the sweep; finished designs are kept."
)
_LOOK_S = 1.0


@st.fragment(run_every=_LOOK_S)
def _running(run: ManyRun) -> None:
    """Show the progress of a run until it is done."""
    if run.outcome is not None:
        st.rerun()
    done, whole = run.progress
    words = f"{done:,} of {whole:,} designs" if whole else "Queued …"
    st.progress(min(1.0, done / whole) if whole else 0.0, words)
    st.button("Stop sweep", on_click=run.stop, key="many-stop", icon=":material/stop:")


def show_sweep() -> None:
    """Show a sweep, sample or search of many designs."""
    design = state.current()
    displays.heading("Sweep", design)
    st.text(_WHAT)
    form(design)
    run = sweep_state.current()
    if run is not None and run.outcome is None:
        _running(run)
    elif run is not None and run.outcome is not None:
        shown.shown(run, run.outcome)
