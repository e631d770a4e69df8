"""Expiry of a sign-in, and the claims in its cookie."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping

from starlette.requests import HTTPConnection
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

MAX_S = 12 * 3600.0
"""Maximum duration of a session from the issue of its ID token [s]."""
_SKEW_S = 300.0
"""Tolerated clock difference to the provider [s]."""


def ends_at(claims: Mapping[str, object]) -> float:
    """Return when the session of an ID token ends, in seconds since 1970.

    The session ends when the token expires, at most 12 h after its issue. It ends at once (minus
    infinity) if the token lacks one of these times, which OpenID Connect requires, or was issued
    in the future.
    """
    expires, issued = _seconds(claims.get("exp")), issued_at(claims)
    if expires is None or issued is None or issued > time.time() + _SKEW_S:
        return -math.inf
    return min(expires, issued + MAX_S)


def issued_at(claims: Mapping[str, object]) -> float | None:
    """Return the time of issue of an ID token, in seconds since 1970; None if missing."""
    return _seconds(claims.get("iat"))


def _seconds(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        return None
    return float(value)


def claims_of(request: HTTPConnection) -> Mapping[str, object]:
    """Return the claims of the signed cookie of a request; empty without a valid cookie."""
    secret = get_cookie_secret()

    def signed(name: str) -> bytes | None:
        value = request.cookies.get(name)
        return None if value is None else decode_signed_value(secret, name, value.encode("latin-1"))

    try:
        found = json.loads(get_cookie_with_chunks(signed, USER_COOKIE_NAME) or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
