"""Release of page data of sessions: only callbacks of visible widgets are kept.

Streamlit keeps the callback of every widget that a session has ever displayed, and the complete
last page for a browser that may reconnect within minutes. These callbacks refer to designs with
their studies and drawings: 5 MB and more per session.
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

from facility.ui.memory.cache import session_id

_LOG = logging.getLogger(__name__)
_LOOK_S = 2.0
_LET_GO = "_is_let_go"
_GONE: dict[str, frozenset[str]] = {}
"""By session: the widgets that the last run of their fragment did not display."""
_FREED = threading.Event()
_CLEARED = WStates.remove_stale_widgets
_RESUMED = WebsocketSessionManager._resume_stored_session


def keep_the_last() -> None:
    """Patch Streamlit so that sessions keep only their last page."""
    WStates.remove_stale_widgets = _cleared  # type: ignore[method-assign, assignment]
    WebsocketSessionManager._resume_stored_session = _resumed  # type: ignore[method-assign, assignment]


@wraps(_CLEARED)
def _cleared(states: WStates, shown: frozenset[str], fragments: list[str] | None) -> None:
    _CLEARED(states, shown, fragments)
    _forget_gone(states, shown, fragments)


def _forget_gone(states: WStates, shown: frozenset[str], fragments: list[str] | None) -> None:
    """Delete the callbacks of widgets that the last two runs did not display.

    A run of fragments does not affect the widgets of other fragments. The trigger of component
    events is not displayed itself; it belongs to the component in its id.
    """
    before, metadata = _GONE.get(session_id(), frozenset()), states.widget_metadata
    shown |= {_make_trigger_id(id, "events") for id in shown if EVENT_DELIM not in id}
    gone = frozenset(id for id, one in metadata.items() if _is_stale_widget(one, shown, fragments))
    for id in gone & before:
        del metadata[id]
    _GONE[session_id()] = ((before - shown) | gone) & metadata.keys()


async def watch() -> None:
    """Release the pages of browsers that are disconnected in two checks, and of ended sessions.

    Runs in the event loop of the server, which manages the sessions.
    """
    away: frozenset[str] = frozenset()
    while True:
        await asyncio.sleep(_LOOK_S)
        try:
            away = _looked(Runtime.instance(), away)
        except (AttributeError, KeyError, RuntimeError):  # private names of Streamlit
            _LOG.exception("Pages of disconnected browsers could not be released.")


def _looked(runtime: Runtime, before: frozenset[str]) -> frozenset[str]:
    """Return the sessions without a browser; release them if they had none before."""
    sessions = runtime._session_mgr
    storage = getattr(sessions, "_session_storage", None)
    if isinstance(storage, MemorySessionStorage):
        storage._cache.expire()  # type: ignore[attr-defined]  # otherwise only when the next one is stored
    all_of_them = [one.session for one in sessions.list_sessions()]
    for id in _GONE.keys() - {one.id for one in all_of_them}:
        del _GONE[id]
    stored = [one for one in all_of_them if not sessions.is_active_session(one.id)]
    for session in stored:
        if session.id in before and session._scriptrunner is None:
            let_go(runtime, session)
    return frozenset(session.id for session in stored)


def let_go(runtime: Runtime, session: AppSession) -> None:
    """Release the last page of a session without a browser, but keep its inputs.

    A browser that reconnects reruns its page.
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
    """Return whether memory was released since the last call."""
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
