"""Keys of the input widgets that edit the project.

The default of a widget is the project value. When another page, undo or another user changes this
value, the widget is recreated under a new key. Writing the value into the session state instead
can be lost: if the run that writes it is interrupted before the browser receives it, the browser
sends the previous text of the widget as if the user had typed it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from facility.ui.session.timeline import session

_BOXES = "boxes"


@dataclass(frozen=True)
class BoxRecords:
    """The widgets shown since the whole project was last replaced."""

    generation: int
    editions: dict[str, int] = field(default_factory=dict)  # By name
    texts: dict[str, str] = field(default_factory=dict)  # Last text by key, also of replaced ones


def key_of(name: str, shown: str) -> str:
    """Return the key of the widget `name` with the default `shown`."""
    if entered_text(name) != shown:
        _records().editions[name] = _records().editions.get(name, 0) + 1
    key = _key(name)
    _records().texts[key] = shown
    return key


def entered_text(name: str) -> str | None:
    """Return the text of the widget `name`; None if it has not been displayed."""
    key = _key(name)
    found: str | None = st.session_state.get(key, _records().texts.get(key))
    return found


def on_entry(key: str, enter: Callable[[str], None]) -> Callable[[], None]:
    """Return the callback of the widget `key`, which calls `enter` with the text of the user.

    The browser may send the value of a widget once more after the page replaced it, and Streamlit
    calls this a change. It must not undo the change that replaced the widget, nor change a project
    opened meanwhile.
    """
    made = session().generation

    def changed() -> None:
        text = str(st.session_state[key] or "").strip()
        if session().generation == made and _records().texts.get(key) != text:
            _records().texts[key] = text
            enter(text)

    return changed


def _records() -> BoxRecords:
    found: BoxRecords | None = st.session_state.get(_BOXES)
    if found is None or found.generation != session().generation:
        found = st.session_state[_BOXES] = BoxRecords(session().generation)
    return found


def _key(name: str) -> str:
    return f"{name}@{session().generation}.{_records().editions.get(name, 0)}"
