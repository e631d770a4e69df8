"""Card of the selected equipment: figures, sources and actions."""

from __future__ import annotations

from functools import partial

import streamlit as st

from facility.core.views import System
from facility.power.network.graph.types import Equipment, Network
from facility.power.network.outages.opened import MAX_OPENED
from facility.report.drawings.live.card import card_rows, card_title, why_key
from facility.report.drawings.live.moments import LiveState
from facility.report.sheet.grid import TextTable
from facility.report.why.pages import of_card
from facility.study.design.design import Design
from facility.ui import displays
from facility.ui.canvas import opened
from facility.ui.controls import act
from facility.ui.session import state
from facility.ui.why import navigation


def show_card(design: Design, live: LiveState, tags: tuple[str, ...], system: System) -> None:
    """Show the card of equipment, or of a breaker symbol that represents several breakers."""
    network = design.states.network
    if len(tags) > 1:
        tag = st.selectbox(f"Unit ({len(tags):,} identical)", tags, key="card-which")
    else:
        tag = tags[0]
    if tag in network.index:
        _equipment(design, live, network[tag], system)
    else:
        _breaker(live, tag, tags)
    st.button("Close card", key="card-close", on_click=partial(opened.select, ()))


def is_shown(network: Network, tags: tuple[str, ...]) -> bool:
    """Return whether the selected tags exist in the network, which may have changed."""
    circuits = {link.circuit for _, link in network.links}
    return bool(tags) and all(tag in network.index or tag in circuits for tag in tags)


def _equipment(design: Design, live: LiveState, one: Equipment, system: System) -> None:
    st.markdown("##### Equipment")
    title = card_title(one)
    st.text(title)
    rows = list(card_rows(design, one, live.flow, system))
    page, ids = of_card(title, rows, live.words)
    table = TextTable("", ("Quantity", "Value"), [row[:2] for row in rows], keys=ids)
    displays.table(table, "card", page)
    sources: dict[str, dict[str, None]] = {}
    for row in rows:
        if row.source:
            sources.setdefault(row.source, {})[row.quantity] = None
    lines = [f"{', '.join(names)}: {source}." for source, names in sources.items()]
    key = why_key(design, one)
    st.text("\n".join(lines))
    with st.container(horizontal=True):
        if key:
            act("Explain result", "help", "card-why", navigation.ask, key)
        if one.kind == "panel":
            act("Open panel schedule", "table_rows", "card-schedule", _choose, design, one.tag)
        for unit in _parts(one):
            is_open = unit in live.opened
            words, icon = _action(unit, one, is_open), "power" if is_open else "power_off"
            act(words, icon, f"card-out-{unit}", opened.switch, unit)
    if st.session_state.pop("card-go", False):
        state.go_to("design", "panels")


def _parts(one: Equipment) -> tuple[str, ...]:
    """Return the tags that can be taken out of service: the first unit, and all units."""
    return (one.tag,) if len(one.unit_tags) == 1 else (one.unit_tags[0], one.tag)


def _action(unit: str, one: Equipment, is_open: bool) -> str:
    what = ""
    if len(one.unit_tags) > 1:
        what = " all units" if unit == one.tag else " one unit"
    return f"Return{what} to service" if is_open else f"Take{what} out of service"


def _choose(design: Design, tag: str) -> None:
    """Select a panel for the page Panels."""
    for index, panel in enumerate(design.panels.panels):
        if panel.tag == tag:
            st.session_state["panel-mode"] = "design"
            st.session_state["panel-hall"] = panel.hall
            st.session_state["panel-index"] = index
            st.session_state["card-go"] = True


def _breaker(live: LiveState, tag: str, tags: tuple[str, ...]) -> None:
    st.markdown("##### Breaker")
    st.text(f"Circuit {tag}")
    is_open = tag in live.opened
    with st.container(horizontal=True):
        act("Close breaker" if is_open else "Open breaker", "", "card-breaker", opened.switch, tag)
        if 1 < len(tags) <= MAX_OPENED:
            st.button(
                f"Open all {len(tags)} breakers",
                key="card-all",
                on_click=partial(opened.open_all, tags),
            )
