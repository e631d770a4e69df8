"""The pages of the app, and the elements common to all pages."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from facility.catalogue.loader import activate
from facility.study.equipped import project_catalogue
from facility.ui import sidebar, sign_in
from facility.ui.checks.known import known
from facility.ui.inspector import notices
from facility.ui.library import facts, saved, shelf
from facility.ui.many import sweep_state
from facility.ui.memory import keeper
from facility.ui.menu import MENU
from facility.ui.phone import menu
from facility.ui.session import state
from facility.ui.why import navigation
from facility.ui.why.dress import dress
from facility.ui.work import runs

_PROJECTS, _NEW = "projects", "new"
_VIEWS = Path(__file__).with_name("views")


def _page(file: str, title: str, icon: str, address: str) -> st.Page:
    return st.Page(
        _VIEWS / f"{file}.py",
        title=title,
        icon=f":material/{icon}:",
        url_path=address or None,
        default=not address,
    )


def _show() -> None:
    shelf.follow_address()
    if saved.show_missing():
        return
    activate(project_catalogue(state.session().project))
    sidebar.show(of_project=page.url_path != _NEW)
    # Containers are reserved even when empty: if the page moves down, the browser rebuilds it and
    # a table loses the cell that is being edited.
    with st.container():
        saved.show()
    with st.container():
        notices.show()
    sweep_state.end_if_edited()
    page.run()
    if page.url_path != _PROJECTS:  # needs no design
        facts.keep(known())


st.set_page_config(page_title="facility", page_icon="⚡", layout="wide")
sign_in.require()
page = st.navigation(
    {section: [_page(*row) for row in rows] for section, rows in MENU.items()},
    position="top",
    expanded=True,  # for narrow screens, where the sidebar lists the pages
)
navigation.begin()
_show()
dress()
menu.dress()
runs.painted()
keeper.watch()
