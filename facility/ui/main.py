"""The places of the app, and the frame that they share."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

from facility.catalogue.loader import activate
from facility.study.equipped import project_catalogue
from facility.ui import sign_in
from facility.ui.addresses import MOVED, PLACES
from facility.ui.documents import issuing
from facility.ui.library import merging, saved, shelf
from facility.ui.memory import released
from facility.ui.objects.find import show_dialogs
from facility.ui.scenarios import switch
from facility.ui.session import state
from facility.ui.shell import style
from facility.ui.studies import requests
from facility.ui.why import navigation
from facility.ui.work import runs
from facility.ui.work.known import open_findings

_LOGO = Path(__file__).with_name("shell") / "assets" / "logo.svg"
_PLACES = Path(__file__).with_name("places")


def _pages() -> list[st.Page]:
    """Return the places, and a hidden page for each address of earlier versions.

    The first visit shows the design of the embedded project: a complete result.
    """
    count = open_findings()
    places = [
        st.Page(
            _PLACES / f"{place}.py",
            title=f"{title} **{count}**" if count and place == "checks" else title,
            url_path="first" if place == "design" else place,  # only reserved: its URL is empty
            default=place == "design",
        )
        for place, title in PLACES.items()
    ]
    about = st.query_params.get("o", "")
    moved = [
        st.Page(
            partial(state.go_to, *there, about),
            title=address,
            url_path=address,
            visibility="hidden",
        )
        for address, there in MOVED.items()
    ]
    return [*places, *moved]


def _show() -> None:
    shelf.follow_address()
    if saved.show_missing():
        return
    merging.merge_disjoint()
    switch.follow()
    issuing.settle()
    activate(project_catalogue(state.session().project))
    requests.stop_stale("sweep")
    if page.url_path != "documents":
        runs.release(runs.PREVIEW)
    page.run()


st.set_page_config(page_title="facility", page_icon="⚡", layout="wide")
st.logo(_LOGO, size="large")
sign_in.require()
page = st.navigation(_pages(), position="top", expanded=True)
if page.url_path in MOVED:
    shelf.follow_address()
    page.run()
with navigation.defer_dialogs():
    _show()
show_dialogs()
style.apply()
runs.painted()
released.watch()
