"""Complete handling of inputs when another request arrives at the same time.

Streamlit checks for a newer request before the callbacks of the current one, at each access of a
callback to the session, and at each element that it shows, such as a spinner; a newer request then
replaces the current one. So a click on Undo could be lost or executed partially if the user left
the page at the same time. The check after the callbacks remains, so that no request is delayed.

A click is sent by the browser after a moment, in which a part of the page that refreshes itself may
be sent with the click of another part: it would act twice. Here it acts with its own request.

Such a part is also sent for the page that the browser shows, when the server has gone to another
one. Streamlit then runs the part with the inputs of the former page, and the browser, which cannot
place what is drawn, shows nothing more. Here the part is not run.
"""

from __future__ import annotations

from functools import wraps

from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import RerunData, get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState

_CLICKS = ("trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value")
_TAKEN_IN = SafeSessionState.on_script_will_rerun
_REQUESTED, _QUEUED = AppSession.request_rerun, ScriptRequests._request_rerun_locked


@wraps(_TAKEN_IN)
def _whole(state: SafeSessionState, entered: WidgetStates | None, **more: object) -> None:
    runner = state._yield_callback.__self__  # type: ignore[attr-defined]
    runner._execing = False  # a runner replaces only what it executes
    try:
        _TAKEN_IN(state, _without_other_clicks(state, entered), **more)  # type: ignore[arg-type]
    finally:
        runner._execing = True


def _without_other_clicks(
    state: SafeSessionState, entered: WidgetStates | None
) -> WidgetStates | None:
    """Return the inputs of a request without clicks of parts of the page that it does not run."""
    context = get_script_run_ctx()
    parts = None if context is None else context.fragment_ids_this_run
    if not parts or entered is None:
        return entered
    known = state._state._new_widget_state.widget_metadata
    left = WidgetStates()
    left.widgets.extend(
        one
        for one in entered.widgets
        if one.WhichOneof("value") not in _CLICKS
        or one.id not in known
        or known[one.id].fragment_id in parts
    )
    return left


@wraps(_REQUESTED)
def _requested(session: AppSession, client: ClientState | None) -> None:
    pages = session._pages_manager
    now = pages.intended_page_script_hash or pages.current_page_script_hash
    if client is None or not client.is_auto_rerun or client.page_script_hash == now:
        _REQUESTED(session, client)


@wraps(_QUEUED)
def _queued(requests: ScriptRequests, new: RerunData) -> bool:
    """Queue a request; the run of a page includes its parts, and keeps its page."""
    waiting = requests._rerun_data if requests._state is ScriptRequestType.RERUN else None
    if new.is_auto_rerun and waiting is not None and not waiting.fragment_id_queue:
        return True
    return _QUEUED(requests, new)


def take_in_whole() -> None:
    """Patch Streamlit so that each session handles its inputs completely, and on its page."""
    AppSession.request_rerun = _requested  # type: ignore[assignment, method-assign]
    ScriptRequests._request_rerun_locked = _queued  # type: ignore[assignment, method-assign]
    SafeSessionState.on_script_will_rerun = _whole  # type: ignore[assignment, method-assign]
