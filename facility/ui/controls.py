"""Controls shared by pages: selections, buttons, downloads and error notices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Literal, TypeVar

import streamlit as st

from facility.core.errors import FacilityError
from facility.model.inputs.entries import field_at
from facility.report.tables.names import input_name
from facility.ui.grid.component import show_grid
from facility.ui.grid.tables import values_grid
from facility.ui.session import opened

MIME = {
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".csv": "text/csv",
    ".pdf": "application/pdf",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
    ".yaml": "application/yaml",
    ".json": "application/json",
    ".txt": "text/plain",
    ".parquet": "application/octet-stream",
}
Word = TypeVar("Word", bound=str)
Option = TypeVar("Option")


def one_of(
    title: str,
    names: Mapping[Word, str],
    key: str,
    default: Word | None = None,
    help: str | None = None,
    *,
    titled: bool = True,
) -> Word:
    """Show a segmented selection; the first option is selected unless `default` is given."""
    return st.segmented_control(
        title,
        list(names),
        default=default or next(iter(names)),
        required=True,
        key=key,
        format_func=names.__getitem__,
        help=help,
        label_visibility="visible" if titled else "collapsed",
        persist_state="session",
    )


def one_listed(
    title: str, options: Iterable[Option], key: str, label: Callable[[Option], str] = str
) -> Option:
    """Show a drop-down list with the first option preselected; return the selected option."""
    return st.selectbox(title, list(options), key=key, format_func=label, persist_state="session")


def act(
    title: str,
    icon: str,
    key: str,
    do: Callable[..., None],
    *args: object,
    disabled: bool = False,
    help: str | None = None,
    width: Literal["content", "stretch"] = "content",
) -> None:
    """Show a button, with a material symbol if `icon` is not empty, that calls `do(*args)`."""
    symbol = f":material/{icon}:" if icon else None
    st.button(title, key, help, on_click=do, args=args, icon=symbol, disabled=disabled, width=width)


def edit(
    title: str,
    icon: str,
    key: str,
    do: Callable[..., None],
    *args: object,
    ready: bool = True,
    help: str | None = None,
) -> None:
    """Show the button of a project change, disabled for read-only users."""
    act(title, icon, key, do, *args, disabled=opened.reads_only() or not ready, help=help)


def download(
    title: str,
    name: str,
    content: Callable[[], str | bytes] | str | bytes,
    key: str,
    *,
    disabled: bool = False,
    help: str | None = None,
    width: Literal["content", "stretch"] = "content",
) -> None:
    """Show a download button; a callable creates the file on click, without a page rerun."""
    st.download_button(
        title,
        content,
        name,
        MIME[PurePath(name).suffix],
        key=key,
        help=help,
        on_click="ignore",
        icon=":material/download:",
        disabled=disabled,
        width=width,
    )


def refused(title: str, error: FacilityError) -> None:
    """Show an error: message and hint, and last its code; an input has its name, not its path."""
    st.error(title, icon=":material/error:")
    name = input_name(error.where) if field_at(error.where) is not None else error.where
    st.text(f"{name}: {error.explanation}".removeprefix(": "))
    st.markdown(f":small[:gray[{error.code}]]")


def problems(found: Sequence[FacilityError], key: str) -> None:
    """Show the errors in rows or cells, with their fixes."""
    columns = {
        "Location": [problem.where for problem in found],
        "Reason": [problem.message for problem in found],
        "Fix": [problem.hint for problem in found],
        "Code": [problem.code for problem in found],
    }
    show_grid(values_grid("Errors", columns), key)
