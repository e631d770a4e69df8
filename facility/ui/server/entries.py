"""Complete handling of inputs when another request arrives at the same time.

Streamlit checks for a newer request before the callbacks of the current one, at each access of a
callback to the session, and at each element that it shows, such as a spinner; a newer request then
replaces the current one. So a click on Undo could be lost or executed partially if the user left
the page at the same time. The check after the callbacks remains, so that no request is delayed.

A click is sent by the browser after a moment, in which a part of the page that refreshes itself may
be sent with the click of another part: it would act twice. Here it acts with its own request.
"""

from __future__ import annotations

from functools import wraps

from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.safe_session_state import SafeSessionState

_CLICKS = ("trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value")
_TAKEN_IN = SafeSessionState.on_script_will_rerun


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


def take_in_whole() -> None:
    """Patch Streamlit so that each session handles its inputs completely."""
    SafeSessionState.on_script_will_rerun = _whole  # type: ignore[assignment, method-assign]
