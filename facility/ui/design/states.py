"""The state that a design is shown in: an outage, its moment, and the hour of the cooling."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.power.network.outages.cases import Case
from facility.report.drawings.live.moments import Instant, LiveState, instant_words
from facility.report.drawings.overview.numbers import state_numbers
from facility.report.tables.states import case_title
from facility.study.design.design import Design
from facility.study.parts import is_known
from facility.ui.canvas import opened
from facility.ui.canvas.views import ShownState
from facility.ui.controls import one_of, refused
from facility.ui.design.hours import hour_name, show_hour
from facility.ui.session import outages, state

NORMAL = "normal"
_CASE, _MOMENT, _ADDED = outages.CASE, "state-moment", "state-added"
_MOMENT_NAMES: dict[Instant, str] = {
    "before": "Before",
    "on battery": "On battery",
    "settled": "Steady state",
}
_MOMENTS = (
    "Before: all equipment in service. On battery: generators have not started. Steady state: "
    "generators carry the load, batteries are exhausted."
)


def show_states(design: Design) -> ShownState:
    """Show the state selector and return the selected state, with its six numbers.

    State, moment and hour are kept in the session; all places show the same state.
    """
    cases = _cases(design)
    if st.session_state.get(_CASE) not in cases:
        st.session_state[_CASE] = NORMAL
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="state-bar"):
        case = _selector(cases)
        count = len(opened.opened())
        words = f"{count} more" if count else ""
        with st.popover(words, icon=":material/add:", help="Add another outage", key="state-more"):
            added = st.container()
        instant: Instant = "settled"
        if case != NORMAL or opened.opened():
            instant = one_of("Moment", _MOMENT_NAMES, _MOMENT, "settled", _MOMENTS, titled=False)
        with st.popover(hour_name(), icon=":material/schedule:", key="state-hour"):
            hour = show_hour(design)
    live = outages.moment(case, opened.opened(), instant)
    opened.keep(live)
    with added:
        _added(live)
    for error in live.refused:
        refused("Not taken out of service", error)
    system = state.unit_system()
    caption = _caption(cases[case], live, instant)
    numbers = tuple(state_numbers(live, design.states.network, system))
    return ShownState(case, live.opened, instant, live, hour, caption, numbers)


def step(by: int) -> None:
    """Select the state before (-1) or after (1) in the list."""
    ids = list(_cases(state.current()))
    now = st.session_state.get(_CASE, NORMAL)
    place = ids.index(now) if now in ids else 0
    st.session_state[_CASE] = ids[min(max(place + by, 0), len(ids) - 1)]


def _cases(design: Design) -> dict[str, Case]:
    """Return the states by id: normal, then the worst first; in their order until that is known."""
    _, known = outages.states()
    if not is_known(design, "outages"):
        return known
    return {NORMAL: known[NORMAL]} | {
        case.outage.id: case for case in outages.worst_cases() if case.outage.id != NORMAL
    }


def _selector(cases: dict[str, Case]) -> str:
    """Show the list of states with the buttons of the state before and after.

    What is typed lists an exact tag first, then tags that begin with it, then circuits; equal
    matches stay worst first.
    """
    st.selectbox(
        "State",
        list(cases),
        key=_CASE,
        format_func=lambda id: case_title(cases[id]),
        required=True,
        persist_state="session",
        label_visibility="collapsed",
        width=230,
    )
    chosen: str = st.session_state[_CASE]
    place, count = list(cases).index(chosen), len(cases)
    where = f"normal, then {count - 1:,} single outages" if not place else ""
    where = where or f"single outage {place:,} of {count - 1:,}, worst first"
    st.button(
        "",
        key="state-before",
        on_click=partial(step, -1),
        disabled=place == 0,
        icon=":material/chevron_left:",
        help=f"State before ({where})",
    )
    st.button(
        "",
        key="state-after",
        on_click=partial(step, 1),
        disabled=place == count - 1,
        icon=":material/chevron_right:",
        help=f"State after ({where})",
    )
    return chosen


def _added(live: LiveState) -> None:
    """Show the additional outages, and the list to add another."""
    st.selectbox(
        "Take out of service",
        [name for name in outages.part_names() if name not in live.opened],
        index=None,
        key=_ADDED,
        on_change=lambda: opened.add(_ADDED),
        placeholder="Tag of equipment or a circuit",
    )
    for tag in live.opened:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(tag, width="stretch")
            st.button(
                "Return to service", key=f"state-close-{tag}", on_click=partial(opened.switch, tag)
            )


def _caption(case: Case, live: LiveState, instant: Instant) -> str:
    words = case_title(case)
    if live.opened:
        words = f"{words}, without {', '.join(live.opened)}"
    if case.kind == "normal" and not live.opened:
        return words
    return f"{words}, {_MOMENT_NAMES[instant].lower()}. {instant_words(live)}"
