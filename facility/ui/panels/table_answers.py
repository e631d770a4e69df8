"""Answers to the questions of a circuit table: headings, panel data, decimal sign."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from facility.core.errors import FacilityError
from facility.files.circuit_table.headings import LOAD_FIELDS, UNITS, Headings
from facility.files.circuit_table.read import TableAnswers
from facility.files.import_panel.read import PanelImport
from facility.files.incoming.columns import IGNORE, plain, vocabulary
from facility.files.incoming.text_table import Decimal

_PANEL, _FACTOR, _SIGN, _MEANT = (f"import-{key}" for key in ("data", "pf", "sign", "meant"))
_AUTOMATIC = "Detect automatically"
_SIGNS: dict[str, Decimal | None] = {_AUTOMATIC: None, "12.5 (point)": ".", "12,5 (comma)": ","}
_PER_ROW = 3
_FIELD_NAMES = {
    "position": "Circuit number",
    "description": "Description",
    "poles": "Poles",
    "breaker_a": "Breaker rating",
    "va": "Circuit load",
    "va_b": "Load, second pole",
    "va_c": "Load, third pole",
    "phase_a": "Load, phase A",
    "phase_b": "Load, phase B",
    "phase_c": "Load, phase C",
    "phases": "Phases",
    "pf": "Power factor",
    IGNORE: "Not read",
}


def stated_answers() -> TableAnswers:
    """Return what the user has stated about the uploaded table."""
    session = st.session_state
    factor = session.get(_FACTOR)
    return TableAnswers(
        columns=dict(session.get(_MEANT, {})),
        decimal=_SIGNS[session.get(_SIGN) or _AUTOMATIC],
        panel=session.get(_PANEL) or "",
        power_factor=factor,
    )


def forget_answers() -> None:
    """Forget the answers with their file."""
    for key in (_PANEL, _FACTOR, _SIGN, _MEANT):
        st.session_state.pop(key, None)


def show_answers(found: Sequence[PanelImport], error: FacilityError | None) -> None:
    """Show the fields that answer the questions of the table; unfolded if there are any.

    found: Panels as read with the answers until now.
    error: Why nothing was read.
    """
    problems = [problem for one in found for problem in one.problems]
    questions = [p for p in problems if p.code in ("TABLE_QUESTION", "PANEL_POWER_FACTOR")]
    with st.expander("Columns and panel data", expanded=bool(questions or error)):
        for problem in questions:
            st.text(f"{problem.where}: {problem.message}")
        for one in found:
            if one.headings is not None:
                _columns(one.headings, one.sheet)
        left, middle, right = st.columns(3)
        left.text_input(
            "Panel data",
            key=_PANEL,
            placeholder="RPP-1A; 208Y/120; 42; 225 A",
            help="Tag, system, poles and bus rating, if not in the file.",
        )
        middle.selectbox("Decimal sign", list(_SIGNS), key=_SIGN)
        right.number_input(
            "Power factor",
            min_value=0.01,
            max_value=1.0,
            value=None,
            step=0.01,
            key=_FACTOR,
            help="Applies to circuits without a power factor.",
        )


def _columns(headings: Headings, sheet: str) -> None:
    """Show each heading with its first cell and a selection of its field and unit."""
    options = [f for f in vocabulary("circuits").fields if f not in LOAD_FIELDS]
    units = tuple(dict.fromkeys(UNITS.values()))
    options += [f"{field} {unit}" for field in LOAD_FIELDS for unit in units] + [IGNORE]
    named = {one.heading: one for one in reversed(headings.columns) if one.heading}
    locations = st.columns(_PER_ROW)
    for number, column in enumerate(sorted(named.values(), key=lambda one: one.number)):
        meant = column.field or IGNORE
        current = f"{meant} {column.unit}" if meant in LOAD_FIELDS and column.unit else meant
        choices = options if current in options else [current, *options]
        key = f"import-column-{sheet}-{column.number}"
        locations[number % _PER_ROW].selectbox(
            f"{column.heading} ({column.example or 'empty'})",
            choices,
            index=choices.index(current),
            key=key,
            format_func=_named,
            on_change=_meant,
            args=(column.heading, key),
        )


def _named(option: str) -> str:
    field, _, unit = option.partition(" ")
    name = _FIELD_NAMES.get(field, field.replace("_", " ").capitalize())
    return f"{name} ({unit})" if unit else name


def _meant(heading: str, key: str) -> None:
    st.session_state[_MEANT] = {
        **st.session_state.get(_MEANT, {}),
        plain(heading): st.session_state[key],
    }
