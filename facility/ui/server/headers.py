"""Headers that keep a page of the app to itself, on every answer of the server."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

import streamlit
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

STATIC = Path(streamlit.__file__).with_name("static")
"""The files of Streamlit's page."""
_INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


@cache
def content_policy() -> str:
    """Return the policy: what of a page may run, load, be sent or frame it.

    Scripts come from this server: from its files, from a blob that one of them made (components),
    and the scripts written into Streamlit's page, each named by its hash. What runs may compile
    text: Plotly does, for charts of thousands of points. Styles are written into the page as it is
    drawn. Nothing is sent to another machine, and no page frames this one.
    """
    page = (STATIC / "index.html").read_bytes()
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'"
        for script in _INLINE.findall(page)
    )
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' blob: 'unsafe-eval' {hashes}".strip(),
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self' blob:",
            "worker-src 'self' blob:",
            "frame-src 'self' blob: data:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


@cache
def security_headers() -> dict[str, str]:
    """Return the headers of every answer, by name."""
    return {
        "Content-Security-Policy": content_policy(),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    }


class SecurityHeaders:
    """Adds `security_headers` to every answer; what says nothing of caches is not kept in one."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the headers to its answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(security_headers())
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, answer)
