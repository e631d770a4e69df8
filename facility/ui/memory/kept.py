"""The shelf of this server: what is made of a design is kept beside it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from facility.study.design.design import Design
from facility.ui.memory.shelf import Shelf

_P = ParamSpec("_P")
_Found = TypeVar("_Found")
SHELF = Shelf()
_MOST = 8


def session_id() -> str:
    """Return the id of the session whose page runs; empty where none does."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def kept_design(text: str, make: Callable[[str], Design], words: str) -> Design:
    """Return the design of a project's text, and say `words` while it is made."""
    waiting = nullcontext() if SHELF.has(text) else st.spinner(words)
    with waiting:
        return SHELF.design(text, session_id(), lambda: make(text))


def with_design(
    words: str = "", most: int = _MOST
) -> Callable[[Callable[Concatenate[str, _P], _Found]], Callable[Concatenate[str, _P], _Found]]:
    """Have what a function makes of a project's text be kept with its design, `most` of a kind."""

    def keeping(
        make: Callable[Concatenate[str, _P], _Found],
    ) -> Callable[Concatenate[str, _P], _Found]:
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def kept(text: str, *args: _P.args, **kwargs: _P.kwargs) -> _Found:
            part = (name, (args, tuple(kwargs.items())))
            known = not words or SHELF.has(text, part)
            with nullcontext() if known else st.spinner(words):
                made = SHELF.made(
                    text, session_id(), part, most, lambda: make(text, *args, **kwargs)
                )
            return cast(_Found, made)

        return cast(Callable[Concatenate[str, _P], _Found], kept)

    return keeping
