"""Override of an assumption: value, reason and author, entered in one step."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from facility.core.errors import FacilityError
from facility.core.views import printed_text, show_exact
from facility.model.inputs.entries import field_at
from facility.study.design.design import Design
from facility.study.overrides import input_of
from facility.ui import controls
from facility.ui.session import state
from facility.ui.session.title import generated_title

_REFUSED = "override-refused"


def show(design: Design, id: str, path: str) -> None:
    """Show the assumed value, and the inputs that override it."""
    one, field = next(found for found in design.ledger if found.id == id), field_at(path)
    assumed = one.text or show_exact(one.value or 0.0, one.kind, state.unit_system())
    st.text(f"Assumed: {assumed}, {printed_text(one.basis)}.")
    words = list(field.words) if field is not None else []
    value, reason, by = st.columns([2, 4, 2], vertical_alignment="bottom")
    with value:
        text = (
            st.selectbox("New value", words, key=f"override-value-{id}")
            if words
            else st.text_input("New value", key=f"override-value-{id}", placeholder=assumed)
        )
    why = reason.text_input("Reason", key=f"override-reason-{id}", max_chars=200)
    who = by.text_input("Decided by", key=f"override-by-{id}", max_chars=100)
    number = len(state.session().project.overridden or ())
    record = {"assumption": id, "reason": why, "by": who}
    changes = {path: text or ""}
    changes |= {f"overridden.{number}.{name}": words for name, words in record.items()}
    ready = all(part and part.strip() for part in (text, why, who))
    help, label = "Enter a value, a reason and a name. Undo reverts it.", f"{id} overridden"
    controls.edit(
        "Override assumption", "", "override-now", give, changes, label, ready=ready, help=help
    )


def of_input(path: str) -> str:
    """Return the assumption that the value of an input overrides; empty if none."""
    listed = state.session().project.overridden or ()
    return next((one.assumption for one in listed if input_of(one.assumption) == path), "")


def without(id: str) -> dict[str, str]:
    """Return the changes that remove the override of an assumption and its reason."""
    listed = state.session().project.overridden or ()
    mine = [number for number, one in enumerate(listed) if one.assumption == id]
    return {input_of(id): ""} | {f"overridden.{number}": "" for number in reversed(mine)}


def give(changes: Mapping[str, str], label: str) -> None:
    """Apply changes in one step; store the error if they are rejected."""
    st.session_state[_REFUSED] = state.enter_all(changes, label)


def reset(path: str) -> None:
    """Remove the value of an input, and the override of an assumption to which it belongs.

    An empty title is generated from the inputs.
    """
    if path == "project.title":
        state.enter(path, generated_title(state.session().project))
        return
    overridden = of_input(path)
    if overridden:
        give(without(overridden), f"{path} cleared")
    else:
        state.enter(path, "")


def show_refused() -> None:
    """Show the error of the last changes, once."""
    refused: FacilityError | None = st.session_state.pop(_REFUSED, None)
    if refused is not None:
        controls.refused("Change not applied", refused)
