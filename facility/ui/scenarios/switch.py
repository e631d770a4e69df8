"""Switch between the project and its scenarios, for the whole app."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.core.errors import FacilityError
from facility.model.inputs.document import Project
from facility.report.book.scenarios import DESIGNED
from facility.study.scenarios import MAX_SCENARIOS
from facility.ui import controls
from facility.ui.scenarios import board
from facility.ui.session import opened, scenario, state, timeline
from facility.ui.work.scenario_board import texts_between, with_texts

_KEY, _BASIS, _REFUSED = "scenario-switch", "scenario-basis", "scenario-refused"
_MAX_LABEL = 18
_BASE = "Base"


def choose(name: str) -> None:
    """Show a scenario in the whole app; the project if `name` is empty."""
    if not name:
        timeline.show_base()
        return
    now, project = board.board(), timeline.base().project
    changes = now.changes(now.names.index(name))
    try:
        project = with_texts(project, changes, state.design_of).project
    except FacilityError as error:
        st.session_state[_REFUSED] = (name, error)
        timeline.show_base()
        return
    timeline.show(name, project, partial(_keep, name))
    st.session_state[_BASIS] = _basis(name)


def follow() -> None:
    """Show the scenario again if the project, or the changes of the scenario, are others now."""
    name = scenario.name()
    if name and name not in board.board().names:
        choose("")
    elif name and st.session_state.get(_BASIS) != _basis(name):
        choose(name)


def show(*, narrow: bool = False) -> None:
    """Show the switch, and the actions on the scenario that is shown.

    narrow: Whether it is in a menu, which cannot hold another one.
    """
    now, shown = board.board(), scenario.name()
    names = list(dict.fromkeys([*board.shown_names(), *([shown] if shown else [])]))
    labels = {"": _BASE} | {name: label(name) for name in names}
    st.session_state[_KEY] = shown
    st.segmented_control(
        "Scenario",
        list(labels),
        key=_KEY,
        format_func=labels.__getitem__,
        required=True,
        label_visibility="collapsed",
        on_change=_chosen,
    )
    st.button(
        "New scenario",
        icon=":material/add:",
        key="scenario-new",
        on_click=_begin,
        disabled=len(now.names) >= MAX_SCENARIOS or opened.reads_only(),
        help="New scenario with the changes of the one that is shown",
    )
    if shown and narrow:
        _actions(shown)
    elif shown:
        with st.popover(
            "Scenario", icon=":material/more_vert:", type="tertiary", key="scenario-more"
        ):
            _actions(shown)


def show_refused() -> None:
    """Show once why a scenario cannot be shown."""
    found: tuple[str, FacilityError] | None = st.session_state.pop(_REFUSED, None)
    if found is not None:
        controls.refused(f"Scenario {label(found[0])} cannot be designed", found[1])


def label(name: str) -> str:
    """Return the label of a scenario: its letter with its first change, or its own name."""
    now = board.board()
    changes = now.changes(now.names.index(name)) if name in now.names else {}
    if len(name) > 1 or not changes:
        return name
    entered = ((path, text) for path, text in changes.items() if text)
    path, text = next(entered, next(iter(changes.items())))
    what = text if text and text[0] not in "{[" else path.rpartition(".")[2].replace("_", " ")
    short = what if len(what) <= _MAX_LABEL else f"{what[:_MAX_LABEL]}…"
    return f"{name} · {short if text else f'{short} {DESIGNED}'}"


def _actions(name: str) -> None:
    key = f"scenario-name-{name}"
    st.text_input(
        "Name of the scenario",
        name,
        max_chars=board.MAX_NAME,
        key=key,
        on_change=_rename,
        args=(name, key),
    )
    project = state.session().project
    controls.edit(
        "Make this the project", "check", "scenario-use", board.make_project, name, project
    )
    controls.edit("Remove scenario", "delete", "scenario-drop", board.remove, name)


def _chosen() -> None:
    choose(str(st.session_state.get(_KEY) or ""))


def _begin() -> None:
    name = board.begin(scenario.name())
    if name:
        choose(name)


def _rename(name: str, key: str) -> None:
    after = board.rename(name, str(st.session_state[key]))
    if after != name:
        choose(after)


def _keep(name: str, project: Project) -> None:
    """Store the edit of a scenario as changes of the project."""
    now = board.board()
    known = now.changes(now.names.index(name))
    board.change(name, texts_between(timeline.base().project, project, known))
    st.session_state[_BASIS] = _basis(name)


def _basis(name: str) -> tuple[str, dict[str, str]]:
    now = board.board()
    return now.text, now.changes(now.names.index(name))
