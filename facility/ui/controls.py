"""Controls that many pages show: words to choose from, a file to take along, what was refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Literal, TypeVar

import streamlit as st

from facility.core.errors import FacilityError
from facility.ui.session import opened

MIME = {
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
    ".zip": "application/zip",
    ".yaml": "application/yaml",
    ".txt": "text/plain",
    ".parquet": "application/octet-stream",
}
_ROW_PX = 27
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
    """Show a few words to choose from, the first of them chosen where no other is `default`."""
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
    title: str, options: Iterable[Option], key: str, said: Callable[[Option], str] = str
) -> Option:
    """Show a list to choose from, its first option chosen at first; return the one chosen."""
    return st.selectbox(
        title, list(options), key=key, format_func=said, required=True, persist_state="session"
    )


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
    """Show a button with a material symbol, or none; a press calls `do` with `args`."""
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
    """Show the button of a change, which is for those who may do more than read."""
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
    """Show what downloads a file; it is made when it is asked for, and the page stays as it is."""
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
    """Show that something was refused, and why."""
    st.error(f"{title}: {error.code}", icon=":material/error:")
    st.text(str(error))


def problems(found: Sequence[FacilityError], key: str) -> None:
    """Show what is wrong in rows or cells, and how to mend it."""
    st.dataframe(
        {
            "refused at": [problem.where for problem in found],
            "why": [problem.message for problem in found],
            "how to mend": [problem.hint for problem in found],
            "code": [problem.code for problem in found],
        },
        hide_index=True,
        row_height=_ROW_PX,
        key=key,
    )
