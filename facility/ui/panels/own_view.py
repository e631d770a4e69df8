"""Panels that the visitor brings: header, circuits to type, paste or open, balance, exports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from facility.core.errors import FacilityError
from facility.files.panel_csv.document import write_panel_csv
from facility.files.workbook.book import own_workbook
from facility.physics.circuits.currents import continuous_limit
from facility.power.panels.board.model import Panel
from facility.study.design.design import Design
from facility.ui import boxes, controls
from facility.ui.panels import export as panel_export
from facility.ui.panels.answers import panel_key
from facility.ui.panels.grid_mount import Mount, mounted
from facility.ui.panels.intake import MAX_UPLOAD_MB, Intake, read_pasted, read_upload
from facility.ui.panels.workbench import Bench, show_circuit_numbers, show_workbench
from facility.ui.session import opened, state
from facility.ui.session.own_panel import (
    HEADER,
    OwnPanel,
    OwnPanels,
    own_of,
    own_panel,
    own_problems,
)

_ROW_PX = 27
_FIELD_PX = 142
_CHARACTER_PX, _CELL_PX = 8, 20
_LABELS = {
    "panel": "Tag",
    "system": "System",
    "poles": "Poles",
    "bus": "Bus",
    "main": "Main",
    "numbering": "Numbering",
}
_NUMBERINGS = ("US", "IEC")
_WIDTHS = {
    "description": 190,
    "poles": 80,
    "va": 75,
    "pf": 65,
    "breaker_a": 105,
    "position": 95,
    "fixed": 75,
    "class": 85,
    "side": 75,
    "partner": 88,
}
_EXAMPLE = "The example becomes a panel of yours with its first change."
_RIGHT = ("poles", "va", "pf", "breaker_a", "position", "va_b", "va_c")
_HELP = {
    "va": "Whole circuit; or its first leg where va_b and va_c are given",
    "pf": "Power factor, above 0 and at most 1",
    "breaker_a": "Trip rating in A; empty where it is not known",
    "position": "Number of the first pole; empty leaves it to the balancing",
    "fixed": "yes or no; balancing leaves a fixed circuit where it is",
    "side": "Feed; partners on different sides of one panel never count in full together",
    "partner": "Id of the circuit that feeds the same rack",
}


def show_own_panel(design: Design) -> None:
    """Show an own panel, and the choice of which."""
    _panels(state.session().own_panels)
    own = state.session().own
    _header(own.entered)
    _problems(own.entered)
    panel = own_panel(own.accepted)
    circuits, brought = st.tabs(["Circuits", "Paste or open a table"])
    with circuits:
        _grid(own.entered)
        shown = _state(panel)
        show_circuit_numbers(panel, shown, "own")
        _downloads(panel, design)
        waiting = own.entered != own.accepted
        bench = Bench("own", panel, _limit(panel, design), shown, _applied, waiting)
        show_workbench(bench, balance_at_once=True)
    with brought:
        show_intake(panel)


def _panels(own: OwnPanels) -> None:
    """Show the choice of the panel, and what adds and removes one."""
    names = {title: name for name, title in own.titles.items()}
    title = own.titles[own.shown]
    key = boxes.key_of("own-shown", title)

    def chosen() -> None:
        # A title that a panel had before names none
        name, now = names.get(st.session_state[key], ""), state.session().own_panels
        if name in now.entries:
            state.show_own(replace(now, shown=name), "own panel, shown")

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            f"{len(names)} panels of your own" if len(names) > 1 else "Panel of your own",
            list(names),
            list(names).index(title),
            key=key,
            on_change=state.of_this(chosen),
            width=300,
        )
        _offers(own)


def _offers(own: OwnPanels) -> None:
    """Show the buttons that add and remove a panel."""
    for what, icon, help, change, label in (
        ("New", "add", "With this header and no circuits.", _with_empty, "new"),
        ("Duplicate", "content_copy", "Its header and circuits.", _with_copy, "duplicated"),
        ("Remove", "delete", "Can be undone.", OwnPanels.without_shown, "removed"),
    ):
        changes, do = change(own) != own, partial(_change, change, f"own panel, {label}")
        shown = help if changes else _EXAMPLE
        controls.edit(what, icon, f"own-{label}", state.of_this(do), ready=changes, help=shown)


def _change(change: Callable[[OwnPanels], OwnPanels], label: str) -> None:
    """Change the own panels as they are once the button is pressed."""
    state.show_own(change(state.session().own_panels), label)


def _with_empty(own: OwnPanels) -> OwnPanels:
    return own.with_new(_empty(own))


def _with_copy(own: OwnPanels) -> OwnPanels:
    return own.with_new(own.entries[own.shown].accepted)


def _empty(own: OwnPanels) -> OwnPanel:
    """Return a panel with the header of the one shown, a tag of its own and no circuits."""
    header, tags = own.entries[own.shown].accepted, {*own.titles.values()}
    tag = next(tag for n in range(len(tags) + 1) if (tag := f"PANEL-{n + 1}") not in tags)
    return OwnPanel(header.with_field("panel", tag).header, ())


def _header(own: OwnPanel) -> None:
    with st.container(horizontal=True):
        for key in HEADER:
            value = own.field(key)
            widget = boxes.key_of(f"own-{key}", value)
            entered = _entered(widget, key)
            if key == "numbering":
                known = [*dict.fromkeys([*_NUMBERINGS, value])]
                st.selectbox(
                    _LABELS[key],
                    known,
                    known.index(value),
                    key=widget,
                    on_change=entered,
                    disabled=opened.reads_only(),
                    width=_FIELD_PX,
                )
            else:
                st.text_input(
                    _LABELS[key],
                    value,
                    max_chars=64,
                    key=widget,
                    on_change=entered,
                    disabled=opened.reads_only(),
                    width=_FIELD_PX,
                )


def _entered(widget: str, key: str) -> Callable[[], None]:
    def entered() -> None:
        own = state.session().own.entered
        state.edit_own(own.with_field(key, st.session_state[widget] or ""), "own panel, header")

    return state.of_this(entered)


def _problems(own: OwnPanel) -> None:
    found = own_problems(own)
    if not found:
        return
    codes = ", ".join(dict.fromkeys(problem.code for problem in found))
    st.error(f"Not applied: {codes}", icon=":material/error:")
    lines = "\n".join(str(problem) for problem in found)
    st.text(
        f"{lines}\nWhat was entered stays. Results are those of the last panel that could be read."
    )


def _grid(own: OwnPanel) -> None:
    shown = state.session().own_panels.shown
    mount = mounted("own", (shown, own), lambda grid: _shows(grid, (shown, own)))
    base = mount.base[1]

    def changed() -> None:
        after = base.edited(st.session_state[mount.key])
        entered = state.session().own.entered
        state.edit_own(OwnPanel(entered.header, after.rows), "own panel, circuits")

    names = base.shown_columns
    cells = base.columns(names)
    st.data_editor(
        # Of no rows too it is known that they hold text
        {name: np.array(column, dtype=object) for name, column in cells.items()},
        key=mount.key,
        on_change=state.of_this(changed),
        num_rows="fixed" if opened.reads_only() else "dynamic",
        disabled=opened.reads_only(),
        hide_index=True,
        height="content",
        row_height=_ROW_PX,
        column_config={name: _column(name, cells[name]) for name in names},
        alt="Circuits of your own panel, to type or to paste",
    )
    st.text(
        "Copy cells in Excel, click the first cell here and paste; rows are added as needed. "
        "Only description, poles, va and pf must be given."
    )


def _shows(grid: Mount[tuple[str, OwnPanel]], now: tuple[str, OwnPanel]) -> bool:
    (name, base), (shown, own) = grid.base, now
    return name == shown and base.edited(grid.delta).rows == own.rows


def _column(name: str, cells: Sequence[str]) -> Any:
    """Return how a column is shown: a number is never cut, whatever its digits."""
    longest = max((len(cell) for cell in cells), default=0) if name in _RIGHT else 0
    return st.column_config.TextColumn(
        name,
        width=max(_WIDTHS.get(name, 95), _CHARACTER_PX * longest + _CELL_PX),
        help=_HELP.get(name),
        alignment="right" if name in _RIGHT else "left",
    )


def _state(panel: Panel) -> int:
    if len(panel.states) == 1:
        return 0
    return st.selectbox(
        "State",
        range(len(panel.states)),
        key="own-state",
        required=True,
        format_func=lambda n: panel.states[n],
    )


def _downloads(panel: Panel, design: Design) -> None:
    if not panel.placed:
        return
    with st.container(horizontal=True):
        panel_export.show_downloads(
            panel.tag,
            lambda: own_workbook(panel, design),
            lambda: write_panel_csv(panel).encode(),
            key="own",
        )


def _limit(panel: Panel, design: Design) -> float | None:
    """Show and return the largest continuous line current, by the criteria of the project [A]."""
    if panel.rating_a is None:
        st.text("Neither bus nor main is rated: line currents are held against no limit.")
        return None
    criteria = design.facility.criteria
    factor = 1.0 if panel.listed_100 else criteria.continuous_factor
    limit_a = float(continuous_limit.si(panel.rating_a, factor))
    why = "listed for 100 %" if panel.listed_100 else f"{criteria.code} {criteria.edition}"
    st.text(
        f"Limit of {panel.tag}: {panel.rating_a:g} A over the factor {factor:g} on continuous load "
        f"({why}, as in the project) = {limit_a:.0f} A."
    )
    return limit_a


def _applied(placed: Panel, label: str) -> None:
    own = state.session().own.accepted
    state.edit_own(own.with_positions(placed), label)


_MOST_SHOWN = 100


def show_intake(frame: Panel) -> None:
    """Show the inputs for tables and files, and what is found in them."""
    left, right = st.columns(2, gap="medium")
    with left:
        text = st.text_area(
            "Paste a table, headings in its first row",
            key="pasted",
            height=170,
            max_chars=200_000,
            persist_state="session",
            placeholder="description\tpoles\tva\tpf\tbreaker_a\tposition\tfixed",
        )
    with right:
        file = st.file_uploader(
            "Or open a schedule or table",
            type=["xlsx", "csv"],
            key="panel-file",
            max_upload_size=MAX_UPLOAD_MB,
        )
        st.text("A workbook written here and edited, or a sheet with the headings of a table.")
    if file is not None:
        _show_found(lambda: _uploaded(file.getvalue(), file.name, panel_key(frame), frame), "file")
    if text and text.strip():
        _show_found(lambda: (read_pasted(text, frame),), "text")


@st.cache_resource(max_entries=8, show_spinner=False)
def _uploaded(content: bytes, name: str, key: str, _frame: Panel) -> tuple[Intake, ...]:
    return read_upload(content, name, _frame)


def _show_found(read: Callable[[], tuple[Intake, ...]], key: str) -> None:
    try:
        with st.spinner("Reading …"):
            found = read()
    except FacilityError as error:
        controls.refused("Not read", error)
        return
    chosen = 0
    if len(found) > 1:
        chosen = st.selectbox(
            f"Panel ({len(found)} in the file)",
            range(len(found)),
            key=f"found-{key}",
            format_func=lambda n: found[n].panel.tag,
            required=True,
        )
    _preview(found[min(chosen, len(found) - 1)], key)


def _preview(one: Intake, key: str) -> None:
    panel = one.panel
    st.markdown("##### Preview")
    st.text("\n".join([
        f"Panel {panel.tag} from {one.source}: {panel.system} V, {panel.poles} poles, "
        f"{len(panel.circuits)} circuits read, {len(one.problems)} rows or cells refused",
        *one.remarks,
    ]))  # fmt: skip
    if one.problems:
        controls.problems(one.problems, f"problems-{key}")
    if one.differences:
        st.dataframe(
            {"circuit": [d.circuit for d in one.differences],
             "field": [d.field for d in one.differences],
             "was": ["" if d.was is None else str(d.was) for d in one.differences],
             "is": ["" if d.now is None else str(d.now) for d in one.differences],
             "where": [d.where for d in one.differences]},
            hide_index=True, width="stretch", row_height=_ROW_PX, key=f"differences-{key}",
        )  # fmt: skip
    shown = panel.circuits[:_MOST_SHOWN]
    st.dataframe(
        {"description": [c.description for c in shown], "poles": [c.poles for c in shown],
         "VA": [f"{abs(c.total_va()):,.0f}" for c in shown],
         "trip A": ["" if c.breaker_a is None else f"{c.breaker_a:g}" for c in shown],
         "position": ["" if c.position is None else str(c.position) for c in shown],
         "fixed": ["yes" if c.fixed else "no" for c in shown],
         "class": [c.class_code for c in shown]},
        hide_index=True, width="stretch", row_height=_ROW_PX, key=f"preview-{key}",
    )  # fmt: skip
    _offer(panel, key, ready=not one.problems)


def _offer(panel: Panel, key: str, *, ready: bool) -> None:
    """Show what takes a panel over: in place of the one that is shown, or as one more."""
    with st.container(horizontal=True):
        edit, help = controls.edit, "Replaces the panel of your own that is shown; can be undone."
        edit("Take it over", "check", f"take-{key}", _taken, panel, ready=ready, help=help)
        title = "Take it over as a new panel"
        edit(title, "add", f"take-new-{key}", _taken_anew, panel, ready=ready)


def _taken(panel: Panel) -> None:
    state.edit_own(own_of(panel), "own panel, taken over")


def _taken_anew(panel: Panel) -> None:
    state.show_own(state.session().own_panels.with_new(own_of(panel)), "own panel, new")
