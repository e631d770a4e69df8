"""A table pasted as text, or a file: previewed, with what is wrong row by row, then taken over."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from facility.core.errors import FacilityError
from facility.power.panels.board.model import Panel
from facility.ui.panels.answers import panel_key
from facility.ui.panels.intake import MAX_UPLOAD_MB, Intake, read_pasted, read_upload
from facility.ui.session import opened, state
from facility.ui.session.own_panel import own_of

_ROW_PX = 27
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
        st.error(f"Not read: {error.code}", icon=":material/error:")
        st.text(str(error))
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
        st.dataframe(
            {"refused at": [problem.where for problem in one.problems],
             "why": [problem.message for problem in one.problems],
             "how to mend": [problem.hint for problem in one.problems],
             "code": [problem.code for problem in one.problems]},
            hide_index=True, width="stretch", row_height=_ROW_PX, key=f"problems-{key}",
        )  # fmt: skip
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
    _offer(panel, key, refused=opened.reads_only() or bool(one.problems))


def _offer(panel: Panel, key: str, *, refused: bool) -> None:
    """Show what takes a panel over: in place of the one that is shown, or as one more."""
    with st.container(horizontal=True):
        st.button(
            "Take it over", icon=":material/check:", key=f"take-{key}",
            disabled=refused, on_click=_taken, args=(panel,),
            help="Replaces the panel of your own that is shown; can be undone.",
        )  # fmt: skip
        st.button(
            "Take it over as a new panel", icon=":material/add:", key=f"take-new-{key}",
            disabled=refused, on_click=_taken_anew, args=(panel,),
        )  # fmt: skip


def _taken(panel: Panel) -> None:
    state.edit_own(own_of(panel), "own panel, taken over")


def _taken_anew(panel: Panel) -> None:
    state.show_own(state.session().own_panels.with_new(own_of(panel)), "own panel, new")
