"""Selection of a catalogue unit: each model evaluated in this design, side by side."""

from __future__ import annotations

from typing import cast

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.objects.designed import designed
from facility.report.objects.objects import DesignObject
from facility.report.studies.equipment import OPTIONS, OPTIONS_NOTE
from facility.report.tables.choices import candidate_table
from facility.study.design.design import Design
from facility.study.shortlist import Candidate, Choice, changes, models, offered
from facility.ui.blocks import render
from facility.ui.blocks.blocks import DisplayTable
from facility.ui.controls import act, edit, refused
from facility.ui.session import edits, state
from facility.ui.work.ready import over

_REQUESTED, _WHY = "shortlist-asked", "shortlist-refused"


def show(design: Design, one: DesignObject, system: System) -> None:
    """Show the selection of a unit, and the evaluated models once requested.

    one: The object whose choices are first.
    """
    choices = {choice.title: choice for choice in offered(design)}
    title = st.segmented_control(
        "Unit", list(choices), default=next(iter(choices)), required=True, key="shortlist-unit"
    )
    choice = choices.get(str(title), next(iter(choices.values())))
    made = designed(design, choice.field, system)
    stated = edits.shown_value(state.session(), choice.field)
    if stated is not None:
        st.text(f"{choice.field}: {stated}, specified by the project.")
    elif made is not None:
        st.text(f"{choice.field}: {made.text}, selected by the design. {made.basis}.")
    notice = st.empty()
    key = (state.text(), choice.title)
    words, keep = (
        f"Evaluate all {models(choice)} catalogue models in this design",
        {_REQUESTED: key},
    )
    act(words, "compare_arrows", "shortlist-run", st.session_state.update, keep)
    if st.session_state.get(_REQUESTED) == key:
        run = over("shortlist", f"{choice.title}, every model", (choice.title,))
        if run is not None and run.error is not None:
            refused("Models not evaluated", run.error)
        elif run is not None:
            _options(choice, cast(list[Candidate], run.result()), system)
    error: FacilityError | None = st.session_state.get(_WHY)
    if error is not None:
        notice.error(f"Model not applied: {error.message}")
    power = one.kind not in ("cooling", "units")
    own_first = sorted(design.choices, key=lambda each: (each.subject == "power chain") != power)
    for number, each in enumerate(own_first):
        render.show([DisplayTable(candidate_table(each, system), f"choices-{number}")])


def _options(choice: Choice, options: list[Candidate], system: System) -> None:
    table = OPTIONS.text(options, system, OPTIONS_NOTE)
    render.show([DisplayTable(table, "shortlist-options")])
    able = [option.model for option in options if not option.refused]
    if not able:
        st.text("No catalogue model is feasible in this design. Change the inputs and retry.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Model", able, key="shortlist-model", width=360)
        edit("Apply model", "", "shortlist-choose", _choose, choice)


def _choose(choice: Choice) -> None:
    model = st.session_state["shortlist-model"]
    st.session_state[_WHY] = state.enter_all(changes(choice, model), f"{choice.title}: {model}")
