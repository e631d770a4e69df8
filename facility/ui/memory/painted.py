"""What the server keeps of the pages that a session has painted: no more than can be clicked.

Streamlit keeps the callback of every widget that a session has ever shown, and all of its last page
for a browser that may come back within minutes. These functions hold what they show, designs with
their studies and drawings: 5 MB and more a session.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import replace
from functools import wraps

from streamlit.components.v2.bidi_component.constants import EVENT_DELIM
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.state.session_state import WStates, _is_stale_widget
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from facility.ui.memory.kept import session_id

_LOG = logging.getLogger(__name__)
_LOOK_S = 2.0
_LET_GO = "_is_let_go"
_GONE: dict[str, frozenset[str]] = {}
"""By session: the widgets that the last run of their part of the page did not show."""
_FREED = threading.Event()
_CLEARED = WStates.remove_stale_widgets
_RESUMED = WebsocketSessionManager._resume_stored_session


def keep_the_last() -> None:
    """Have the sessions of this process keep what they have painted last, and no more."""
    WStates.remove_stale_widgets = _cleared  # type: ignore[method-assign, assignment]
    WebsocketSessionManager._resume_stored_session = _resumed  # type: ignore[method-assign, assignment]


@wraps(_CLEARED)
def _cleared(kept: WStates, shown: frozenset[str], fragments: list[str] | None) -> None:
    _CLEARED(kept, shown, fragments)
    _forget_gone(kept, shown, fragments)


def _forget_gone(kept: WStates, shown: frozenset[str], fragments: list[str] | None) -> None:
    """Forget the callbacks of widgets that neither of the last two runs has shown.

    A run of fragments leaves the widgets of the others as they are. What takes the events of a
    component is no widget shown; it is of the one that it is named by.
    """
    before, metadata = _GONE.get(session_id(), frozenset()), kept.widget_metadata
    shown |= {_make_trigger_id(id, "events") for id in shown if EVENT_DELIM not in id}
    gone = frozenset(id for id, one in metadata.items() if _is_stale_widget(one, shown, fragments))
    for id in gone & before:
        del metadata[id]
    _GONE[session_id()] = ((before - shown) | gone) & metadata.keys()


async def watch() -> None:
    """Let go the pages of browsers that are away twice in a row, and of sessions that have ended.

    It runs in the loop of the server, where sessions come and go.
    """
    away: frozenset[str] = frozenset()
    while True:
        await asyncio.sleep(_LOOK_S)
        try:
            away = _looked(Runtime.instance(), away)
        except (AttributeError, KeyError, RuntimeError):  # of what is private to Streamlit
            _LOG.exception("pages of browsers that are away could not be let go")


def _looked(runtime: Runtime, before: frozenset[str]) -> frozenset[str]:
    """Return the ids of the sessions without a browser; let go those that were so before."""
    sessions = runtime._session_mgr
    storage = getattr(sessions, "_session_storage", None)
    if isinstance(storage, MemorySessionStorage):
        storage._cache.expire()  # type: ignore[attr-defined]  # by itself when the next one comes
    all_of_them = [one.session for one in sessions.list_sessions()]
    for id in _GONE.keys() - {one.id for one in all_of_them}:
        del _GONE[id]
    stored = [one for one in all_of_them if not sessions.is_active_session(one.id)]
    for session in stored:
        if session.id in before and session._scriptrunner is None:
            let_go(runtime, session)
    return frozenset(session.id for session in stored)


def let_go(runtime: Runtime, session: AppSession) -> None:
    """Have a session without a browser keep what was entered, and nothing of its last page.

    A browser that comes back has its page painted anew.
    """
    if getattr(session, _LET_GO, False):
        return
    setattr(session, _LET_GO, True)
    session._fragment_storage.clear()
    widgets = session.session_state._new_widget_state.widget_metadata
    for id, one in widgets.items():
        widgets[id] = replace(
            one, callback=None, callbacks=None, callback_args=None, callback_kwargs=None
        )
    runtime.media_file_mgr.clear_session_refs(session.id)
    runtime.media_file_mgr.remove_orphaned_files()
    _FREED.set()


def has_freed() -> bool:
    """Return whether memory has become free since this was asked last."""
    found = _FREED.is_set()
    _FREED.clear()
    return found


@wraps(_RESUMED)
def _resumed(sessions: WebsocketSessionManager, *of: object) -> str | None:
    found = _RESUMED(sessions, *of)  # type: ignore[arg-type]
    info = None if found is None else sessions.get_active_session_info(found)
    if info is not None and getattr(info.session, _LET_GO, False):
        setattr(info.session, _LET_GO, False)
        info.session.request_rerun(info.session._client_state)
    return found
