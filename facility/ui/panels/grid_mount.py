"""A grid that is edited in place, and yet always shows what the session holds.

The grid keeps the rows it was given and lays edits over them. As long as the session holds just
these rows with these edits, the grid stays, with its selection; where it holds anything else (after
an undo, or a page was left), a new grid takes its place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

Rows = TypeVar("Rows")


@dataclass(frozen=True)
class Mount(Generic[Rows]):
    """A grid on the page: its key, and the rows it was given."""

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
    """Return the grid called `name`: the one on the page, or a new one with the rows `now`.

    name: Name of the grid, with whatever it is a grid of.
    now: Rows that the session holds.
    shows: Whether a grid with its edits shows what the session holds.
    """
    place = f"mount-{name}"
    mount: Mount[Rows] | None = st.session_state.get(place)
    if mount is None or not shows(mount):
        number = 0 if mount is None else mount.number + 1
        mount = st.session_state[place] = Mount(name, number, now)
    return mount
