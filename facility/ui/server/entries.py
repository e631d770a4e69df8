"""What was entered is taken in whole, though another request comes at the same moment.

Streamlit looks for a newer request before it calls the callbacks of the one it has begun, and at
each look of a callback into the session; what it finds replaces what was begun. A click on Undo was
so lost, or would be done by half, where the page was left within the same moment. The look just
after the callbacks stays, so that nothing is waited for.
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
    """Look for nothing."""


def take_in_whole() -> None:
    """Have each session of this process take in what was entered whole."""
    SafeSessionState.on_script_will_rerun = _whole  # type: ignore[assignment, method-assign]
