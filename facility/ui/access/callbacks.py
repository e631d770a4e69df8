"""Failed sign-in callbacks: counted by address, and rejected above a rate limit."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.logger import get_logger
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from facility.core.errors import FacilityError
from facility.files.store.record.chain import Action
from facility.ui.access import store

MAX_FAILED = 10
"""Failed callbacks of one address in `WINDOW_S`; further ones are rejected without processing."""
WINDOW_S = 60.0
_MAX_ADDRESSES = 10_000
_SIGNED_IN = f"{USER_COOKIE_NAME}=".encode()
_LOG = get_logger("facility.access")


class FailedCallbacks:
    """Rejects the callbacks of an address after too many failures within a minute."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._failed: OrderedDict[str, deque[float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, unless it exceeds the rate limit."""
        if scope["type"] != "http" or not scope["path"].rstrip("/").endswith("/oauth2callback"):
            await self._app(scope, receive, send)
            return
        address = _address(scope)
        if len(self._recent(address)) >= MAX_FAILED:
            wait = {"Retry-After": f"{WINDOW_S:.0f}"}
            answer = PlainTextResponse(
                "Too many failed sign-ins. Try again in a minute.", 429, wait
            )
            await answer(scope, receive, send)
            return
        self._note(address)  # Counted until it succeeds, so that concurrent attempts count too
        signed_in = False

        async def look(message: Message) -> None:
            nonlocal signed_in
            if message["type"] == "http.response.start":
                signed_in = any(
                    name.lower() == b"set-cookie" and _is_sign_in(value)
                    for name, value in message["headers"]
                )
            await send(message)

        try:
            await self._app(scope, receive, look)
        finally:
            if signed_in:
                self._recent(address).pop()
            else:
                _LOG.warning("A sign-in from %s failed.", address)
                await run_in_threadpool(_record, address)

    def _recent(self, address: str) -> deque[float]:
        """Return the times of the failed callbacks of an address within the window."""
        found = self._failed.get(address, deque())
        while found and found[0] < time.monotonic() - WINDOW_S:
            found.popleft()
        return found

    def _note(self, address: str) -> None:
        self._failed.setdefault(address, deque()).append(time.monotonic())
        self._failed.move_to_end(address)
        if len(self._failed) > _MAX_ADDRESSES:
            self._failed.popitem(last=False)


def _record(address: str) -> None:
    """Record a failed sign-in; ignore a failure to record it."""
    with suppress(FacilityError):
        store.for_signed_in().record.add(
            Action.SIGN_IN_FAILED, "unknown", None, {"address": address}
        )


def _is_sign_in(cookie: bytes) -> bool:
    """Return whether a ``Set-Cookie`` starts a sign-in; an empty value ends it."""
    value = cookie.removeprefix(_SIGNED_IN).split(b";")[0].strip(b'" ')
    return cookie.startswith(_SIGNED_IN) and bool(value)


def _address(scope: Scope) -> str:
    """Return the counted address: the IPv4 address, or the IPv6 network of 64 bits."""
    client = scope.get("client")
    try:
        found = ip_address(client[0] if client else "")
    except ValueError:
        return "unknown"
    if isinstance(found, IPv6Address):
        return str(ip_network((found, 64), strict=False))
    return str(found)
