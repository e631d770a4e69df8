"""The store of this server, opened once, with the rule for its use without sign-in."""

from __future__ import annotations

import os
from functools import lru_cache
from threading import Lock

from facility.core.errors import FacilityError
from facility.files.store.opening import SINGLE_USER, Store, open_store, usual_store
from facility.ui.access import state

_OPENING = Lock()
"""Lock: the preloading thread and the first session open the store at the same time."""


def usual() -> Store:
    """Return the configured store of the server.

    Raises as `open_store`.
    """
    with _OPENING:
        return _opened(str(usual_store()))


@lru_cache(maxsize=4)
def _opened(address: str) -> Store:
    return open_store(address)


def for_single_user() -> Store:
    """Return the store for the single user of a server without sign-in.

    Raises ``SIGN_IN_MISSING`` if the store has been used with sign-in, unless the environment
    allows it; the server then denies all access. Raises as `open_store`.
    """
    store = usual()
    if os.environ.get(SINGLE_USER, "") != "1" and store.was_used_with_sign_in():
        error = FacilityError(
            "SIGN_IN_MISSING",
            store.where,
            "the store has been used with sign-in, and this server has no section auth.",
            "Restore the secrets of the server, or start it with --single-user. Anyone who can "
            "reach it can then change every project.",
        )
        state.reject_single_user(error.explanation.rstrip("."))
        raise error
    return store


def for_signed_in() -> Store:
    """Return the store for signed-in users, and mark it as used with sign-in.

    Raises as `open_store`.
    """
    return _marked(str(usual_store()))


@lru_cache(maxsize=4)
def _marked(address: str) -> Store:
    with _OPENING:
        store = _opened(address)
    store.mark_used_with_sign_in()
    return store
