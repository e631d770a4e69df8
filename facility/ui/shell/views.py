"""The views of a place: one is shown below the bar, named in the URL, listed in the sidebar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from facility.ui.blocks.blocks import Look
from facility.ui.blocks.component import ListGroup, ListRow, show_list
from facility.ui.inspector import notices
from facility.ui.library import facts, saved
from facility.ui.scenarios import switch
from facility.ui.shell import bar
from facility.ui.work.known import known

VIEW = "view"
"""URL parameter of the view."""


@dataclass(frozen=True)
class ViewLine:
    """The content of a view in one line, and its status."""

    text: str
    status: str
    look: Look = ""


@dataclass(frozen=True)
class View:
    """A view of a place. `key` is its name in the URL, `show` displays it."""

    key: str
    title: str
    icon: str
    show: Callable[[], None]
    of_project: bool = True  # Whether it shows the open project
    line: Callable[[], ViewLine] | None = None  # Its content in the list of views


def show(place: str, views: Sequence[View]) -> None:
    """Show the selected view of a place, and list all in the sidebar if there are several."""
    by_key = {view.key: view for view in views}
    stored = f"view-of-{place}"
    requested = st.query_params.get(VIEW) or st.session_state.get(stored)
    chosen = by_key.get(requested or "", views[0])
    st.session_state[stored] = chosen.key
    if len(views) > 1:
        st.query_params[VIEW] = chosen.key
        listed = st.sidebar.container(gap="xxsmall", key=f"views-{place}")
        with listed:
            for view in views:
                if view.line is not None:
                    continue
                st.button(
                    view.title,
                    icon=f":material/{view.icon}:",
                    key=f"view-{place}-{view.key}" + ("-chosen" if view is chosen else ""),
                    type="tertiary",
                    width="stretch",
                    on_click=_choose,
                    args=(view.key,),
                )
    bar.show(of_project=chosen.of_project)
    # Containers are reserved even when empty: if the page moves down, the browser rebuilds it and
    # a table loses the cell that is being edited.
    with st.container():
        saved.show()
        switch.show_refused()
    with st.container():
        notices.show(place)
    chosen.show()
    if len(views) > 1 and chosen.line is not None:
        with listed:  # filled last: a view that is shown may begin a run
            _list(place, views, chosen)
    if chosen.of_project:
        facts.keep(known())


def _list(place: str, views: Sequence[View], chosen: View) -> None:
    """List the views with their content."""
    rows = []
    for view in views:
        line = ViewLine("", "") if view.line is None else view.line()
        rows.append(ListRow(view.key, view.title, line.text, remark=line.status, look=line.look))
    show_list([ListGroup("", rows)], f"list-{place}", place.capitalize(), _choose, chosen.key)


def _choose(key: str) -> None:
    st.query_params[VIEW] = key
