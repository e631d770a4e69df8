"""The drawer at the side of every page: how a number came about, and the search."""

from __future__ import annotations

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import System
from facility.report.why.derivation import RelatedNumber, why
from facility.report.why.known import STUDIES, Known, known
from facility.report.why.names import title_of
from facility.report.why.search import Hit, search
from facility.ui.checks import known as checks
from facility.ui.controls import act
from facility.ui.session import state
from facility.ui.why import asked
from facility.ui.why.account import show_account
from facility.ui.why.dress import dress
from facility.ui.why.labels import plain
from facility.ui.work.ready import ready

_TITLE = "Why this number"
_PLACEHOLDER = "A key or words: generator rating, PUE"


def show_drawer() -> None:
    """Show the drawer where it is open; every part of a page that opens it calls this last."""
    if asked.to_show():
        _drawer()


@st.fragment
def show_search() -> None:
    """Show the button of the search, which opens the drawer."""
    st.button(
        "Search",
        on_click=asked.look,
        icon=":material/search:",
        shortcut="Ctrl+K",
        help="Search all results, assumptions and checks",
        key="why-search",
    )
    show_drawer()


@st.dialog(_TITLE, position="right", width="medium", on_dismiss=asked.close)
def _drawer() -> None:
    system = state.unit_system()
    st.text_input(
        "Search results, assumptions and checks",
        key=asked.WORDS,
        type="search",
        live=True,
        max_chars=80,
        placeholder=_PLACEHOLDER,
        icon=":material/search:",
    )
    words = st.session_state[asked.WORDS]
    if not asked.trail():
        dress(f"search-{asked.looks()}")
    if words or not asked.trail():
        _hits(words, system)
        return
    *before, here = asked.trail()
    _breadcrumb(before, here)
    with st.container(key=f"why-account-{len(before)}"):
        _account(here, system)


def _account(id: str, system: System) -> None:
    """Show how a number came about; where only a study can have it, the studies are run."""
    page = asked.of_page()
    found = page if page is not None and id in page else known_here()
    if id not in found and not found.complete:
        if not _studies_are_run():
            return
        found = known_here()
    try:
        show_account(why(found, id, system), system, links)
    except FacilityError as error:
        st.error(error.code, icon=":material/error:")
        st.text(str(error))


def known_here() -> Known:
    """Return what is known of the design shown, which nothing is worked out for."""
    return known(state.current(), checks.known().checks)


def _studies_are_run() -> bool:
    """Return whether the design has its studies; until then, show how far they are."""
    if not ready(*STUDIES):
        return False
    tuple(state.current().studies)  # without workers they are worked out here
    return True


def _breadcrumb(before: list[str], here: str) -> None:
    """Show the way here, each step of it as a button back."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="why-way"):
        for place, id in enumerate(before):
            st.button(
                plain(title_of(id)),
                key=f"why-back-{place}",
                on_click=asked.back,
                args=(place,),
                type="tertiary",
                icon=":material/chevron_left:",
            )
        if before:
            st.text(title_of(here), width="content")


def _hits(words: str, system: System) -> None:
    if asked.includes_studies() and not _studies_are_run():
        return
    found = known_here()
    hits = search(found, words, system)
    if words and not hits.hits:
        st.text("Nothing has these words.")
    elif hits.instead:
        st.text(f"Nothing has these words; these have: {hits.instead}")
    links([RelatedNumber(hit.title, _told(hit), hit.id) for hit in hits.hits], "hit")
    if hits.more:
        st.text(f"and {hits.more:,} more: add a word")
    if not found.complete:
        st.text("Studies that have not been run yet are not searched.")
        act("Search them too", "manage_search", "why-include", asked.include_studies)


def _told(hit: Hit) -> str:
    return f"{hit.value} · {hit.sort}"


def links(found: list[RelatedNumber], group: str) -> None:
    """Show numbers one below the other; those that are steps can be asked about in turn."""
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
                on_click=asked.on,
                args=(link.id,),
                type="tertiary",
                icon=":material/arrow_forward:",
            )
        else:
            st.text(link.title, width="content")
        argument = f"{link.argument} = " if link.argument else ""
        st.text(f"{argument}{link.value}", width="content")
