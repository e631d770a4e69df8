"""Middleware before every route: answers forbidden requests itself and passes on the others."""

from __future__ import annotations

import asyncio
import hmac
import math
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.web.server.starlette.starlette_server_config import (
    AUTH_COOKIE_MAX_AGE_SECONDS,
    USER_COOKIE_NAME,
)
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from facility.core.errors import FacilityError
from facility.ui.access import session, state, store
from facility.ui.access.state import Access, Mode, origin_of

_HEALTH, _METRICS, _LOGOUT = "/_stcore/health", "/_stcore/metrics", "/auth/logout"
_FORWARDING: Final = re.compile(r"forwarded|via|x-forwarded-.*|.*-ip")
"""Headers that proxies add."""
_THIS_MACHINE: Final = ("127.0.0.1", "localhost", "::1")
POLL_S = 0.25
"""Interval between two checks for a changed sign-in configuration [s]."""
_POLICY_VIOLATION = 1008
"""Close code of a WebSocket, RFC 6455 section 7.4.1."""
_BROKEN_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>facility</title>
<style>body {font: 16px/1.5 sans-serif; max-width: 40em; margin: 15vh auto; padding: 0 1em}</style>
</head><body><h1>facility is closed</h1>
<p>Sign-in is not completely configured on this server, so access is closed.
Saved projects are not affected. See the server log for the missing setting.</p></body></html>
"""


class _Connections:
    """The open WebSockets by sign-in cookie; setting its event ends a connection."""

    def __init__(self) -> None:
        self._open: dict[asyncio.Event, str] = {}
        self._seen: Access | None = None

    @contextmanager
    def joined(self, sign_in: str) -> Iterator[asyncio.Event]:
        """Register a connection while it is open, and yield the event that ends it."""
        end = asyncio.Event()
        self._open[end] = sign_in
        try:
            yield end
        finally:
            del self._open[end]

    def note(self, access: Access) -> None:
        """End all connections if the sign-in state has changed."""
        if self._seen not in (None, access):
            for end in self._open:
                end.set()
        self._seen = access

    def sign_out(self, sign_in: str) -> None:
        """End the connections of one sign-in: all windows of that browser."""
        for end, cookie in self._open.items():
            if sign_in and cookie == sign_in:
                end.set()


_CONNECTIONS = _Connections()


async def watch() -> None:
    """Check for a changed sign-in configuration, until cancelled."""
    if state.current().mode is Mode.SINGLE_USER:
        with suppress(FacilityError):  # the pages show the error
            await run_in_threadpool(store.for_single_user)
    while True:
        _CONNECTIONS.note(await run_in_threadpool(state.current, POLL_S / 2))
        await asyncio.sleep(POLL_S)


class Gate:
    """Middleware that rejects forbidden requests and closes connections with an expired sign-in."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request here, or pass it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        access = state.current()
        _CONNECTIONS.note(access)
        rejection = _rejection(scope, access)
        if rejection is not None:
            await _reject(scope, receive, send, rejection)
            return
        ends_at = math.inf
        if access.mode is Mode.SIGNED_IN:
            ends_at = _end_of_sign_in(scope)
            send = _with_short_cookies(send, access)
            if _path(scope) == _LOGOUT:
                _CONNECTIONS.sign_out(_sign_in(scope))
        if scope["type"] == "websocket":
            await _connected(self._app, scope, receive, send, ends_at)
        else:
            await self._app(scope, receive, send)


def _rejection(scope: Scope, access: Access) -> Response | None:
    """Return the response to a rejected request; None to pass the request on."""
    headers, path = Headers(scope=scope), _path(scope)
    # Starlette routes end in $, which also matches before a trailing line feed.
    if not path.isprintable():
        return PlainTextResponse("Not found.", 404)
    if access.mode is Mode.BROKEN:
        if path == _HEALTH:
            return PlainTextResponse("Sign-in is not completely configured.", 503)
        return HTMLResponse(_BROKEN_PAGE, 503, {"Retry-After": "60"})
    host = headers.get("host")
    if not _is_host_allowed(host):
        return PlainTextResponse("Host not allowed.", 403)
    origin = headers.get("origin")
    # Browsers send an origin with every WebSocket. A program without one could send any origin.
    if origin is not None and not _is_origin_allowed(origin, host, access):
        return PlainTextResponse("Origin not allowed.", 403)
    if path == _METRICS and not _may_read_metrics(scope, access):
        return PlainTextResponse("Metrics require a token.", 401, {"WWW-Authenticate": "Bearer"})
    return None


def _path(scope: Scope) -> str:
    """Return the path of a request below the base path of the server, without a trailing slash."""
    base = config.get_option("server.baseUrlPath").strip("/")
    path: str = scope["path"]
    if base and (path == f"/{base}" or path.startswith(f"/{base}/")):
        path = path.removeprefix(f"/{base}")
    return path.rstrip("/")


def _is_host_allowed(host: str | None) -> bool:
    """Return whether the host is an allowed name of the server; by default, a loopback name."""
    if config.get_option("server.allowedHosts"):
        return is_host_allowed(host)
    stated = origin_of(f"http://{host}")
    return stated is not None and any(
        stated.rpartition(":")[0] == f"http://{f'[{name}]' if ':' in name else name}"
        for name in _THIS_MACHINE
    )


def _is_origin_allowed(origin: str, host: str | None, access: Access) -> bool:
    """Return whether an origin (scheme, host and port) may send requests.

    If `redirect_uri` specifies the public address at this host, only this origin is allowed.
    """
    stated = origin_of(origin)
    if stated is None or urlsplit(origin).path:
        return False
    if stated in {origin_of(one.strip()) for one in config.get_option("server.corsAllowedOrigins")}:
        return True
    scheme = stated.partition(":")[0]
    is_named = access.origin and _name(stated) == _name(access.origin)
    return stated == origin_of(f"{scheme}://{host}") and (not is_named or stated == access.origin)


def _name(origin: str) -> str:
    """Return the host of an origin."""
    return origin.partition("://")[2].rpartition(":")[0]


def _may_read_metrics(scope: Scope, access: Access) -> bool:
    """Return whether a request may read the metrics: by token, sign-in, or from this machine."""
    headers = Headers(scope=scope)
    kind, _, token = headers.get("authorization", "").partition(" ")
    if access.metrics_token and kind.lower() == "bearer":
        return hmac.compare_digest(token.strip().encode(), access.metrics_token.encode())
    if access.mode is Mode.SIGNED_IN:
        claims = session.claims_of(HTTPConnection(scope))
        if claims and session.ends_at(claims) > time.time():
            return True
    if access.behind_proxy or any(map(_FORWARDING.fullmatch, headers)):
        return False
    client = scope.get("client")
    with suppress(ValueError):
        return client is not None and ip_address(client[0]).is_loopback
    return False


def _end_of_sign_in(scope: Scope) -> float:
    """Return when the sign-in of a request ends; remove an expired one from the request."""
    claims = session.claims_of(HTTPConnection(scope))
    if not claims:
        return math.inf
    ends_at = session.ends_at(claims)
    if ends_at > time.time():
        return ends_at
    headers = MutableHeaders(scope=scope)
    cookies = [part.strip() for part in headers.get("cookie", "").split(";")]
    headers["cookie"] = "; ".join(one for one in cookies if not one.startswith(USER_COOKIE_NAME))
    return math.inf


def _with_short_cookies(send: Send, access: Access) -> Send:
    """Return `send` with sign-in cookies that expire with the sign-in, and only over HTTPS."""
    lasting = f"Max-Age={AUTH_COOKIE_MAX_AGE_SECONDS}"
    secure = access.origin.startswith("https:")

    def shortened(value: str) -> str:
        value = value.replace(lasting, f"Max-Age={session.MAX_S:.0f}")
        return f"{value}; Secure" if secure and "; secure" not in value.lower() else value

    async def answer(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (name, shortened(value.decode("latin-1")).encode("latin-1"))
                if name.lower() == b"set-cookie"
                else (name, value)
                for name, value in message["headers"]
            ]
        await send(message)

    return answer


async def _reject(scope: Scope, receive: Receive, send: Send, answer: Response) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
    else:
        await answer(scope, receive, send)


async def _connected(
    app: ASGIApp, scope: Scope, receive: Receive, send: Send, ends_at: float
) -> None:
    """Run a WebSocket until its sign-in ends or the sign-in state changes."""
    with _CONNECTIONS.joined(_sign_in(scope)) as end:
        ended = asyncio.ensure_future(_ended(end, ends_at))

        async def receive_until_end() -> Message:
            message = asyncio.ensure_future(receive())
            await asyncio.wait({message, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not ended.done():
                return message.result()
            message.cancel()
            with suppress(RuntimeError, OSError):  # The browser may have disconnected meanwhile
                await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
            return {"type": "websocket.disconnect", "code": _POLICY_VIOLATION}

        async def send_until_end(message: Message) -> None:
            if not ended.done():
                await send(message)

        try:
            await app(scope, receive_until_end, send_until_end)
        finally:
            ended.cancel()


def _sign_in(scope: Scope) -> str:
    """Return the sign-in cookie of a request; empty if there is none."""
    return HTTPConnection(scope).cookies.get(USER_COOKIE_NAME, "")


async def _ended(end: asyncio.Event, ends_at: float) -> None:
    """Wait until a connection is ended, or until `ends_at` (seconds since 1970)."""
    timeout = None if math.isinf(ends_at) else max(0.0, ends_at - time.time())
    with suppress(TimeoutError):
        await asyncio.wait_for(end.wait(), timeout)
