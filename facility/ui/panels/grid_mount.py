"""A grid that is edited in place and always shows the data of the session.

The grid keeps its initial rows and the edits on top of them. While the session has the same rows,
the grid is kept, with its selection. When they differ (after undo, or on return to the page), a
new grid replaces it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

Rows = TypeVar("Rows")


@dataclass(frozen=True)
class Mount(Generic[Rows]):
    """A grid on the page: its key and its initial rows."""

    name: str
    number: int
    base: Rows

    @property
    def key(self) -> str:
        """Key of the widget."""
        return f"{self.name}@{self.number}"

    @property
    def delta(self) -> Mapping[str, Any]:
        """Edits made in the grid: ``edited_rows``, ``added_rows``, ``deleted_rows``."""
        found = st.session_state.get(self.key)
        return found if found is not None else {}


def mounted(name: str, now: Rows, shows: Callable[[Mount[Rows]], bool]) -> Mount[Rows]:
    """Return the grid `name`: the existing one, or a new one with the rows `now`.

    name: Name of the grid, including its subject.
    now: Rows of the session.
    shows: Returns whether a grid with its edits shows the rows of the session.
    """
    state_key = f"mount-{name}"
    mount: Mount[Rows] | None = st.session_state.get(state_key)
    if mount is None or not shows(mount):
        number = 0 if mount is None else mount.number + 1
        mount = st.session_state[state_key] = Mount(name, number, now)
    return mount
