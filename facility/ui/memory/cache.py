"""The design cache of this server, with the studies and charts of each design."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import streamlit as st
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from facility.study.design.design import Design
from facility.ui.memory.design_cache import DesignCache

CACHE = DesignCache()


def session_id() -> str:
    """Return the id of the session whose page runs; empty outside a page."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def is_served() -> bool:
    """Return whether this process is a server; the mock runtime of a test is not."""
    return type(Runtime._instance) is Runtime


def is_open(session: str) -> bool:
    """Return whether a session of this server is open."""
    return Runtime.exists() and Runtime.instance().is_active_session(session)


def cached_design(text: str, make: Callable[[str], Design], words: str) -> Design:
    """Return the cached design of a project text, with the spinner text `words` while designing."""
    waiting = nullcontext() if CACHE.has(text) else st.spinner(words)
    with waiting:
        return CACHE.design(text, session_id(), lambda: make(text))
