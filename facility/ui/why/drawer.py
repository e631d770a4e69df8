"""The side drawer of every place: explanation of a result."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.why.derivation import RelatedNumber, why
from facility.report.why.known import STUDIES, Known, known
from facility.report.why.names import title_of
from facility.ui.controls import refused
from facility.ui.session import state
from facility.ui.why import navigation
from facility.ui.why.account import show_account
from facility.ui.why.labels import plain
from facility.ui.work import known as checks
from facility.ui.work.ready import ready

_TITLE = "Explanation"


def show_drawer() -> None:
    """Show the drawer if it is open; each fragment that can open it calls this last."""
    if navigation.to_show():
        _drawer()


@st.dialog(_TITLE, position="right", width="medium", on_dismiss=navigation.close)
def _drawer() -> None:
    system = state.unit_system()
    *before, here = navigation.trail()
    _breadcrumb(before, here)
    with st.container(key=f"why-account-{len(before)}"):
        _account(here, system)


def _account(id: str, system: System) -> None:
    """Show the explanation of a result; run the studies if only they can have it."""
    page = navigation.of_page()
    found = page if page is not None and id in page else known_here()
    if id not in found and not found.complete:
        if not _studies_are_run():
            return
        found = known_here()
    try:
        show_account(why(found, id, system), system, links)
    except FacilityError as error:
        refused("Not explained", error)


def known_here() -> Known:
    """Return the explanations of the displayed design, without running anything."""
    return known(state.current(), checks.known().checks)


def _studies_are_run() -> bool:
    """Return whether the studies of the design are done; until then show their progress."""
    if not ready(*STUDIES):
        return False
    tuple(state.current().studies)  # without workers the studies run here
    return True


def _breadcrumb(before: list[str], here: str) -> None:
    """Show the trail, each earlier result as a back button."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="why-way"):
        for index, id in enumerate(before):
            st.button(
                plain(title_of(id)),
                key=f"why-back-{index}",
                on_click=navigation.back,
                args=(index,),
                type="tertiary",
                icon=":material/chevron_left:",
            )
        if before:
            st.text(title_of(here), width="content")


def links(found: list[RelatedNumber], group: str) -> None:
    """Show related results as a list; results with an id are links to their explanations."""
    with st.container(gap="xxsmall"):
        for number, link in enumerate(found):
            _link(link, f"why-{group}-{number}")


def _link(link: RelatedNumber, key: str) -> None:
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="xsmall",
    ):
        if link.id:
            st.button(
                plain(link.title),
                key=key,
                on_click=navigation.on,
                args=(link.id,),
                type="tertiary",
                icon=":material/arrow_forward:",
            )
        else:
            st.text(link.title, width="content")
        argument = f"{link.argument} = " if link.argument else ""
        st.text(f"{argument}{link.value}", width="content")
