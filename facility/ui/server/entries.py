"""Complete handling of inputs when another request arrives at the same time.

Streamlit checks for a newer request before the callbacks of the current one, and at each access of
a callback to the session; a newer request then replaces the current one. So a click on Undo could
be lost or executed partially if the user left the page at the same time. The check after the
callbacks remains, so that no request is delayed.
"""

from __future__ import annotations

from functools import wraps

from streamlit.runtime.state.safe_session_state import SafeSessionState

_TAKEN_IN = SafeSessionState.on_script_will_rerun


@wraps(_TAKEN_IN)
def _whole(state: SafeSessionState, *what: object, **more: object) -> None:
    look = state._yield_callback
    object.__setattr__(state, "_yield_callback", _go_on)  # the proxy sets items, not attributes
    try:
        _TAKEN_IN(state, *what, **more)  # type: ignore[arg-type]
    finally:
        object.__setattr__(state, "_yield_callback", look)


def _go_on() -> None:
    """Do not check for a newer request."""


def take_in_whole() -> None:
    """Patch Streamlit so that each session handles its inputs completely."""
    SafeSessionState.on_script_will_rerun = _whole  # type: ignore[assignment, method-assign]
